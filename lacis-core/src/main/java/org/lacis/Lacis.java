package org.lacis;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.engine.Engine;

/**
 * The runtime: this process as one rank of a job, with the default resources that operations use.
 *
 * <pre>{@code
 * void main() {
 *   try (var lacis = Lacis.open()) {
 *     IO.println("rank " + lacis.rank() + " of " + lacis.size());
 *     lacis.barrier();
 *   }
 * }
 * }</pre>
 *
 * <p>Several may be open in one process, independent of each other; all ranks open theirs in the
 * same order. Everything here may be used by any thread, platform or virtual.
 */
public interface Lacis extends Poster, AutoCloseable {

  /** The largest tag. */
  int MAX_TAG = (1 << 30) - 1;

  /**
   * The rank of a receive that takes messages of any sender: by an {@linkplain
   * MatchingOptions#ordered() ordered} matching engine, or with {@link MatchingPolicy#TAG_ONLY}.
   */
  int ANY_SOURCE = -2;

  /**
   * The tag of a receive that takes messages of any tag, by an {@linkplain
   * MatchingOptions#ordered() ordered} matching engine.
   */
  int ANY_TAG = -3;

  /**
   * Opens the runtime with {@link LacisOptions#defaults()}. Collective.
   *
   * @throws LacisException if that is not possible, with the reason
   */
  static Lacis open() {
    return open(LacisOptions.defaults());
  }

  /**
   * Opens the runtime. Collective: waits for all ranks of the job.
   *
   * @param options how
   * @throws LacisException if that is not possible, with the reason
   */
  static Lacis open(LacisOptions options) {
    return Engine.open(options);
  }

  /** This process, 0 to {@code size() - 1}. */
  int rank();

  /** How many ranks the job has. */
  int size();

  /** How it was opened. */
  LacisOptions options();

  /** The name of the network in use, such as {@code shm}. */
  String network();

  /** How the network moves data here, and why so, for people to read. */
  String networkDetails();

  /**
   * The longest message that is sent without waiting for the receiver, in bytes; longer ones go
   * without a copy.
   */
  int eagerLimit();

  /**
   * The longest message that travels inside a frame, in bytes; its send is always {@link Post#DONE}
   * or a retry.
   */
  int injectLimit();

  /**
   * The longest {@linkplain BufferList#withPiggyback piggyback} of a list that is sent with packets
   * of the default pool, in bytes.
   *
   * @param parts how many parts the list has, 0 to {@link BufferList#MAX_PARTS}
   * @return the limit; negative if a packet has no room for so many parts
   */
  int piggybackLimit(int parts);

  /** What this runtime is and how it is doing, for people to read. */
  Info info();

  /**
   * What is under way here, to explain a program that hangs: threads that have waited for a while,
   * and what for; graphs and collectives; operations that are not complete, receives and messages
   * that have not met, and the backlog, each with its peer, tag, length, completion object and age,
   * the oldest ones first; what was counted; packets in use; ranks that are gone.
   *
   * <p>Any thread may call it at any time. It takes no lock that others wait for, so that its parts
   * may not fit together exactly. Ages are read off a clock that progress and waiting move: of
   * something posted after a long time without either, the age has that time in it too.
   *
   * @return lines of text, for people to read
   */
  String dump();

  /** The default device. */
  Device device();

  /**
   * Allocates another device. Collective: waits for all ranks. While it does, this rank makes no
   * progress on this thread.
   *
   * @throws CommunicationException with {@link ErrorKind#PEER_GONE} and its rank if one has failed
   * @throws LacisException if it is not possible for another reason
   */
  Device newDevice();

  /**
   * Allocates another device with a name, as {@link #newDevice()} does.
   *
   * @param name for people: found in its {@link Device#info}; ranks may differ
   */
  Device newDevice(String name);

  /** The default matching engine. */
  MatchingEngine matchingEngine();

  /**
   * Allocates another matching engine. Every rank does so in the same order, and need not wait for
   * others: the first one here meets the first one there, and so on. {@link
   * org.lacis.collective.Collectives} have one of them.
   */
  MatchingEngine newMatchingEngine(MatchingOptions options);

  /**
   * Allocates another matching engine with a name. Every rank does so in the same order.
   *
   * @param name for people: found in its {@link MatchingEngine#info}; ranks may differ
   */
  MatchingEngine newMatchingEngine(String name, MatchingOptions options);

  /** The default packet pool. */
  PacketPool packetPool();

  /**
   * Allocates another packet pool.
   *
   * @throws LacisException if there is not enough shared memory left
   */
  PacketPool newPacketPool(PoolOptions options);

  /**
   * Allocates another packet pool with a name.
   *
   * @param name for people: found in its {@link PacketPool#info}
   * @throws LacisException if there is not enough shared memory left
   */
  PacketPool newPacketPool(String name, PoolOptions options);

  /** Allocates a completion queue of the {@linkplain LacisOptions#queueCapacity usual} capacity. */
  default CompletionQueue newCompletionQueue() {
    return newCompletionQueue(options().queueCapacity());
  }

  /**
   * Allocates a bounded completion queue.
   *
   * @param capacity a power of two from 2 to 2<sup>24</sup>
   */
  CompletionQueue newCompletionQueue(int capacity);

  /** Allocates a completion queue. */
  CompletionQueue newCompletionQueue(QueueOptions options);

  /**
   * Allocates a completion queue of the {@linkplain LacisOptions#queueCapacity usual} capacity with
   * a name.
   *
   * @param name for people: found in its {@link CompletionQueue#info}
   */
  default CompletionQueue newCompletionQueue(String name) {
    return newCompletionQueue(name, QueueOptions.bounded(options().queueCapacity()));
  }

  /**
   * Allocates a completion queue with a name.
   *
   * @param name for people: found in its {@link CompletionQueue#info}
   */
  CompletionQueue newCompletionQueue(String name, QueueOptions options);

  /** Allocates a synchronizer for one signal. */
  default Synchronizer newSynchronizer() {
    return newSynchronizer(1);
  }

  /**
   * Allocates a synchronizer.
   *
   * @param threshold how many signals make it fire, at least 1
   */
  Synchronizer newSynchronizer(int threshold);

  /**
   * Allocates a synchronizer for one signal with a name.
   *
   * @param name for people: found in its {@link Synchronizer#info}
   */
  default Synchronizer newSynchronizer(String name) {
    return newSynchronizer(name, 1);
  }

  /**
   * Allocates a synchronizer with a name.
   *
   * @param name for people: found in its {@link Synchronizer#info}
   * @param threshold how many signals make it fire, at least 1
   */
  Synchronizer newSynchronizer(String name, int threshold);

  /** Allocates a counter. */
  Counter newCounter();

  /**
   * Allocates a counter with a name.
   *
   * @param name for people: found in its {@link Counter#info}
   */
  Counter newCounter(String name);

  /** Allocates a completion graph. */
  Graph newGraph();

  /**
   * Allocates a completion graph with a name.
   *
   * @param name for people: found in its errors and pictures
   */
  Graph newGraph(String name);

  /**
   * Registers a completion object that peers may name. Handlers, queues, synchronizers, counters,
   * graphs, futures and classes of your own all do; a {@link CompletionQueue} that is full holds
   * its senders back.
   */
  RemoteCompletion register(Completion completion);

  /** Ends a registration: messages that come later for it are dropped and logged. */
  void deregister(RemoteCompletion completion);

  /**
   * Lets peers read or write memory.
   *
   * @param segment native, mapped or heap memory; the program keeps it alive until the region is
   *     closed
   * @param rights what peers may do
   * @throws LacisException if there are too many: a rank has at most 65,536 at once, with those
   *     that long messages take while they are under way
   */
  Region register(MemorySegment segment, Rights rights);

  /**
   * Lets peers read or write memory, as a region with a name.
   *
   * @param name for people: found in its {@link Region#info}
   * @param segment as above
   * @param rights what peers may do
   * @throws LacisException as above
   */
  Region register(String name, MemorySegment segment, Rights rights);

  /**
   * Gives memory that is registered and reachable in the quickest way, zeroed.
   *
   * @param bytes how much, at least 1
   * @throws LacisException if there is not so much left of {@link LacisOptions#sharedBytes}
   */
  default Region allocate(long bytes) {
    return allocate(bytes, 1);
  }

  /**
   * As {@link #allocate(long)}, at a multiple of an alignment.
   *
   * @param bytes how much, at least 1
   * @param alignment a power of two from 1 to 4096; it begins at a cache line in any case
   * @throws LacisException if there is not so much left of {@link LacisOptions#sharedBytes}
   */
  Region allocate(long bytes, int alignment);

  /**
   * As {@link #allocate(long, int)}, as a region with a name.
   *
   * @param name for people: found in its {@link Region#info}
   * @param bytes how much, at least 1
   * @param alignment a power of two from 1 to 4096; it begins at a cache line in any case
   * @throws LacisException if there is not so much left of {@link LacisOptions#sharedBytes}
   */
  Region allocate(String name, long bytes, int alignment);

  /**
   * Opens memory of a rank on this machine, to be read and written as if it were one's own: over
   * shm, what that rank has from {@link #allocate}.
   *
   * @param region whose memory, and which; this rank's own, too
   * @return null if this process cannot touch that memory, and puts and gets are needed to reach
   *     it; or if its owner has closed the region
   * @throws IllegalArgumentException if the region belongs to another job or runtime
   */
  @Nullable PeerMemory map(RemoteRegion region);

  /**
   * Makes progress on every device of this runtime.
   *
   * @return how many things were done
   */
  int progress();

  /**
   * Has a handler told of ranks that fail: that die, or give no sign of life for the {@linkplain
   * LacisOptions#detection detection time}. It is called once for each, of those that have failed
   * before at once, of others from within progress, and like a {@link Handler} it may post, but
   * must not wait. Ranks that close their runtime in good order have not failed.
   *
   * <p>With or without a handler, operations with a rank that is gone fail, posting to it is
   * refused, and so are {@link #barrier()}, {@link #globalFence()} and collectives that need it:
   * survivors go on in a group of their own. A rank that has failed stays so. Nothing can be opened
   * together with it any more, devices included.
   *
   * @param handler it takes the place of the one before
   */
  void onPeerFailure(Consumer<PeerFailure> handler);

  /**
   * Whether a rank is known to be gone: it has failed, or has closed its runtime in good order.
   * That is found out by progress; a handler given to {@link #onPeerFailure} hears of failures, and
   * finds the rank gone here. Who is gone stays so. Any thread may ask, at any time.
   *
   * @param rank from 0 to {@link #size()} - 1
   */
  boolean isGone(int rank);

  /**
   * Whether a rank is known to have failed, as a handler given to {@link #onPeerFailure} is told.
   * One that {@linkplain #isGone is gone} and has not failed has closed its runtime in good order,
   * as far as is known. Any thread may ask, at any time.
   *
   * @param rank from 0 to {@link #size()} - 1
   */
  boolean hasFailed(int rank);

  /**
   * What to do in a loop around {@link #progress()} when there was nothing to do; made for this
   * many ranks and cores.
   */
  Idle newIdle();

  /**
   * As {@link Device#fence()}, for all devices.
   *
   * @throws LacisException if the runtime is closed meanwhile
   */
  void fence();

  /**
   * As {@link Device#fence(Duration)}, for all devices.
   *
   * @param limit how long to wait
   * @return whether everything was complete in time
   */
  boolean fence(Duration limit);

  /**
   * Waits until everything that any rank has started before its call is complete at both ends: puts
   * can be read, active messages have been handed to their completion objects, sends are with their
   * receives, or, if they are not longer than {@link #eagerLimit}, wait for them: a longer one is
   * not complete before its receive is posted, and holds all ranks up until then. All ranks call
   * it, with the same number of devices; one thread of each at a time. What handlers start
   * meanwhile is not waited for. It is a barrier too: when it returns, every rank has called it.
   *
   * <p>An active message for a name that its target has not {@linkplain #register registered} yet
   * is not handed over: it waits there for the registration, and is not waited for, unless it is
   * longer than that.
   *
   * <p>A {@linkplain QueueOptions#bounded bounded} queue that is full and that nobody empties
   * meanwhile holds all ranks up.
   *
   * @throws CommunicationException if a rank is gone
   * @throws LacisException if the runtime is closed meanwhile
   */
  void globalFence();

  /**
   * Waits until every rank is here, making progress meanwhile. Collective; one at a time. It says
   * nothing of messages sent before, which may still be under way.
   *
   * @throws CommunicationException if a peer is gone
   */
  void barrier();

  /**
   * Ends everything that belongs to this runtime. Waits for nobody: ranks that still talk to this
   * one find it gone, so end with a {@link #barrier()} or a protocol of your own. Operations still
   * under way fail with {@link ErrorKind#CLOSED}. Devices, pools, matching engines, regions, queues
   * and graphs end with it: to close them is for those who need them no longer before that. Closing
   * twice does nothing.
   */
  @Override
  void close();
}
