package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/** Puts and gets, over every way that moves bulk data and all kinds of memory. */
class ShmBulkTest {

  private static final int BYTES = 300_000;
  private static final int ALL = NetContext.READ | NetContext.WRITE;
  private static final long[] LENGTHS = {
    0, 1, 7, 8, 9, 63, 64, 65, 4095, 4097, 32768, 32769, 131072, 262147
  };

  /** Where memory may be. */
  enum Kind {
    SHARED,
    NATIVE,
    HEAP,
    LONGS;

    MemorySegment allocate(NetContext context) {
      return switch (this) {
        case SHARED -> context.view(context.allocate(BYTES, 64), BYTES);
        case NATIVE -> Arena.ofAuto().allocate(BYTES, 8);
        case HEAP -> MemorySegment.ofArray(new byte[BYTES]);
        case LONGS -> MemorySegment.ofArray(new long[BYTES / 8]);
      };
    }
  }

  static Stream<Arguments> allWays() {
    List<Arguments> all = new ArrayList<>();
    for (BulkMode mode : BulkMode.values()) {
      for (Kind local : Kind.values()) {
        for (Kind remote : Kind.values()) {
          all.add(Arguments.of(mode, local, remote));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("allWays")
  void everyLengthAndOffsetArrivesWhole(BulkMode mode, Kind localKind, Kind remoteKind) {
    long seed = Long.getLong("lacis.seed", System.nanoTime());
    var random = new Random(seed);
    try (var ranks = LocalRanks.open(2, mode)) {
      MemorySegment local = localKind.allocate(ranks.contexts[0]);
      MemorySegment remote = remoteKind.allocate(ranks.contexts[1]);
      long base = 16;
      long key = ranks.contexts[1].register(remote, base, BYTES - 32, ALL);
      for (long length : LENGTHS) {
        for (boolean put : new boolean[] {true, false}) {
          long offset = random.nextInt(1000);
          long keyOffset = random.nextInt(1000);
          fill(local, random);
          fill(remote, random);
          byte[] expectedLocal = local.toArray(ValueLayout.JAVA_BYTE);
          byte[] expectedRemote = remote.toArray(ValueLayout.JAVA_BYTE);
          if (put) {
            System.arraycopy(
                expectedLocal,
                (int) offset,
                expectedRemote,
                (int) (base + keyOffset),
                (int) length);
          } else {
            System.arraycopy(
                expectedRemote,
                (int) (base + keyOffset),
                expectedLocal,
                (int) offset,
                (int) length);
          }
          int result = complete(ranks, put, local, offset, length, key, keyOffset);
          String what =
              "%s of %d bytes from %d to %d, seed %d"
                  .formatted(put ? "put" : "get", length, offset, keyOffset, seed);
          assertThat(result).as(what).isEqualTo(NetDevice.OK);
          assertThat(local.mismatch(MemorySegment.ofArray(expectedLocal))).as(what).isEqualTo(-1);
          assertThat(remote.mismatch(MemorySegment.ofArray(expectedRemote))).as(what).isEqualTo(-1);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theNotificationComesAfterTheData(BulkMode mode) {
    for (Kind kind : Kind.values()) {
      try (var ranks = LocalRanks.open(2, mode)) {
        MemorySegment local = MemorySegment.ofArray(new byte[BYTES]);
        MemorySegment remote = kind.allocate(ranks.contexts[1]);
        local.fill((byte) 0x5a);
        long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
        List<Long> mismatches = new ArrayList<>();
        ranks.sinks[1].onMessage = () -> mismatches.add(remote.mismatch(local));
        int answer = ranks.devices[0].put(1, local, 0, BYTES, key, 0, 77, 78, 5);
        ranks.until("the notification", () -> !ranks.sinks[1].messages.isEmpty());
        ranks.until(
            "the completion",
            () -> answer == NetDevice.OK || !ranks.sinks[0].completions.isEmpty());
        assertThat(mismatches).containsExactly(-1L);
        var message = ranks.sinks[1].messages.getFirst();
        assertThat(message.h0()).isEqualTo(77);
        assertThat(message.h1()).isEqualTo(78);
        assertThat(message.payload()).isEmpty();
        assertThat(ranks.sinks[0].messages).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aGetNotifiesTheOwner(BulkMode mode) {
    try (var ranks = LocalRanks.open(2, mode)) {
      MemorySegment remote = Arena.ofAuto().allocate(BYTES, 8);
      remote.fill((byte) 3);
      MemorySegment local = Arena.ofAuto().allocate(BYTES, 8);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      int answer = ranks.devices[0].get(1, local, 0, BYTES, key, 0, 9, 0, 5);
      assertThat(answer).isNotNegative();
      ranks.until("the notification", () -> !ranks.sinks[1].messages.isEmpty());
      assertThat(local.mismatch(remote)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingHappensWhenThereIsNoRoomForTheNotification(BulkMode mode) {
    try (var ranks = LocalRanks.open(2, mode)) {
      MemorySegment remote = Kind.SHARED.allocate(ranks.contexts[1]);
      MemorySegment local = Arena.ofAuto().allocate(BYTES, 8);
      local.fill((byte) 1);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      while (ranks.devices[0].inject(1, 1, 0, local, 0, 0) == NetDevice.OK) {
        Thread.onSpinWait();
      }
      int answer = ranks.devices[0].put(1, local, 0, 64, key, 0, 2, 0, 5);
      if (mode == BulkMode.PIPELINE) {
        // Under way, and waits for room.
        assertThat(answer).isEqualTo(NetDevice.PENDING);
        ranks.poll(0);
        assertThat(ranks.sinks[0].completions).isEmpty();
      } else {
        assertThat(answer).isEqualTo(NetDevice.FULL);
        assertThat(remote.get(ValueLayout.JAVA_BYTE, 0)).isZero();
        ranks.poll(1);
        assertThat(ranks.devices[0].put(1, local, 0, 64, key, 0, 2, 0, 5)).isEqualTo(NetDevice.OK);
      }
      var messages = ranks.sinks[1].messages;
      ranks.until("the notification", () -> !messages.isEmpty() && messages.getLast().h0() == 2);
      assertThat(remote.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 1);
    }
  }

  @Test
  void aPipelineTakesSoManyTransfersAndNotMore() {
    try (var ranks = LocalRanks.open(3, BulkMode.PIPELINE)) {
      int bytes = 4096;
      MemorySegment local = Arena.ofAuto().allocate(bytes);
      var keys = new long[3];
      for (int rank = 1; rank < 3; rank++) {
        keys[rank] =
            ranks.contexts[rank].register(MemorySegment.ofArray(new byte[bytes]), 0, bytes, ALL);
      }
      for (int i = 0; i < Pipeline.CAPACITY; i++) {
        int peer = 1 + i % 2;
        assertThat(ranks.devices[0].put(peer, local, 0, bytes, keys[peer], 0, 1, i, i))
            .isEqualTo(NetDevice.PENDING);
      }
      assertThat(ranks.devices[0].put(1, local, 0, bytes, keys[1], 0, 0, 0, -1))
          .isEqualTo(NetDevice.NO_MEMORY);
      // A peer that does not poll does not keep the other from its transfers.
      for (int i = 0; i < 20_000; i++) {
        ranks.poll(0);
        ranks.poll(2);
      }
      assertThat(ranks.sinks[0].completions).hasSize(Pipeline.CAPACITY / 2);
      ranks.until("all transfers", () -> ranks.sinks[0].completions.size() == Pipeline.CAPACITY);
      assertThat(ranks.sinks[0].completions)
          .allMatch(completion -> completion.result() == NetDevice.OK);
      assertThat(ranks.sinks[1].messages).hasSize(Pipeline.CAPACITY / 2);
      assertThat(ranks.devices[0].put(1, local, 0, bytes, keys[1], 0, 0, 0, -1))
          .isEqualTo(NetDevice.PENDING);
    }
  }

  @Test
  void bothSidesTransferAtOnceThroughFullRings() {
    try (var ranks = LocalRanks.open(2, 4 << 20, 2)) {
      MemorySegment[] memory = new MemorySegment[2];
      long[] keys = new long[2];
      for (int rank = 0; rank < 2; rank++) {
        memory[rank] = MemorySegment.ofArray(new byte[BYTES]);
        keys[rank] = ranks.contexts[rank].register(memory[rank], 0, BYTES, ALL);
      }
      for (int i = 0; i < 10; i++) {
        for (int rank = 0; rank < 2; rank++) {
          int answer =
              ranks.devices[rank].get(
                  1 - rank,
                  MemorySegment.ofArray(new byte[BYTES]),
                  0,
                  BYTES,
                  keys[1 - rank],
                  0,
                  1,
                  0,
                  i);
          assertThat(answer).isEqualTo(NetDevice.PENDING);
        }
      }
      ranks.until(
          "all transfers",
          () -> ranks.sinks[0].completions.size() == 10 && ranks.sinks[1].completions.size() == 10);
    }
  }

  @Test
  void confinedMemoryIsReachedByWhoeverPolls() {
    try (var ranks = LocalRanks.open(2, BulkMode.PIPELINE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment local = arena.allocate(BYTES);
      MemorySegment remote = arena.allocate(BYTES);
      local.fill((byte) 9);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      assertThat(ranks.devices[0].put(1, local, 0, BYTES, key, 0, 0, 0, 1))
          .isEqualTo(NetDevice.PENDING);
      LocalRanks.together(
          1,
          thread -> {
            ranks.until("the put", () -> !ranks.sinks[0].completions.isEmpty());
            return thread;
          });
      assertThat(ranks.sinks[0].completions.getFirst().result()).isEqualTo(NetDevice.OK);
      assertThat(local.mismatch(remote)).isEqualTo(-1);
    }
  }

  @Test
  void aRegistrationThatEndsMeanwhileEndsTheTransfer() {
    try (var ranks = LocalRanks.open(2, BulkMode.PIPELINE)) {
      MemorySegment local = Arena.ofAuto().allocate(BYTES);
      long key = ranks.contexts[1].register(MemorySegment.ofArray(new byte[BYTES]), 0, BYTES, ALL);
      assertThat(ranks.devices[0].put(1, local, 0, BYTES, key, 0, 1, 0, 7))
          .isEqualTo(NetDevice.PENDING);
      ranks.poll(1);
      ranks.contexts[1].deregister(key);
      ranks.until("the end of the put", () -> !ranks.sinks[0].completions.isEmpty());
      assertThat(ranks.sinks[0].completions)
          .containsExactly(new RecordingSink.Completion(7, NetDevice.NO_ACCESS));
      assertThat(ranks.sinks[1].messages).isEmpty();
    }
  }

  @Test
  void memoryThatIsNotMappedIsRefusedByTheKernel() {
    try (var ranks = LocalRanks.open(2, BulkMode.VM)) {
      Arena arena = Arena.ofShared();
      MemorySegment local = Arena.ofAuto().allocate(64);
      // Large enough for the C library to unmap it when it is freed.
      long key = ranks.contexts[1].register(arena.allocate(64 << 20), 0, 64, ALL);
      assertThat(ranks.devices[0].put(1, local, 0, 64, key, 0, 1, 0, 0)).isEqualTo(NetDevice.OK);
      arena.close();
      assertThat(ranks.devices[0].put(1, local, 0, 64, key, 0, 2, 0, 0))
          .isEqualTo(NetDevice.NO_ACCESS);
      // The cell that was kept for the notification is given up.
      assertThat(ranks.devices[0].inject(1, 3, 0, local, 0, 0)).isEqualTo(NetDevice.OK);
      ranks.poll(1);
      assertThat(ranks.sinks[1].messages)
          .extracting(RecordingSink.Message::h0)
          .containsExactly(1L, 3L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void mistakesThrow(BulkMode mode) {
    try (var ranks = LocalRanks.open(2, mode)) {
      NetDevice device = ranks.devices[0];
      MemorySegment remote = Arena.ofAuto().allocate(64);
      long key = ranks.contexts[1].register(remote, 0, 64, ALL);
      MemorySegment local = MemorySegment.ofArray(new byte[64]);
      assertThatThrownBy(() -> device.put(1, local, 60, 8, key, 0, 0, 0, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> device.get(1, local.asReadOnly(), 0, 8, key, 0, 0, 0, 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> device.get(5, local, 0, 8, key, 0, 0, 0, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private static int complete(
      LocalRanks ranks,
      boolean put,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset) {
    NetDevice device = ranks.devices[0];
    int answer =
        put
            ? device.put(1, local, offset, length, key, keyOffset, 0, 0, 42)
            : device.get(1, local, offset, length, key, keyOffset, 0, 0, 42);
    if (answer != NetDevice.PENDING) {
      return answer;
    }
    var completions = ranks.sinks[0].completions;
    ranks.until("the completion", () -> !completions.isEmpty());
    assertThat(completions.getFirst().cookie()).isEqualTo(42);
    return completions.removeFirst().result();
  }

  private static void fill(MemorySegment segment, Random random) {
    var bytes = new byte[(int) segment.byteSize()];
    random.nextBytes(bytes);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
  }
}
