package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.Idle;
import org.lacis.Info;
import org.lacis.LacisException;
import org.lacis.LacisOptions;
import org.lacis.MatchingEngine;
import org.lacis.PacketPool;
import org.lacis.PeerFailure;
import org.lacis.boot.Boot;
import org.lacis.boot.BootException;
import org.lacis.boot.PeerLoss;
import org.lacis.boot.RankReports;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetException;
import org.lacis.net.Network;

/** The runtime: owns the network's context and every resource, and hands them out. */
public final class Engine extends EngineObjects {

  private static final System.Logger LOG = System.getLogger("org.lacis");

  /** Kept here as others know it only weakly. */
  final RankReports.Source report = this::dump;

  final CoarseClock clock = new CoarseClock();
  final Waits waits = new Waits(clock);
  final LongBuffers longBuffers;
  final Nesting nesting = new Nesting();
  final PostingCache<EnginePosting> postings =
      new PostingCache<>(owner -> new EnginePosting(this, owner));
  final PostingCache<EngineAtomicPosting> atomicPostings =
      new PostingCache<>(owner -> new EngineAtomicPosting(this, owner));
  final Barrier barrier = new Barrier(this);
  final Fences fences = new Fences(this);
  final Partings partings = new Partings(this);
  final Retries retries = new Retries();

  /** Threads that hand over what matching threads have brought together. */
  final Set<Thread> handing = ConcurrentHashMap.newKeySet();

  final PeerFailures failures;
  final Pools pools;
  final Pool pool;
  final Regions regions;
  final Matching matching;

  private final LacisOptions options;
  private final @Nullable Boot boot;
  private final String networkName;
  private final NetContext context;
  private final int rank;
  private final int size;
  private final long jobNumber;
  private final int injectLimit;
  private final Waiting waiting;
  private final ProgressThread progressThread;
  private final EngineDevice first;

  /** Replaced as a whole; progress walks it. */
  private volatile EngineDevice[] devices;

  /** Held by who makes a device, and waits for the others. */
  private final Object making = new Object();

  private int deviceCount;
  private volatile boolean open = true;

  /** The network is closed: its memory must not be touched any more. */
  private volatile boolean ended;

  Engine(
      LacisOptions options,
      @Nullable Boot boot,
      Network.Exchange exchange,
      String networkName,
      NetContext context) {
    this.options = options;
    this.boot = boot;
    this.networkName = networkName;
    this.context = context;
    this.rank = exchange.rank();
    this.size = exchange.size();
    this.failures = new PeerFailures(this, boot, size);
    this.jobNumber = fingerprint(exchange.jobId());
    this.injectLimit = Math.min(context.injectLimit(), StatusRecord.INLINE_BYTES);
    this.longBuffers = new LongBuffers(context);
    this.pools = new Pools(this);
    this.pool = pools.add(Names.DEFAULT, options.pool());
    this.regions = new Regions(this);
    this.waiting = new Waiting(this, context);
    this.matching = new Matching(this, 0, Names.DEFAULT, options.matching());
    matchings.add(matching);
    this.first = new EngineDevice(this, deviceCount++, Names.DEFAULT, context.openDevice());
    this.devices = new EngineDevice[] {first};
    this.progressThread = new ProgressThread(this, options.progressThread());
  }

  /** Opens a runtime. */
  public static Engine open(LacisOptions options) {
    return Opening.open(options);
  }

  /** FNV-1a. */
  private static long fingerprint(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  // ---- what the rest of the engine asks

  NetContext context() {
    return context;
  }

  Waiting waiting() {
    return waiting;
  }

  ProgressThread progressThread() {
    return progressThread;
  }

  EngineDevice defaultDevice() {
    return first;
  }

  EngineDevice[] devices() {
    return devices;
  }

  @Override
  EngineDevice device0() {
    return first;
  }

  long jobNumber() {
    return jobNumber;
  }

  boolean isOpen() {
    return open;
  }

  boolean isEnded() {
    return ended;
  }

  void requireOpen() {
    if (!open) {
      throw new LacisException("the runtime was closed while a thread waited in it");
    }
  }

  void requireUsable() {
    if (!open) {
      throw new IllegalStateException("the runtime is closed");
    }
  }

  void refuseWaitInHandler() {
    boolean inHandler = nesting.isInside() || handing.contains(Thread.currentThread());
    for (EngineDevice d : devices) {
      inHandler |= d.isProgressing();
    }
    if (inHandler) {
      throw new IllegalStateException(
          "a handler, or a function of a graph, must not wait: it runs inside progress, a post or"
              + " the start of the graph, or on a matching thread, which would have to go on");
    }
  }

  /** Signals, whatever the completion object does. */
  void signal(Completion completion, StatusRecord status) {
    try {
      completion.signal(status);
    } catch (RuntimeException | Error e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "a completion object has thrown; the operation itself is complete",
          e);
    }
  }

  /** Ends a lease of the network or of the long buffers; 0 is none. */
  void release(long lease) {
    if (lease == 0 || ended) {
      return;
    }
    if (lease > 0) {
      context.release(lease);
    } else {
      longBuffers.release(lease);
    }
  }

  MemorySegment view(long address, long length) {
    return context.view(address, length);
  }

  synchronized void deviceClosed(EngineDevice device) {
    devices =
        java.util.Arrays.stream(devices).filter(d -> d != device).toArray(EngineDevice[]::new);
    waiting.devices(devices.length);
  }

  // ---- Lacis

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public LacisOptions options() {
    return options;
  }

  @Override
  public String network() {
    return networkName;
  }

  @Override
  public String networkDetails() {
    return context.description();
  }

  @Override
  public int eagerLimit() {
    return pool.packetBytes();
  }

  @Override
  public int injectLimit() {
    return injectLimit;
  }

  @Override
  public int piggybackLimit(int parts) {
    if (parts < 0 || parts > BufferList.MAX_PARTS) {
      throw new IllegalArgumentException(
          "parts must be 0 to " + BufferList.MAX_PARTS + ", but is " + parts);
    }
    return pool.packetBytes() - ListFrame.tableBytes(parts);
  }

  @Override
  public Info info() {
    return Info.of(
        "runtime",
        title(),
        "network",
        networkName,
        "details",
        context.description(),
        "inject limit",
        injectLimit,
        "eager limit",
        eagerLimit(),
        "devices",
        devices.length,
        "progress thread",
        options.progressThread(),
        "closed",
        !open);
  }

  private String title() {
    String name = options.name();
    return (name.isEmpty() ? "" : name + ", ") + "rank " + rank + " of " + size;
  }

  @Override
  public String dump() {
    return Dump.of(this);
  }

  @Override
  public Device device() {
    return first;
  }

  @Override
  public Device newDevice() {
    synchronized (making) {
      return newDevice("#" + deviceCount);
    }
  }

  @Override
  public Device newDevice(String name) {
    Objects.requireNonNull(name, "name");
    synchronized (making) {
      requireUsable();
      return add(new EngineDevice(this, deviceCount++, name, openDevice()));
    }
  }

  private NetDevice openDevice() {
    try {
      return context.openDevice();
    } catch (NetException e) {
      String what = "rank " + rank + " cannot make a device: " + e.getMessage();
      throw e.lostRank() < 0 ? new LacisException(what, e) : Errors.gone(e.lostRank(), what);
    } catch (BootException e) {
      throw new LacisException("rank " + rank + " cannot make a device: " + e.getMessage(), e);
    }
  }

  private synchronized Device add(EngineDevice added) {
    if (!open) {
      added.shut();
    }
    requireUsable();
    EngineDevice[] all = java.util.Arrays.copyOf(devices, devices.length + 1);
    all[all.length - 1] = added;
    devices = all;
    waiting.devices(all.length);
    partings.made(added);
    return added;
  }

  @Override
  public MatchingEngine matchingEngine() {
    return matching;
  }

  @Override
  public PacketPool packetPool() {
    return pool;
  }

  @Override
  public void onPeerFailure(Consumer<PeerFailure> handler) {
    requireUsable();
    failures.handler(Objects.requireNonNull(handler, "handler"));
  }

  @Override
  public boolean isGone(int rank) {
    PeerChecks.rank(rank, size());
    return failures.isGone(rank);
  }

  @Override
  public boolean hasFailed(int rank) {
    PeerChecks.rank(rank, size());
    return failures.hasFailed(rank);
  }

  @Override
  public int progress() {
    int n = 0;
    for (EngineDevice d : devices) {
      n += d.progress();
    }
    return n;
  }

  @Override
  public Idle newIdle() {
    return waiting.idle();
  }

  @Override
  public void fence() {
    requireUsable();
    fences.awaitLocal(devices, Waiting.FOREVER);
  }

  @Override
  public boolean fence(Duration limit) {
    requireUsable();
    return fences.awaitLocal(devices, Waiting.nanos(limit));
  }

  @Override
  public void globalFence() {
    requireUsable();
    refuseWaitInHandler();
    fences.awaitGlobal();
  }

  @Override
  public void barrier() {
    requireUsable();
    refuseWaitInHandler();
    barrier.await();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (!open) {
        return;
      }
      refuseWaitInHandler();
      open = false;
    }
    RankReports.remove(report);
    PeerLoss.remove(failures);
    progressThread.stop();
    for (EngineDevice d : devices) {
      d.shut();
    }
    for (Matching m : matchings.all()) {
      m.shut();
    }
    retries.shut();
    ended = true;
    context.close();
    if (boot != null) {
      boot.close();
    }
  }

  @Override
  public String toString() {
    return "Lacis[" + title() + ", " + networkName + (open ? "]" : ", closed]");
  }
}
