package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/** Copies that a peer is asked for, and that this rank does if it does not. */
class ShmTakeOverTest {

  private static final int ALL = NetContext.READ | NetContext.WRITE;
  private static final int BYTES = 300_000;
  private static final int SHORT = 50_000;
  private static final int COOKIE = 5;

  @ParameterizedTest
  @CsvSource({
    "8192, true, false", "50000, true, true", "65535, true, false", "299999, true, false",
    "8192, false, true", "50000, false, false", "65535, false, true", "299999, false, true"
  })
  void whatAPeerDoesNotDoIsTakenOver(int length, boolean put, boolean heap) {
    try (var ranks = LocalRanks.open(2, BulkMode.AUTO)) {
      MemorySegment remote = filled(false, 1);
      MemorySegment local = filled(heap, 2);
      MemorySegment from = (put ? filled(heap, 2) : filled(false, 1)).asSlice(1, length);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      assertThat(post(ranks, put, local, length, key)).isEqualTo(NetDevice.PENDING);
      alone(ranks);
      assertThat((put ? remote : local).asSlice(1, length).mismatch(from)).isEqualTo(-1);

      // The peer comes late, and leaves everything as it is.
      local.fill((byte) 0);
      remote.fill((byte) 3);
      ranks.poll(1);
      assertThat(isAll(local, 0)).isTrue();
      assertThat(isAll(remote, 3)).isTrue();
      assertThat(ranks.contexts[1].deregister(key)).isTrue();
    }
  }

  @Test
  void aPeerThatDoesNotPollIsNotAskedAgainUntilItDoes() {
    try (var ranks = LocalRanks.open(2, BulkMode.AUTO)) {
      MemorySegment remote = filled(false, 1);
      MemorySegment local = filled(false, 2);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      assertThat(post(ranks, true, local, SHORT, key)).isEqualTo(NetDevice.PENDING);
      alone(ranks);
      for (int i = 0; i < 100; i++) {
        assertThat(post(ranks, i % 2 == 0, local, SHORT, key)).isEqualTo(NetDevice.OK);
      }
      ranks.poll(1);
      int answer = NetDevice.OK;
      for (int i = 0; i < 100 && answer == NetDevice.OK; i++) {
        answer = post(ranks, true, local, SHORT, key);
      }
      assertThat(answer).isEqualTo(NetDevice.PENDING);
      ranks.until("the put to end", () -> !ranks.sinks[0].completions.isEmpty());
    }
  }

  @Test
  void manyCopiesAtOnceAreTakenOverOneByOne() {
    try (var ranks = LocalRanks.open(2, BulkMode.AUTO)) {
      MemorySegment remote = Arena.ofAuto().allocate(BYTES, 8);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      int count = 5;
      MemorySegment local = filled(false, 1);
      for (int i = 0; i < count; i++) {
        long at = (long) i * SHORT;
        assertThat(ranks.devices[0].put(1, local, at, SHORT, key, at, 0, 0, i))
            .isEqualTo(NetDevice.PENDING);
      }
      for (int i = 0; i < count; i++) {
        alone(ranks);
      }
      assertThat(remote.asSlice(0, (long) count * SHORT).mismatch(filled(false, 1)))
          .isEqualTo((long) count * SHORT);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKeyThatIsOfNoUseAnyMoreIsAnError(boolean polls) {
    try (var ranks = LocalRanks.open(2, BulkMode.AUTO)) {
      MemorySegment remote = filled(false, 1);
      MemorySegment local = filled(false, 2);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      assertThat(post(ranks, true, local, SHORT, key)).isEqualTo(NetDevice.PENDING);
      ranks.contexts[1].deregister(key);
      if (polls) {
        ranks.poll(1);
      }
      assertThat(ended(ranks)).isEqualTo(NetDevice.NO_ACCESS);
      assertThat(remote.mismatch(filled(false, 1))).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memoryThatIsNotThereAnyMoreIsAnError(boolean polls) {
    try (var ranks = LocalRanks.open(2, BulkMode.AUTO)) {
      MemorySegment remote = filled(false, 1);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      try (Arena brief = Arena.ofShared()) {
        assertThat(post(ranks, false, brief.allocate(BYTES), SHORT, key))
            .isEqualTo(NetDevice.PENDING);
      }
      if (polls) {
        ranks.poll(1);
      }
      assertThat(ended(ranks)).isEqualTo(NetDevice.NO_ACCESS);
    }
  }

  @Test
  void aPeerThatIsGoneAfterItWasTakenOverIsForgotten() {
    try (var ranks = LocalRanks.open(3, BulkMode.AUTO)) {
      MemorySegment remote = filled(false, 1);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      long other = ranks.contexts[2].register(filled(false, 3), 0, BYTES, ALL);
      MemorySegment local = filled(false, 2);
      assertThat(post(ranks, true, local, SHORT, key)).isEqualTo(NetDevice.PENDING);
      alone(ranks);
      ranks.contexts[1].close();
      ranks.until("the end of the peer", () -> !ranks.sinks[0].gone.isEmpty());
      assertThat(ranks.devices[0].get(2, local, 1, SHORT, other, 1, 0, 0, COOKIE))
          .isEqualTo(NetDevice.PENDING);
      ranks.until("the get to end", () -> !ranks.sinks[0].completions.isEmpty());
      assertThat(ended(ranks)).isEqualTo(NetDevice.OK);
      assertThat(local.asSlice(1, SHORT).mismatch(filled(false, 3).asSlice(1, SHORT)))
          .isEqualTo(-1);
    }
  }

  private static int post(
      LocalRanks ranks, boolean put, MemorySegment local, long length, long key) {
    NetDevice device = ranks.devices[0];
    return put
        ? device.put(1, local, 1, length, key, 1, 0, 0, COOKIE)
        : device.get(1, local, 1, length, key, 1, 0, 0, COOKIE);
  }

  /** Polls rank 0 until a copy has ended, which has to go well. */
  private static void alone(LocalRanks ranks) {
    assertThat(ended(ranks)).isEqualTo(NetDevice.OK);
  }

  private static int ended(LocalRanks ranks) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (ranks.sinks[0].completions.isEmpty()) {
      ranks.poll(0);
      assertThat(System.nanoTime()).isLessThan(limit);
    }
    return ranks.sinks[0].completions.removeFirst().result();
  }

  private static boolean isAll(MemorySegment memory, int value) {
    MemorySegment expected = Arena.ofAuto().allocate(memory.byteSize());
    return memory.mismatch(expected.fill((byte) value)) == -1;
  }

  private static MemorySegment filled(boolean heap, int seed) {
    var content = new byte[BYTES];
    new Random(seed).nextBytes(content);
    MemorySegment array = MemorySegment.ofArray(content);
    return heap ? array : Arena.ofAuto().allocate(BYTES, 8).copyFrom(array);
  }
}
