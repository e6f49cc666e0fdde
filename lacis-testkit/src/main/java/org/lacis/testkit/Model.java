package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lacis.Device;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.Region;
import org.lacis.Rights;

/**
 * What should happen in a job: everything that was posted arrives once, where it should, as it was.
 * Shared by the workers of all ranks; used by any thread.
 */
final class Model {

  /** Matching engines by policy CUSTOM look at the group of a number. */
  static final MatchingOptions MATCHING =
      MatchingOptions.defaults().withBuckets(64).withKey((rank, number) -> Parcel.group(number));

  /** The longest message whose receive may get another one. */
  static final int GROUP_BYTES = 4096;

  /** Bytes on either side of every buffer that nobody is to write to. */
  static final int FENCE = 8;

  static final int SLOT_BYTES = 16 << 10;
  static final int SLOTS = 8;

  private static final int DEVICES = 3;
  private static final int ENGINES = 3;

  final Job job;

  /** By number, then by rank. */
  final List<List<Device>> devices = new ArrayList<>();

  final List<List<MatchingEngine>> engines = new ArrayList<>();

  /** By rank. */
  final List<Region> regions = new ArrayList<>();

  final List<ModelTargets> targets = new ArrayList<>();

  /** By rank: sends whose receives are still to be posted there. */
  final List<Queue<Parcel>> orders = new ArrayList<>();

  final int workersPerRank;
  private final Map<Integer, Parcel> underWay = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Model(Job job, int workersPerRank) {
    this.job = job;
    this.workersPerRank = workersPerRank;
    devices.add(job.ranks().stream().map(lacis -> lacis.device()).toList());
    engines.add(job.ranks().stream().map(lacis -> lacis.matchingEngine()).toList());
    while (devices.size() < DEVICES) {
      devices.add(job.newDevices());
    }
    while (engines.size() < ENGINES) {
      engines.add(job.newMatchingEngines(MATCHING));
    }
    for (int rank = 0; rank < job.size(); rank++) {
      regions.add(region(rank));
      orders.add(new ConcurrentLinkedQueue<>());
      targets.add(new ModelTargets(this, rank));
    }
  }

  /** Slots for every worker, in memory of every kind. */
  private Region region(int rank) {
    int bytes = job.size() * workersPerRank * SLOTS * SLOT_BYTES;
    return switch (rank % 3) {
      case 0 -> job.rank(rank).allocate(bytes);
      case 1 -> job.rank(rank).register(Talk.memory(bytes), Rights.READ_WRITE);
      default -> job.rank(rank).register(MemorySegment.ofArray(new byte[bytes]), Rights.READ_WRITE);
    };
  }

  int nextNumber() {
    return numbers.incrementAndGet();
  }

  /** From now on it has to arrive. */
  void start(Parcel parcel) {
    underWay.put(parcel.number(), parcel);
  }

  /** What a status says has come. */
  Parcel find(int number, String where) {
    Parcel parcel = underWay.get(number);
    if (parcel == null) {
      throw new AssertionError(
          where + ": number " + number + " was never sent, or has arrived before");
    }
    return parcel;
  }

  /** It is where it should be. */
  void arrived(Parcel parcel) {
    if (!underWay.remove(parcel.number(), parcel)) {
      throw new AssertionError("it has arrived before: " + parcel);
    }
  }

  boolean isUnderWay(Parcel parcel) {
    return underWay.containsKey(parcel.number());
  }

  boolean isEmpty() {
    return underWay.isEmpty()
        && orders.stream().allMatch(Queue::isEmpty)
        && targets.stream().allMatch(ModelTargets::isQuiet);
  }

  /** Keeps what is thrown: the library would only log it. */
  void guard(Runnable check) {
    try {
      check.run();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Throws what was thrown first, if anything was. */
  void rethrow() {
    Throwable first = failure.get();
    if (first != null) {
      throw new AssertionError("a check has failed: " + first.getMessage(), first);
    }
  }

  void close() {
    targets.forEach(ModelTargets::close);
    rethrow();
    regions.forEach(Region::close);
  }

  @Override
  public String toString() {
    return underWay.size()
        + " under way, such as "
        + underWay.values().stream().limit(5).toList()
        + "; receives to be posted "
        + orders.stream().map(Queue::size).toList()
        + "; "
        + targets;
  }
}
