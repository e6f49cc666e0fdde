package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.testkit.NetworkData.Kind;

/**
 * Puts and gets that are not allowed: they fail, touch nothing, tell no one, and nothing else
 * breaks.
 */
public interface NetworkAccess extends NetworkSuite {

  /**
   * The range registered in these tests, with as much before and after it that must stay as it is.
   */
  int RANGE = 256;

  /** A key has the rights it was made with. */
  @ByRanks
  default void aKeyAllowsWhatItWasRegisteredFor(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      for (Kind kind : Kind.values()) {
        var victim = new Victim(rig, kind, NetContext.READ);
        victim.refuses(true, victim.key, 0, 8);
        assertThat(victim.access(false, victim.key, 0, 8)).isEqualTo(NetDevice.OK);
        victim = new Victim(rig, kind, NetContext.WRITE);
        victim.refuses(false, victim.key, 0, 8);
        assertThat(victim.access(true, victim.key, 0, 8)).isEqualTo(NetDevice.OK);
      }
    }
  }

  /** Nothing outside the registered range is reached. */
  @ByRanks
  default void aKeyReachesItsRangeAndNothingElse(int ranks) {
    long[][] outside = {
      {RANGE - 7, 8},
      {RANGE, 1},
      {RANGE + 1, 0},
      {0, RANGE + 1},
      {-1, 1},
      {-8, 8},
      {-1, 0},
      {Long.MAX_VALUE, 1},
      {Long.MAX_VALUE - 3, 8},
      {Long.MIN_VALUE, 8},
      {Long.MIN_VALUE, 0},
      {1L << 32, 8},
      {-(1L << 32), 8}
    };
    try (var rig = new NetworkRig(open(ranks))) {
      for (Kind kind : Kind.values()) {
        var victim = new Victim(rig, kind, NetContext.READ | NetContext.WRITE);
        for (long[] range : outside) {
          victim.refuses(true, victim.key, range[0], (int) range[1]);
          victim.refuses(false, victim.key, range[0], (int) range[1]);
        }
        for (int[] range : new int[][] {{0, RANGE}, {RANGE - 1, 1}, {RANGE, 0}, {0, 0}}) {
          assertThat(victim.access(true, victim.key, range[0], range[1])).isEqualTo(NetDevice.OK);
          assertThat(victim.access(false, victim.key, range[0], range[1])).isEqualTo(NetDevice.OK);
        }
      }
    }
  }

  /** Keys cannot be made up. */
  @ByRanks
  default void aKeyThatWasNeverGivenIsRefused(int ranks, RandomGenerator random) {
    try (var rig = new NetworkRig(open(ranks))) {
      var victim = new Victim(rig, Kind.NATIVE, NetContext.READ | NetContext.WRITE);
      List<Long> keys =
          new ArrayList<>(
              List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 0xFFFFL, ~victim.key));
      for (int bit = 0; bit < Long.SIZE; bit++) {
        keys.add(victim.key ^ (1L << bit));
      }
      random.longs(50).forEach(keys::add);
      for (long key : keys) {
        victim.refuses(true, key, 0, 8);
        victim.refuses(false, key, 0, 8);
      }
      assertThat(victim.access(true, victim.key, 0, 8)).isEqualTo(NetDevice.OK);
    }
  }

  /** A key is of one rank. */
  @ByRanks
  default void theKeyOfOneRankIsNotTheKeyOfAnother(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      var victim = new Victim(rig, Kind.ALLOCATED, NetContext.READ | NetContext.WRITE);
      MemorySegment other = NetworkData.memory(Kind.ALLOCATED, RANGE, rig.context(0));
      long key = rig.context(0).register(other, 0, RANGE, NetContext.READ | NetContext.WRITE);
      if (key != victim.key) {
        victim.refuses(true, key, 0, 8);
        victim.refuses(false, key, 0, 8);
      }
    }
  }

  /** What is deregistered is out of reach, also if something else is registered since. */
  @ByRanks
  default void aDeregisteredKeyIsRefused(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      for (Kind kind : Kind.values()) {
        var victim = new Victim(rig, kind, NetContext.READ | NetContext.WRITE);
        assertThat(victim.access(true, victim.key, 0, 8)).isEqualTo(NetDevice.OK);
        NetContext owner = rig.context(rig.last());
        assertThat(owner.deregister(victim.key)).isTrue();
        assertThat(owner.deregister(victim.key)).isFalse();
        victim.refuses(true, victim.key, 0, 8);
        long again = owner.register(victim.memory, RANGE, RANGE, NetContext.READ);
        assertThat(again).isNotIn(0L, victim.key);
        victim.refuses(true, victim.key, 0, 8);
        victim.refuses(false, victim.key, 0, 8);
        assertThat(victim.access(false, again, 0, 8)).isEqualTo(NetDevice.OK);
        assertThat(owner.deregister(again)).isTrue();
      }
      assertThat(rig.context(0).deregister(0)).isFalse();
      assertThat(rig.context(0).deregister(12345)).isFalse();
    }
  }

  /** Many registrations: all different, never 0 unless the table is full, and then for now only. */
  @ByRanks
  default void keysAreDifferentAndAFullTableAnswersZeroForNow(int ranks) {
    MemorySegment memory = MemorySegment.ofArray(new byte[RANGE]);
    try (var rig = new NetworkRig(open(ranks))) {
      NetContext context = rig.context(0);
      List<Long> keys = new ArrayList<>();
      for (long key = context.register(memory, 0, 8, NetContext.READ);
          key != 0 && keys.size() < 100_000; ) {
        keys.add(key);
        key = context.register(memory, 0, 8, NetContext.READ);
      }
      assertThat(keys).hasSizeGreaterThanOrEqualTo(100).doesNotHaveDuplicates();
      assertThat(context.deregister(keys.get(50))).isTrue();
      long key = context.register(memory, 0, 8, NetContext.READ);
      assertThat(key).isNotZero().isNotEqualTo(keys.get(50));
      keys.set(50, key);
      assertThat(keys).allMatch(context::deregister);
    }
  }

  /** Registered memory of the last rank, which rank 0 tries to reach. */
  final class Victim {
    private final NetworkRig rig;
    private final MemorySegment memory;
    private final long key;

    Victim(NetworkRig rig, Kind kind, int rights) {
      this.rig = rig;
      memory = NetworkData.memory(kind, 3 * RANGE, rig.context(rig.last()));
      key = rig.context(rig.last()).register(memory, RANGE, RANGE, rights);
      assertThat(key).isNotZero();
    }

    /** Puts or gets, with a notification, and answers the result. */
    int access(boolean put, long withKey, long offset, int length) {
      MemorySegment local = MemorySegment.ofArray(new byte[length]);
      int before = rig.sink(rig.last()).arrivals.size();
      int result =
          rig.transfer(
              0,
              put ? "a put" : "a get",
              cookie ->
                  put
                      ? rig.device(0)
                          .put(rig.last(), local, 0, length, withKey, offset, 9, 9, cookie)
                      : rig.device(0)
                          .get(rig.last(), local, 0, length, withKey, offset, 9, 9, cookie));
      if (result == NetDevice.OK) {
        rig.untilArrived(rig.last(), before + 1);
      }
      return result;
    }

    /** Tries to, and finds that nothing happened. */
    void refuses(boolean put, long withKey, long offset, int length) {
      int before = rig.sink(rig.last()).arrivals.size();
      byte[] content = NetworkData.read(memory, 0, memory.byteSize());
      assertThat(access(put, withKey, offset, length))
          .as(
              "%s of %d bytes at offset %d with key %x",
              put ? "put" : "get", length, offset, withKey)
          .isEqualTo(NetDevice.NO_ACCESS);
      rig.pump();
      assertThat(rig.sink(rig.last()).arrivals).as("messages").hasSize(before);
      assertThat(NetworkData.read(memory, 0, memory.byteSize())).isEqualTo(content);
    }
  }
}
