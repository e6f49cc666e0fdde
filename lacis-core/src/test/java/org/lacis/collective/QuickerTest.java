package org.lacis.collective;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuickerTest {

  private final Quicker quicker = new Quicker();

  /** How often the second way is taken, out of 3200 times. */
  private int seconds(long firstNanos, long secondNanos) {
    int seconds = 0;
    for (int i = 0; i < 3200; i++) {
      boolean second = quicker.second();
      seconds += second ? 1 : 0;
      quicker.took(second, second ? secondNanos : firstNanos);
    }
    return seconds;
  }

  @Test
  void theQuickerOneIsTakenAndTheOtherTried() {
    assertThat(seconds(100, 50)).isBetween(3000, 3199);
    assertThat(new QuickerTest().seconds(50, 100)).isBetween(1, 200);
  }

  @Test
  void itFollowsWhatChanges() {
    seconds(100, 50);
    assertThat(seconds(100, 1000)).isBetween(1, 200);
    assertThat(seconds(100, 20)).isBetween(3000, 3199);
  }

  @Test
  void oneAccidentChangesNothing() {
    seconds(100, 50);
    quicker.took(true, 1_000_000);
    assertThat(seconds(100, 50)).isBetween(3000, 3199);
  }
}
