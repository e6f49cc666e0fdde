package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaysTest {

  private static final int LONG = 1 << 20;
  private static final int SHORT = 1 << 14;

  private final Ways ways = new Ways(2);
  private long now = System.nanoTime();

  @Test
  void theQuickerOneIsTakenAndTheOtherTried() {
    for (int length : new int[] {SHORT, LONG}) {
      assertThat(timesBySlots(1, length, 40, 80)).isBetween(9_500, 9_999);
      assertThat(timesBySlots(1, length, 80, 40)).isBetween(1, 500);
      assertThat(timesBySlots(1, length, 40, 80)).isBetween(9_500, 9_999);
      assertThat(timesBySlots(0, length, 80, 40)).isBetween(1, 500);
      assertThat(ways.prefersSlots(0, length)).isFalse();
      assertThat(ways.prefersSlots(1, length)).isTrue();
    }
  }

  @Test
  void copiesThatOverlapGoTheSameWayAndAreTimedTogether() {
    ways.took(0, LONG, 50_000);
    for (int i = 0; i < 10; i++) {
      assertThat(ways.choose(0, LONG, now)).isTrue();
      ways.begin(0, LONG);
    }
    // Slower than the kernel, if each of them were timed by itself.
    now += 400_000;
    for (int i = 0; i < 10; i++) {
      ways.end(0, LONG, now);
    }
    assertThat(ways.prefersSlots(0, LONG)).isTrue();
  }

  @Test
  void aStreamWithoutEndIsLookedAtFromTimeToTime() {
    ways.took(0, LONG, 50_000);
    assertThat(ways.choose(0, LONG, now)).isTrue();
    ways.begin(0, LONG);
    boolean slots = true;
    for (int i = 0; i < 1_000 && slots; i++) {
      slots = ways.choose(0, LONG, now);
      ways.begin(0, LONG);
      now += 100_000;
      ways.end(0, LONG, now);
    }
    assertThat(slots).as("by slots, twice as slow").isFalse();
  }

  /** How often of ten thousand times, if they take so many microseconds for a MiB. */
  private int timesBySlots(int peer, int length, long bySlots, long byKernel) {
    int count = 0;
    for (int i = 0; i < 10_000; i++) {
      boolean slots = ways.choose(peer, length, now);
      count += slots ? 1 : 0;
      ways.begin(peer, length);
      now += ((slots ? bySlots : byKernel) * 1000 * length) >> 20;
      ways.end(peer, length, now);
    }
    return count;
  }
}
