package org.lacis;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Network;
import org.lacis.settings.Settings;

/**
 * How a runtime is opened. Immutable; start from {@link #defaults()}, which knows what system
 * properties and environment variables say.
 *
 * @param name for people: found in {@link Lacis#info} and {@link Lacis#dump}; empty for none
 * @param networkName the network to use, such as {@code shm}; {@code auto} chooses
 * @param pool the runtime's own packet pool; its packet size is also the limit above which messages
 *     go without a copy
 * @param matching the runtime's own matching engine
 * @param ringCells how many messages may be under way from one rank to another on one device; a
 *     power of two
 * @param injectBytes how many bytes should fit inside a frame, at least; {@link Lacis#injectLimit}
 *     says how many do. Frames become longer with it, on shm two or four cache lines instead of one
 * @param sharedBytes the memory set aside for rings, packets and {@link Lacis#allocate}, at most
 *     511 GiB; it is only taken when it is used
 * @param queueCapacity how many completions a queue holds if nothing else is said; a power of two
 * @param backlogCapacity how many operations posted with {@code allowRetry(false)} a device keeps
 * @param openTimeout how long {@link Lacis#open} waits for the other ranks; a year at most
 * @param detection how long a peer may be without any sign of life, because it is stopped or cut
 *     off, before it counts as gone; a year at most, and the same at every rank. A peer that
 *     computes and calls nothing gives signs of life; one that dies is missed sooner
 * @param progressThread whether a thread of the runtime's own makes progress on all devices
 * @param counters whether posts, completions and messages inside a frame are counted too, see
 *     {@link Counters}
 * @param network a network of the program's own making, with who this rank is; null to find both
 */
public record LacisOptions(
    String name,
    String networkName,
    PoolOptions pool,
    MatchingOptions matching,
    int ringCells,
    int injectBytes,
    long sharedBytes,
    int queueCapacity,
    int backlogCapacity,
    Duration openTimeout,
    Duration detection,
    boolean progressThread,
    boolean counters,
    @Nullable OwnNetwork network) {

  /** The default of {@link #ringCells()}. */
  public static final int DEFAULT_RING_CELLS = Settings.RING_CELLS.fallback();

  /** The default of {@link #injectBytes()}: what the network likes best, 40 on shm. */
  public static final int DEFAULT_INJECT_BYTES = Settings.INJECT_BYTES.fallback();

  /** The default of {@link #sharedBytes()}, 1 GiB. */
  public static final long DEFAULT_SHARED_BYTES = Settings.SHARED_BYTES.fallback();

  /** The default of {@link #queueCapacity()}. */
  public static final int DEFAULT_QUEUE_CAPACITY = Settings.QUEUE_CAPACITY.fallback();

  /** The default of {@link #backlogCapacity()}. */
  public static final int DEFAULT_BACKLOG_CAPACITY = Settings.BACKLOG_CAPACITY.fallback();

  /** The default of {@link #openTimeout()}, one minute. */
  public static final Duration DEFAULT_OPEN_TIMEOUT = Settings.OPEN_TIMEOUT.fallback();

  /** The default of {@link #detection()}, 10 seconds. */
  public static final Duration DEFAULT_DETECTION = Settings.DETECTION.fallback();

  /**
   * A network that the program brings along.
   *
   * @param network the network
   * @param exchange who this rank is, and how addresses are exchanged
   */
  public record OwnNetwork(Network network, Network.Exchange exchange) {}

  /** Checks the values. */
  public LacisOptions {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(networkName, "networkName");
    Objects.requireNonNull(pool, "pool");
    Objects.requireNonNull(matching, "matching");
    Objects.requireNonNull(openTimeout, "openTimeout");
    Objects.requireNonNull(detection, "detection");
    Settings.RING_CELLS.check(ringCells);
    Settings.INJECT_BYTES.check(injectBytes);
    Settings.QUEUE_CAPACITY.check(queueCapacity);
    Settings.SHARED_BYTES.check(sharedBytes);
    Settings.BACKLOG_CAPACITY.check(backlogCapacity);
    Settings.OPEN_TIMEOUT.check(openTimeout);
    Settings.DETECTION.check(detection);
  }

  /**
   * What {@link Lacis#open()} uses: each option as its system property says ({@code
   * lacis.ring-cells}), or else its environment variable ({@code LACIS_RING_CELLS}), or else the
   * documented default. They are looked at by every call. What the program sets afterwards wins.
   *
   * @throws IllegalArgumentException if one of them has a value that is not allowed, with its name
   */
  public static LacisOptions defaults() {
    return new LacisOptions(
        Settings.NAME.value(),
        Settings.NET.value(),
        PoolOptions.defaults(),
        MatchingOptions.defaults(),
        Settings.RING_CELLS.value(),
        Settings.INJECT_BYTES.value(),
        Settings.SHARED_BYTES.value(),
        Settings.QUEUE_CAPACITY.value(),
        Settings.BACKLOG_CAPACITY.value(),
        Settings.OPEN_TIMEOUT.value(),
        Settings.DETECTION.value(),
        Settings.PROGRESS_THREAD.value(),
        Settings.COUNTERS.value(),
        null);
  }

  /** The same with a name, for people. */
  public LacisOptions withName(String name) {
    return with(draft -> draft.name = name);
  }

  /** The same with the network of that name. */
  public LacisOptions withNetwork(String name) {
    return with(draft -> draft.networkName = name);
  }

  /** The same on a network that the program brings along, such as a rank of the simulator. */
  public LacisOptions withNetwork(Network network, Network.Exchange exchange) {
    return with(
        draft -> {
          draft.networkName = network.name();
          draft.network = new OwnNetwork(network, exchange);
        });
  }

  /** The same with another packet pool. */
  public LacisOptions withPool(PoolOptions pool) {
    return with(draft -> draft.pool = pool);
  }

  /** The same with another matching engine. */
  public LacisOptions withMatching(MatchingOptions matching) {
    return with(draft -> draft.matching = matching);
  }

  /** The same with room for another number of messages from rank to rank. */
  public LacisOptions withRingCells(int ringCells) {
    return with(draft -> draft.ringCells = ringCells);
  }

  /** The same with room for so many bytes, 0 to 128, inside a frame, if the network can. */
  public LacisOptions withInjectBytes(int injectBytes) {
    return with(draft -> draft.injectBytes = injectBytes);
  }

  /** The same with more or less memory set aside, in bytes. */
  public LacisOptions withSharedBytes(long sharedBytes) {
    return with(draft -> draft.sharedBytes = sharedBytes);
  }

  /** The same with another default capacity of completion queues. */
  public LacisOptions withQueueCapacity(int queueCapacity) {
    return with(draft -> draft.queueCapacity = queueCapacity);
  }

  /** The same with another capacity of backlogs. */
  public LacisOptions withBacklogCapacity(int backlogCapacity) {
    return with(draft -> draft.backlogCapacity = backlogCapacity);
  }

  /** The same with another limit for opening. */
  public LacisOptions withOpenTimeout(Duration openTimeout) {
    return with(draft -> draft.openTimeout = openTimeout);
  }

  /** The same with another limit for the silence of peers. */
  public LacisOptions withDetection(Duration detection) {
    return with(draft -> draft.detection = detection);
  }

  /** The same with, or without, a progress thread. */
  public LacisOptions withProgressThread(boolean progressThread) {
    return with(draft -> draft.progressThread = progressThread);
  }

  /** The same with, or without, counts of everything in {@link Counters}. */
  public LacisOptions withCounters(boolean counters) {
    return with(draft -> draft.counters = counters);
  }

  private LacisOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
  }

  /** All values, to change some. */
  private static final class Draft {
    String name;
    String networkName;
    PoolOptions pool;
    MatchingOptions matching;
    int ringCells;
    int injectBytes;
    long sharedBytes;
    int queueCapacity;
    int backlogCapacity;
    Duration openTimeout;
    Duration detection;
    boolean progressThread;
    boolean counters;
    @Nullable OwnNetwork network;

    Draft(LacisOptions from) {
      name = from.name;
      networkName = from.networkName;
      pool = from.pool;
      matching = from.matching;
      ringCells = from.ringCells;
      injectBytes = from.injectBytes;
      sharedBytes = from.sharedBytes;
      queueCapacity = from.queueCapacity;
      backlogCapacity = from.backlogCapacity;
      openTimeout = from.openTimeout;
      detection = from.detection;
      progressThread = from.progressThread;
      counters = from.counters;
      network = from.network;
    }

    LacisOptions done() {
      return new LacisOptions(
          name,
          networkName,
          pool,
          matching,
          ringCells,
          injectBytes,
          sharedBytes,
          queueCapacity,
          backlogCapacity,
          openTimeout,
          detection,
          progressThread,
          counters,
          network);
    }
  }
}
