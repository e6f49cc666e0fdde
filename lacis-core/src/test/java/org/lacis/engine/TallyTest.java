package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Counters are told all at once, and in order. */
class TallyTest {

  private final Tally tally = new Tally();
  private final Count one = new Count(null, "one");
  private final Count other = new Count(null, "other");

  @Test
  void aCounterIsToldWhenItIsSettled() {
    for (int i = 0; i < 3; i++) {
      tally.add(one);
    }
    tally.settle();
    assertThat(one.count()).isEqualTo(3);
    tally.settle();
    assertThat(one.count()).isEqualTo(3);
  }

  @Test
  void aCounterIsToldBeforeTheNextOneCounts() {
    tally.add(one);
    tally.add(one);
    tally.add(other);
    assertThat(one.count()).isEqualTo(2);
    tally.add(one);
    assertThat(other.count()).isEqualTo(1);
    tally.settle();
    assertThat(one.count()).isEqualTo(3);
  }
}
