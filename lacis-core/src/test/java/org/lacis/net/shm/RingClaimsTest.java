package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;

/**
 * Cells are claimed once each, also when the ring is biased to a thread and another one ends that.
 */
class RingClaimsTest {

  private static final int CELLS = 1024;
  private static final RingShape SHAPE = RingShape.of(CELLS, 0);
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(60);

  /** A ring that has had so many messages is biased; a multiple of the cells asked for at once. */
  private static final int BIASED = 10_000;

  private static final int NEVER_FAR = Integer.MAX_VALUE;
  private static final int ALWAYS_FAR = -1;
  private static final MemorySegment NOTHING = MemorySegment.NULL;

  private final MemorySegment memory = Arena.ofAuto().allocate(SHAPE.bytes(), ShmLayout.APART);
  private final RingProducer ring = new RingProducer(memory.address(), SHAPE);

  @Test
  void oneThreadClaimsAllPositionsInOrder() {
    makeBiased();
  }

  private void makeBiased() {
    makeBiased(ring);
  }

  private void makeBiased(RingProducer ring) {
    for (long i = 0; i < BIASED; i++) {
      assertThat(ring.claim()).isEqualTo(i);
      ring.publishNothing(i);
      Memory.putLongRelease(memory.address() + ShmLayout.RING_HEAD, i + 1);
    }
  }

  @Test
  void cellsAreAskedForInAdvanceIfTheReaderIsFar() {
    assertThat(asksInAdvance(ALWAYS_FAR)).isTrue();
    memory.fill((byte) 0);
    assertThat(asksInAdvance(NEVER_FAR)).isFalse();
  }

  private boolean asksInAdvance(int farNanos) {
    var writer = new RingProducer(memory.address(), SHAPE, farNanos);
    makeBiased(writer);
    long mark = writer.cell(BIASED + 1) + ShmLayout.CELL_SPARE;
    Memory.putByte(mark, (byte) 1);
    writer.publishNothing(writer.claim());
    return Memory.getByte(mark) == 0;
  }

  @Test
  void aBiasedRingIsFullWhenItIsFull() {
    makeBiased();
    for (int i = 0; i < CELLS; i++) {
      assertThat(ring.inject(1, i, NOTHING, 0, 0)).isEqualTo(NetDevice.OK);
    }
    assertThat(ring.claim()).isEqualTo(NetDevice.FULL);
    Memory.putLongRelease(memory.address() + ShmLayout.RING_HEAD, ShmLayout.HEAD_CLOSED);
    assertThat(ring.claim()).isEqualTo(NetDevice.PEER_GONE);
  }

  @Test
  void aBiasEndsWhileItsOwnerHoldsAClaim() {
    makeBiased();
    long held = ring.claim();
    // Whoever comes meanwhile is told to come again, and gets the next position then.
    assertThat(onOtherThread(ring::claim)).isEqualTo(NetDevice.BUSY);
    assertThat(onOtherThread(ring::claim)).isEqualTo(NetDevice.BUSY);
    ring.publishNothing(held);
    assertThat(onOtherThread(ring::claim)).isEqualTo(held + 1);
    ring.publishNothing(held + 1);
    assertThat(ring.claim()).isEqualTo(held + 2);
  }

  @Test
  void aBiasedRingEndsForItsOwnerToo() {
    makeBiased();
    assertThat(ring.markGone()).isTrue();
    assertThat(ring.claim()).isEqualTo(NetDevice.PEER_GONE);
    assertThat(ring.ended()).isEqualTo(NetDevice.PEER_GONE);
    assertThat(ring.markClosed()).isTrue();
    assertThat(ring.markClosed()).isFalse();
    assertThat(ring.claim()).isEqualTo(NetDevice.BUSY);
    assertThat(ring.ended()).isEqualTo(NetDevice.BUSY);
  }

  @Test
  void aRingThatEndedIsSettledWhenItsLastCellIsPublished() {
    makeBiased();
    assertThat(onOtherThread(ring::claim)).isNotNegative();
    long held = ring.claim();
    assertThat(ring.markGone()).isTrue();
    ring.publishNothing(held - 1);
    assertThat(ring.isSettled()).isFalse();
    ring.publishNothing(held);
    assertThat(ring.isSettled()).isTrue();
  }

  @Test
  void closingWaitsForClaimedCells() throws InterruptedException {
    long held = ring.claim();
    Thread closer = Thread.ofPlatform().start(ring::close);
    long limit = System.nanoTime() + LIMIT;
    while (ring.ended() == NetDevice.OK) {
      assertThat(System.nanoTime()).as("waiting for the ring to end").isLessThan(limit);
    }
    assertThat(ring.claim()).isEqualTo(NetDevice.BUSY);
    assertThat(Memory.getLong(memory.address() + ShmLayout.RING_ENDED)).isZero();
    ring.publishNothing(held);
    closer.join(60_000);
    assertThat(Memory.getLongAcquire(memory.address() + ShmLayout.RING_ENDED)).isEqualTo(1);
  }

  @Test
  void noCellIsClaimedTwiceWhateverThreadsDo() {
    long seed = Long.getLong("lacis.seed", System.nanoTime());
    for (int round = 0; round < 60; round++) {
      memory.fill((byte) 0);
      int farNanos = round % 2 == 0 ? NEVER_FAR : ALWAYS_FAR;
      var fresh = new RingProducer(memory.address(), SHAPE, farNanos);
      new Race(fresh, memory.address(), seed + round).run();
    }
  }

  private static long onOtherThread(LongSupplier action) {
    return LocalRanks.together(1, thread -> action.getAsLong()).getFirst();
  }

  /**
   * One thread that writes as fast as it can, and so owns the ring, two that come now and then, and
   * a reader.
   */
  private record Race(RingProducer ring, long address, long seed) {
    private static final int BUSY_MESSAGES = 20_000;
    private static final int RARE_MESSAGES = 12;

    void run() {
      LocalRanks.together(
          4,
          thread -> {
            switch (thread) {
              case 0 -> write(thread, BUSY_MESSAGES);
              case 3 -> read(BUSY_MESSAGES + 2 * RARE_MESSAGES);
              default -> writeNowAndThen(thread);
            }
            return thread;
          });
    }

    private void write(int thread, int count) {
      long limit = System.nanoTime() + LIMIT;
      for (int i = 0; i < count; ) {
        int answer = ring.inject(thread + 1, i, NOTHING, 0, 0);
        if (answer == NetDevice.OK) {
          i++;
        } else {
          assertThat(System.nanoTime()).as("writing, seed %d", seed).isLessThan(limit);
          Thread.yield();
        }
      }
    }

    private void writeNowAndThen(int thread) {
      var random = new Random(seed * 7 + thread);
      for (int i = 0; i < RARE_MESSAGES; i++) {
        long until = System.nanoTime() + random.nextInt(100_000);
        while (System.nanoTime() < until) {
          Thread.yield();
        }
        long limit = System.nanoTime() + LIMIT;
        while (ring.inject(thread + 1, i, NOTHING, 0, 0) != NetDevice.OK) {
          assertThat(System.nanoTime()).as("writing, seed %d", seed).isLessThan(limit);
          Thread.yield();
        }
      }
    }

    /**
     * Every message of every thread comes, in its order: what was written twice would be missing.
     */
    private void read(int count) {
      var next = new long[3];
      int shift = Integer.numberOfTrailingZeros(CELLS);
      long limit = System.nanoTime() + LIMIT;
      for (long position = 0; position < count; ) {
        long cell =
            address + ShmLayout.RING_CELLS + ((position & (CELLS - 1)) << SHAPE.cellShift());
        if (!ShmLayout.arrived(Memory.getLongAcquire(cell), position, shift)) {
          assertThat(System.nanoTime()).as("reading %s, seed %d", position, seed).isLessThan(limit);
          Thread.yield();
          continue;
        }
        int thread = (int) Memory.getLong(cell + ShmLayout.CELL_H0) - 1;
        assertThat(Memory.getLong(cell + ShmLayout.CELL_H1))
            .as("seed %d", seed)
            .isEqualTo(next[thread]++);
        position++;
        Memory.putLongRelease(address + ShmLayout.RING_HEAD, position);
      }
      assertThat(next).containsExactly(BUSY_MESSAGES, RARE_MESSAGES, RARE_MESSAGES);
    }
  }
}
