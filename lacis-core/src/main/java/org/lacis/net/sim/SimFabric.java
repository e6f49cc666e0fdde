package org.lacis.net.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetContext;
import org.lacis.net.NetException;
import org.lacis.net.Network;

/**
 * Many ranks in one JVM, and all that is between them.
 *
 * <p><b>Time</b> is virtual, counts nanoseconds from 0, and moves only in polls (and in {@link
 * #step}): a poll that finds nothing for its device moves the clock to the next event if nothing is
 * due for any device, or if this device has already polled in vain at this very time. So, when one
 * thread polls all ranks in turn, every rank sees what is due before the clock moves on, and a rank
 * that does not poll holds no one up.
 *
 * <p><b>Determinism</b>: if one thread does everything, the same seed and the same calls give the
 * same deliveries at the same times. With several threads everything is safe, but their order is
 * chance.
 *
 * <p><b>Death</b>: a rank that was killed, or has closed, is gone. Others are told one latency
 * later, after its last message. To a rank that was killed it looks as if all others were gone. All
 * methods may be called by any thread.
 */
public final class SimFabric {

  /**
   * The memory {@link #open(int)} sets aside per rank, in bytes. Only what is allocated is used.
   */
  public static final long DEFAULT_SHARED_BYTES = 64L << 20;

  /**
   * The number of messages under way from one rank to a device of another that {@link #open(int)}
   * asks for.
   */
  public static final int DEFAULT_RING_CELLS = 256;

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  final SimClock clock = new SimClock();
  final SimMemory memory = new SimMemory();
  final SimWire wire;
  final SimDeaths deaths = new SimDeaths(this);

  /** Open devices that the next poll has something for, in the order they got it. */
  final Set<SimPort> due = new LinkedHashSet<>();

  /** How much was ever delivered. */
  long deliveries;

  private final ReentrantLock lock = new ReentrantLock();
  private final SimOptions options;
  private final SplittableRandom random;
  private final SimExchange exchange;
  private final @Nullable SimContext[] contexts;
  private final List<List<SimPort>> ports = new ArrayList<>();

  /** When each rank has done all it was asked to, in nanoseconds. */
  private final long[] busyUntil;

  private long stepDeliveries = -1;

  private SimFabric(SimOptions options) {
    this.options = options;
    random = new SplittableRandom(options.seed());
    wire = new SimWire(options, clock, random);
    exchange = new SimExchange(options.ranks());
    contexts = new @Nullable SimContext[options.ranks()];
    busyUntil = new long[options.ranks()];
    for (int i = 0; i < options.ranks(); i++) {
      ports.add(new ArrayList<>(1));
    }
  }

  /** Makes a fabric. */
  public static SimFabric create(SimOptions options) {
    return new SimFabric(options);
  }

  /** What it was made with. */
  public SimOptions options() {
    return options;
  }

  /**
   * The network as one rank sees it. Opening it waits for no one: all ranks may be opened by one
   * thread, one after the other.
   */
  public Network network(int rank) {
    return new SimNetwork(this, checkRank(rank));
  }

  /**
   * The bootstrap as one rank sees it. Gathering needs a thread per rank: it waits for all of them.
   */
  public Network.Exchange exchange(int rank) {
    return exchange.of(checkRank(rank));
  }

  /** Opens one rank with {@link #DEFAULT_SHARED_BYTES} and {@link #DEFAULT_RING_CELLS}. */
  public NetContext open(int rank) {
    return network(rank)
        .open(new Network.Setup(exchange(rank), DEFAULT_SHARED_BYTES, DEFAULT_RING_CELLS, TIMEOUT));
  }

  NetContext open(int rank, Network.Setup setup) {
    if (setup.exchange().rank() != rank || setup.exchange().size() != options.ranks()) {
      throw new NetException(
          "rank "
              + rank
              + " of "
              + options.ranks()
              + " was opened as rank "
              + setup.exchange().rank()
              + " of "
              + setup.exchange().size());
    }
    return locked(
        () -> {
          if (contexts[rank] != null || deaths.isGone(rank)) {
            throw new NetException(
                "rank " + rank + " was opened before, or killed: a fabric's ranks live once");
          }
          SimContext context = new SimContext(this, rank, setup);
          contexts[rank] = context;
          return context;
        });
  }

  /** The virtual time, in nanoseconds. */
  public long now() {
    return locked(clock::now);
  }

  /**
   * When a rank has done all it was asked to, or the virtual time if that is later, in nanoseconds.
   */
  public long time(int rank) {
    checkRank(rank);
    return locked(() -> Math.max(clock.now(), busyUntil[rank]));
  }

  /** A rank computes for some virtual time: what it posts afterwards leaves later. */
  public void compute(int rank, Duration duration) {
    checkRank(rank);
    locked(() -> busyUntil[rank] = Math.max(clock.now(), busyUntil[rank]) + duration.toNanos());
  }

  /** A rank dies now. */
  public void kill(int rank) {
    checkRank(rank);
    locked(
        () -> {
          deaths.kill(rank);
          return null;
        });
  }

  /**
   * A rank dies later.
   *
   * @param time the virtual time since the fabric was made
   */
  public void killAt(int rank, Duration time) {
    checkRank(rank);
    locked(
        () -> {
          clock.at(time.toNanos(), () -> deaths.kill(rank));
          return null;
        });
  }

  /** Holds up everything between two groups of ranks, until {@link SimPartition#heal}. */
  public SimPartition partition(Collection<Integer> left, Collection<Integer> right) {
    return locked(
        () -> {
          SimPartition partition = new SimPartition(this, left, right);
          clock.add(partition);
          return partition;
        });
  }

  /** Holds up everything between two groups of ranks, for some virtual time. */
  public SimPartition partition(
      Collection<Integer> left, Collection<Integer> right, Duration duration) {
    return locked(
        () -> {
          SimPartition partition = partition(left, right);
          clock.at(clock.now() + duration.toNanos(), partition::heal);
          return partition;
        });
  }

  /** Called without the lock. */
  void heal(SimPartition partition) {
    locked(
        () -> {
          clock.remove(partition);
          return null;
        });
  }

  /**
   * Lets one thread drive very many ranks: polls only those that something is due for, after moving
   * the clock on if there are none or if the previous step delivered nothing.
   *
   * @param poll called with each such rank; it should poll its devices
   * @return false if nothing is due and nothing is under way
   */
  public boolean step(IntConsumer poll) {
    Set<Integer> ranks =
        locked(
            () -> {
              clock.settle();
              boolean more = (!due.isEmpty() && deliveries != stepDeliveries) || clock.advance();
              while (more && due.isEmpty()) {
                more = clock.advance();
              }
              stepDeliveries = deliveries;
              Set<Integer> found = new LinkedHashSet<>();
              due.forEach(port -> found.add(port.rank));
              return found;
            });
    ranks.forEach(poll::accept);
    return !ranks.isEmpty();
  }

  int checkRank(int rank) {
    return Objects.checkIndex(rank, options.ranks());
  }

  /** Does something under the fabric's lock. */
  <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** The devices of a rank that anyone has asked for. */
  List<SimPort> ports(int rank) {
    return ports.get(rank);
  }

  @Nullable SimContext context(int rank) {
    return contexts[rank];
  }

  SimPort port(int rank, int index) {
    List<SimPort> own = ports.get(rank);
    while (own.size() <= index) {
      SimPort port = new SimPort(this, rank, own.size());
      own.add(port);
      deaths.tell(port);
    }
    return own.get(index);
  }

  boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /**
   * Charges a rank the overhead of one message, and answers when it is done with it, in
   * nanoseconds.
   */
  long charge(int rank) {
    busyUntil[rank] = Math.max(clock.now(), busyUntil[rank]) + options.cost().overhead().toNanos();
    return busyUntil[rank];
  }

  /** A device has nothing to deliver: see the class comment. */
  void passTime(SimPort port) {
    if (due.isEmpty() || port.idleAt == clock.now()) {
      clock.advance();
    }
  }
}
