package org.lacis.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceTest {

  private static final long LIMIT = 1000;

  private final long begin = System.nanoTime();
  private final Silence silence = new Silence(LIMIT);

  /** Sets it to a known time: what is heard ends a silence. */
  private long start() {
    long start = begin + 1_000_000_000L;
    assertThat(silence.isTooLong(start, true)).isFalse();
    return start;
  }

  @Test
  void aPeerThatIsHeardOfIsNeverSilent() {
    long start = start();
    for (int i = 1; i < 100; i++) {
      assertThat(silence.isTooLong(start + i * 10 * LIMIT, true)).isFalse();
    }
  }

  @Test
  void silenceIsAddedUpUntilItIsTooLong() {
    long start = start();
    for (int i = 1; i < 10; i++) {
      assertThat(silence.isTooLong(start + i * 100, false)).isFalse();
    }
    assertThat(silence.isTooLong(start + LIMIT, false)).isTrue();
  }

  @Test
  void oneSignEndsASilence() {
    long start = start();
    assertThat(silence.isTooLong(start + 200, false)).isFalse();
    assertThat(silence.isTooLong(start + 400, false)).isFalse();
    assertThat(silence.isTooLong(start + 600, true)).isFalse();
    assertThat(silence.isTooLong(start + 800, false)).isFalse();
    assertThat(silence.isTooLong(start + 1000, false)).isFalse();
    assertThat(silence.isTooLong(start + 1200, false)).isFalse();
  }

  @Test
  void whoDoesNotLookForLongGivesThePeerTimeToBeHeard() {
    long start = start();
    assertThat(silence.isTooLong(start + 100 * LIMIT, false)).isFalse();
    assertThat(silence.isTooLong(start + 200 * LIMIT, false)).isFalse();
    assertThat(silence.isTooLong(start + 300 * LIMIT, false)).isFalse();
    assertThat(silence.isTooLong(start + 400 * LIMIT, false)).isTrue();
  }
}
