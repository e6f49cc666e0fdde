package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.testkit.NetworkData.Kind;
import org.lacis.testkit.NetworkRecorder.Arrival;

/** Puts and gets that are allowed: the bytes, the notification, the completion. */
public interface NetworkTransfers extends NetworkSuite {

  /** A megabyte and a bit. */
  int LARGE = (1 << 20) + 3;

  /**
   * Both directions, all kinds of memory, all sizes, odd offsets; what is around stays as it was.
   */
  @ByRanks
  default void putsAndGetsMoveEverySizeBetweenAllKindsOfMemory(int ranks) {
    int[] sizes = {0, 1, 7, 8, 9, 63, 64, 65, 4095, 4096, 65_537, LARGE};
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      for (Kind near : Kind.values()) {
        for (Kind far : Kind.values()) {
          for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] <= rig.context(0).transferLimit()) {
              MemorySegment local = NetworkData.memory(near, sizes[i] + 64, rig.context(0));
              MemorySegment remote = NetworkData.memory(far, sizes[i] + 64, rig.context(to));
              move(rig, to, local, remote, sizes[i], i % 3 * 5, i % 2 * 9);
              free(rig.context(0), near, local);
              free(rig.context(to), far, remote);
            }
          }
        }
      }
      rig.pumpOn();
      assertThat(rig.sink(to).arrivals).as("messages, though h0 was 0").isEmpty();
    }
  }

  /** A rank may reach its own memory like that of others. */
  @ByRanks
  default void aRankPutsToAndGetsFromItself(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      for (Kind far : Kind.values()) {
        MemorySegment local = NetworkData.memory(Kind.NATIVE, LARGE + 64, rig.context(0));
        MemorySegment remote = NetworkData.memory(far, LARGE + 64, rig.context(0));
        move(rig, 0, local, remote, 100, 3, 7);
        move(rig, 0, local, remote, LARGE, 1, 0);
        free(rig.context(0), far, remote);
      }
    }
  }

  /** What is done at once is all there, or else nothing of it, and never without the right. */
  @ByRanks
  default void whatIsMovedAtOnceIsAllThereAndWhatIsNotLeavesNothing(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      for (int to : new int[] {0, rig.last()}) {
        for (Kind near : Kind.values()) {
          for (Kind far : Kind.values()) {
            MemorySegment local = NetworkData.memory(near, LARGE, rig.context(0));
            MemorySegment remote = NetworkData.memory(far, LARGE, rig.context(to));
            for (int size : new int[] {0, 1, 8, 100, 4096, LARGE - 10}) {
              moveAtOnce(rig, to, local, remote, size);
            }
            free(rig.context(0), near, local);
            free(rig.context(to), far, remote);
          }
        }
      }
    }
  }

  private static void moveAtOnce(
      NetworkRig rig, int to, MemorySegment local, MemorySegment remote, int size) {
    NetContext owner = rig.context(to);
    NetDevice device = rig.device(0);
    byte[] none = {};
    byte[] sent = NetworkData.bytes(size, size);
    local.fill((byte) 1);
    remote.fill((byte) 2);
    NetworkData.fill(local, 3, sent);
    long key = owner.register(remote, 2, size, NetContext.WRITE);
    assertThat(device.move(false, to, local, 3, size, key, 0)).isEqualTo(NetDevice.BUSY);
    assertThat(device.move(true, to, local, 3, size + 1, key, 0)).isEqualTo(NetDevice.BUSY);
    assertThat(device.move(true, to, local, 3, size, key, 1)).isEqualTo(NetDevice.BUSY);
    assertThat(device.move(true, to, local, 3, size, key + 1, 0)).isEqualTo(NetDevice.BUSY);
    expect(local, 3, sent, (byte) 1);
    expect(remote, 0, none, (byte) 2);
    boolean put = device.move(true, to, local, 3, size, key, 0) == NetDevice.OK;
    expect(remote, 2, put ? sent : none, (byte) 2);
    assertThat(owner.deregister(key)).isTrue();
    assertThat(device.move(true, to, local, 3, size, key, 0)).isEqualTo(NetDevice.BUSY);

    byte[] fetched = NetworkData.bytes(~size, size);
    NetworkData.fill(remote, 2, fetched);
    key = owner.register(remote, 2, size, NetContext.READ);
    assertThat(device.move(true, to, local, 3, size, key, 0)).isEqualTo(NetDevice.BUSY);
    expect(remote, 2, fetched, (byte) 2);
    local.fill((byte) 3);
    boolean got = device.move(false, to, local, 4, size, key, 0) == NetDevice.OK;
    assertThat(got).as("a get at once, as a put was").isEqualTo(put);
    expect(local, 4, got ? fetched : none, (byte) 3);
    assertThat(owner.deregister(key)).isTrue();
  }

  /** Gives memory back that was allocated. */
  static void free(NetContext context, Kind kind, MemorySegment memory) {
    if (kind == Kind.ALLOCATED) {
      context.free(memory.address(), memory.byteSize());
    }
  }

  private static void move(
      NetworkRig rig,
      int to,
      MemorySegment local,
      MemorySegment remote,
      int size,
      int nearOffset,
      int farOffset) {
    String what = size + " bytes from or to " + to;
    long key =
        rig.context(to)
            .register(remote, 2, remote.byteSize() - 2, NetContext.READ | NetContext.WRITE);
    assertThat(key).isNotZero();
    byte[] sent = NetworkData.bytes(size, size);
    local.fill((byte) 1);
    remote.fill((byte) 2);
    NetworkData.fill(local, nearOffset, sent);
    int put =
        rig.transfer(
            0,
            "a put of " + what,
            c ->
                rig.device(0)
                    .put(to, local.asReadOnly(), nearOffset, size, key, farOffset, 0, 0, c));
    assertThat(put).as("put of %s", what).isEqualTo(NetDevice.OK);
    expect(remote, 2 + farOffset, sent, (byte) 2);

    byte[] fetched = NetworkData.bytes(~size, size);
    NetworkData.fill(remote, 2 + farOffset, fetched);
    local.fill((byte) 3);
    int get =
        rig.transfer(
            0,
            "a get of " + what,
            c -> rig.device(0).get(to, local, nearOffset, size, key, farOffset, 0, 0, c));
    assertThat(get).as("get of %s", what).isEqualTo(NetDevice.OK);
    expect(local, nearOffset, fetched, (byte) 3);
    assertThat(rig.context(to).deregister(key)).isTrue();
  }

  private static void expect(MemorySegment memory, long offset, byte[] bytes, byte around) {
    byte[] all = new byte[(int) memory.byteSize()];
    MemorySegment expected = MemorySegment.ofArray(all).fill(around);
    NetworkData.fill(expected, offset, bytes);
    assertThat(expected.mismatch(memory))
        .as("first wrong byte of %d at offset %d", bytes.length, offset)
        .isEqualTo(-1);
  }

  /** Who is told of a put finds the data. */
  @ByRanks
  default void aNotificationComesAfterTheData(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      int count = 0;
      for (Kind far : Kind.values()) {
        for (int size : new int[] {0, 8, 100, 4096, LARGE}) {
          MemorySegment remote = NetworkData.memory(far, size + 1, rig.context(to));
          MemorySegment local = MemorySegment.ofArray(NetworkData.bytes(size, size));
          long key = rig.context(to).register(remote, 0, size, NetContext.WRITE);
          rig.sink(to).takes =
              arrival -> {
                assertThat(NetworkData.read(remote, 0, size))
                    .isEqualTo(NetworkData.read(local, 0, size));
                return true;
              };
          int h1 = ++count;
          assertThat(
                  rig.transfer(
                      0, "a put", c -> rig.device(0).put(to, local, 0, size, key, 0, -5, h1, c)))
              .isEqualTo(NetDevice.OK);
          rig.untilArrived(to, count);
          Arrival arrival = rig.sink(to).arrivals.getLast();
          assertThat(arrival.source()).isZero();
          assertThat(arrival.h0()).isEqualTo(-5);
          assertThat(arrival.h1()).isEqualTo(h1);
          assertThat(arrival.bytes().byteSize()).isZero();
          rig.context(to).deregister(key);
          free(rig.context(to), far, remote);
        }
      }
    }
  }

  /** Who is told of a get may overwrite what was read. */
  @ByRanks
  default void theNotificationOfAGetComesAfterTheRead(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      int count = 0;
      for (Kind far : Kind.values()) {
        for (int size : new int[] {8, 4096, LARGE}) {
          MemorySegment remote = NetworkData.memory(far, size, rig.context(to));
          NetworkData.fill(remote, 0, NetworkData.bytes(size, size));
          MemorySegment local = MemorySegment.ofArray(new byte[size]);
          long key = rig.context(to).register(remote, 0, size, NetContext.READ);
          rig.sink(to).takes =
              arrival -> {
                remote.fill((byte) 0);
                return true;
              };
          int h1 = ++count;
          assertThat(
                  rig.transfer(
                      0, "a get", c -> rig.device(0).get(to, local, 0, size, key, 0, 6, h1, c)))
              .isEqualTo(NetDevice.OK);
          rig.untilArrived(to, count);
          assertThat(NetworkData.read(local, 0, size)).isEqualTo(NetworkData.bytes(size, size));
          assertThat(rig.sink(to).arrivals.getLast().h0()).isEqualTo(6);
          assertThat(rig.sink(to).arrivals.getLast().h1()).isEqualTo(h1);
          rig.context(to).deregister(key);
          free(rig.context(to), far, remote);
        }
      }
    }
  }

  /** Header words of notifications are the user's too. */
  @ByRanks
  default void headerWordsOfNotificationsArriveWhateverTheyAre(int ranks, RandomGenerator random) {
    MemorySegment local = MemorySegment.ofArray(new byte[8]);
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      long key =
          rig.context(to)
              .register(Arena.ofAuto().allocate(8), 0, 8, NetContext.READ | NetContext.WRITE);
      int count = 0;
      for (long h0 : new long[] {1, -1, 1L << 32, Long.MIN_VALUE, random.nextLong() | 1}) {
        for (long h1 : new long[] {0, -1, 1L << 32, Long.MIN_VALUE, random.nextLong()}) {
          for (boolean put : new boolean[] {true, false}) {
            int result =
                rig.transfer(
                    0,
                    "a transfer",
                    c ->
                        put
                            ? rig.device(0).put(to, local, 0, 8, key, 0, h0, h1, c)
                            : rig.device(0).get(to, local, 0, 8, key, 0, h0, h1, c));
            assertThat(result).isEqualTo(NetDevice.OK);
            rig.untilArrived(to, ++count);
            assertThat(rig.sink(to).arrivals.getLast().h0()).isEqualTo(h0);
            assertThat(rig.sink(to).arrivals.getLast().h1()).isEqualTo(h1);
          }
        }
      }
    }
  }

  /** Many at a time: each ends once, with its own cookie, and local memory is free from then on. */
  @ByRanks
  default void manyTransfersAreUnderWayAtOnceAndEachEndsOnce(int ranks) {
    int count = 150;
    int size = 3000;
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      MemorySegment remote = Arena.ofAuto().allocate((long) count * size);
      long key =
          rig.context(to)
              .register(remote, 0, remote.byteSize(), NetContext.READ | NetContext.WRITE);
      Map<Long, MemorySegment> pending = new HashMap<>();
      for (int i = 0; i < count; i++) {
        MemorySegment local = MemorySegment.ofArray(NetworkData.bytes(i, size));
        long at = (long) i * size;
        long cookie = i == 0 ? 0 : i == 1 ? Long.MIN_VALUE : i == 2 ? -1 : i;
        int answer =
            rig.insist("a put", () -> rig.device(0).put(to, local, 0, size, key, at, 0, 0, cookie));
        if (answer == NetDevice.PENDING) {
          pending.put(cookie, local);
        } else {
          assertThat(answer).isEqualTo(NetDevice.OK);
          local.fill((byte) 0);
        }
        reuse(rig, pending);
      }
      rig.until(
          "all puts",
          () -> {
            reuse(rig, pending);
            return pending.isEmpty();
          });
      for (int i = 0; i < count; i++) {
        assertThat(NetworkData.read(remote, (long) i * size, size))
            .as("put %d", i)
            .isEqualTo(NetworkData.bytes(i, size));
      }
    }
  }

  private static void reuse(NetworkRig rig, Map<Long, MemorySegment> pending) {
    rig.sink(0)
        .completions
        .forEach(
            (cookie, result) -> {
              assertThat(result).isEqualTo(NetDevice.OK);
              MemorySegment local = pending.remove(cookie);
              if (local != null) {
                local.fill((byte) 0);
              }
            });
  }
}
