package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Seeded.class)
class SeedsTest {
  @Test
  void theSameSeedAndPurposeGiveTheSameValues() {
    assertThat(draws(Seeds.random(7, "queue"))).isEqualTo(draws(Seeds.random(7, "queue")));
  }

  @Test
  void anotherSeedGivesOtherValues() {
    assertThat(draws(Seeds.random(7, "queue"))).isNotEqualTo(draws(Seeds.random(8, "queue")));
  }

  @Test
  void anotherPurposeGivesOtherValues() {
    assertThat(draws(Seeds.random(7, "queue"))).isNotEqualTo(draws(Seeds.random(7, "ring")));
  }

  @Test
  void theOptionPrintedIsTheSeedReadBack() {
    String option = Seeds.option();
    assertThat(option).startsWith("-Dlacis.seed=");
    assertThat(Seeds.parse(option.substring(option.indexOf('=') + 1))).isEqualTo(Seeds.seed());
  }

  @Test
  void aSeedMayBeHexadecimal() {
    assertThat(Seeds.parse("0xff")).isEqualTo(255);
  }

  @Test
  void aSeedThatIsNoNumberIsRefusedByName() {
    assertThatThrownBy(() -> Seeds.parse("abc"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-Dlacis.seed=abc");
  }

  @Test
  void everyParameterHasAGeneratorOfItsOwn(RandomGenerator first, RandomGenerator second) {
    assertThat(draws(first)).isNotEqualTo(draws(second));
  }

  @Test
  void aFailureNamesTheSeed() {
    var failure = new AssertionError("wrong");
    assertThatThrownBy(() -> new Seeded().handleTestExecutionException(null, failure))
        .isSameAs(failure);
    assertThat(failure.getSuppressed()[0]).hasMessage("repeat with " + Seeds.option());
  }

  private static long[] draws(RandomGenerator random) {
    return random.longs(8).toArray();
  }
}
