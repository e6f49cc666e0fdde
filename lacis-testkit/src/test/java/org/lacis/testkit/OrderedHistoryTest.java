package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.lacis.match.BlockMatcher;
import org.lacis.match.ListMatcher;
import org.lacis.match.OrderedKeys;
import org.lacis.match.OrderedMatcher;

/**
 * Random histories, matched by tables as by lists: whatever is open, with bins and tables of any
 * size, one by one and in blocks, by any number of threads.
 */
@ExtendWith(Seeded.class)
class OrderedHistoryTest {

  private static final int STEPS = 500;
  private static final int TIMES = Boolean.getBoolean("lacis.long") ? 100 : 1;

  private static List<Integer> right(History history) {
    return history.outcome(new ListMatcher(), null, 0);
  }

  private static int choose(RandomGenerator random, int... values) {
    return values[random.nextInt(values.length)];
  }

  private static OrderedMatcher matcher(int bins, int maxReceives, int open) {
    return new OrderedMatcher(bins, maxReceives, open, false, false);
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void oneByOne(RandomGenerator random) {
    for (int i = 0; i < 120 * TIMES; i++) {
      int bins = choose(random, 1, 2, 64, 65_536);
      int maxReceives = choose(random, 1, 2, 7, 1000);
      int open = choose(random, 3, 3, 2, 1, 0);
      boolean patient = random.nextBoolean();
      History.random(random, STEPS, open)
          .check(
              OrderedHistoryTest::right,
              history ->
                  history.outcome(
                      new OrderedMatcher(bins, maxReceives, open, false, patient), null, 0));
    }
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void inBlocks(RandomGenerator random) {
    for (int i = 0; i < 80 * TIMES; i++) {
      int bins = choose(random, 1, 4, 1024);
      int maxReceives = choose(random, 1, 10, 1000);
      int threads = i % 20 == 0 ? choose(random, 16, 64) : choose(random, 1, 2, 2, 3, 4);
      int size = choose(random, 1, 2, 4, 17, 64);
      boolean early = random.nextBoolean();
      boolean fast = random.nextInt(4) > 0;
      boolean crowded = random.nextBoolean();
      History.random(random, STEPS, OrderedKeys.ANY_SOURCE | OrderedKeys.ANY_TAG)
          .check(
              OrderedHistoryTest::right,
              history -> {
                var matcher = matcher(bins, maxReceives, 3);
                try (var blocks = new BlockMatcher(matcher, threads, early, fast, crowded)) {
                  return history.outcome(matcher, blocks::match, size);
                }
              });
    }
  }

  /** A receive with an open source takes nothing. */
  private static List<Integer> wrong(History history) {
    return right(
        new History(
            history.steps().stream()
                .map(
                    s ->
                        s.open() == OrderedKeys.ANY_SOURCE
                            ? new History.Step(s.kind(), 0, 9, s.tag(), s.which())
                            : s)
                .toList()));
  }

  /**
   * Of what is wrong, as little as possible is shown: a message, and the receive it should meet.
   */
  @RepeatedTest(50)
  void aWrongMatcherIsFoundWithAShortHistory(RandomGenerator random) {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                History.random(random, STEPS, 3)
                    .check(OrderedHistoryTest::right, OrderedHistoryTest::wrong);
              }
            })
        .isInstanceOf(AssertionError.class)
        .satisfies(e -> assertThat(e.getMessage().lines().count()).isEqualTo(3));
  }
}
