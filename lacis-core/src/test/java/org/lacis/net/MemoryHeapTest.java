package org.lacis.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The allocator of shared memory. */
class MemoryHeapTest {

  private static final int BYTES = 1 << 20;

  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
  private final MemoryHeap heap = new MemoryHeap(memory.address(), BYTES);

  @Test
  void allOfItCanBeHadAndNotMore() {
    assertThat(heap.allocate(BYTES + 1L, 1)).isZero();
    assertThat(heap.allocate(Long.MAX_VALUE, 1)).isZero();
    assertThat(heap.allocate(BYTES, 1)).isEqualTo(memory.address());
    assertThat(heap.allocate(0, 1)).isZero();
    heap.free(memory.address(), BYTES);
    assertThat(heap.largest()).isEqualTo(BYTES);
  }

  @Test
  void alignmentIsKept() {
    for (int alignment = 1; alignment <= 4096; alignment *= 2) {
      long address = heap.allocate(65, alignment);
      assertThat(address % Math.max(64, alignment)).isZero();
    }
    assertThatThrownBy(() -> heap.allocate(1, 8192)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> heap.allocate(1, 24)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> heap.allocate(-1, 8)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMistakeInFreeingIsNoticed() {
    long address = heap.allocate(100, 64);
    assertThatThrownBy(() -> heap.free(address, 200)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> heap.free(address + 64, 100))
        .isInstanceOf(IllegalArgumentException.class);
    heap.free(address, 100);
    assertThatThrownBy(() -> heap.free(address, 100)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void piecesNeverOverlapAndAreZeroAndComeTogetherAgain() {
    long seed = Long.getLong("lacis.seed", System.nanoTime());
    var random = new Random(seed);
    var taken = new TreeMap<Long, Long>();
    for (int step = 0; step < 20_000; step++) {
      if (random.nextBoolean() || taken.isEmpty()) {
        long bytes = 1L + random.nextInt(random.nextBoolean() ? 300 : 30_000);
        long address = heap.allocate(bytes, 1L << random.nextInt(13));
        if (address != 0) {
          assertApart(seed, taken, address, bytes);
          taken.put(address, bytes);
        }
      } else {
        var some = new ArrayList<>(taken.keySet());
        long address = some.get(random.nextInt(some.size()));
        heap.free(address, taken.remove(address));
      }
    }
    taken.forEach(heap::free);
    assertThat(heap.largest()).as("seed %d", seed).isEqualTo(BYTES);
  }

  private void assertApart(long seed, TreeMap<Long, Long> taken, long address, long bytes) {
    assertThat(address).isBetween(memory.address(), memory.address() + BYTES - bytes);
    var before = taken.floorEntry(address);
    if (before != null) {
      assertThat(before.getKey() + before.getValue())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(address);
    }
    var after = taken.ceilingKey(address);
    if (after != null) {
      assertThat(after).as("seed %d", seed).isGreaterThanOrEqualTo(address + bytes);
    }
    MemorySegment piece = Memory.segment(address, bytes);
    assertThat(piece.mismatch(MemorySegment.ofArray(new byte[(int) bytes])))
        .as("seed %d", seed)
        .isEqualTo(-1);
    piece.fill((byte) 0x5a);
  }
}
