package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Lacis;
import org.lacis.LacisOptions;
import org.lacis.MatchingOptions;

/**
 * Whoever is told of a message finds the receives counted whose messages came before it, also when
 * one progress call takes all of them.
 */
class CountedFirstTest {

  private static final int RECEIVES = 5;
  private static final long NOT_TOLD = -1;

  private enum Behind {
    ACTIVE_MESSAGE,
    RECEIVE,
    LONG_RECEIVE
  }

  @ParameterizedTest
  @EnumSource
  void byTheDefaultEngine(Behind behind) {
    check(behind, Job.OPTIONS);
  }

  @ParameterizedTest
  @EnumSource
  void inOrder(Behind behind) {
    check(behind, Job.OPTIONS.withMatching(MatchingOptions.ordered()));
  }

  private static void check(Behind behind, LacisOptions options) {
    try (Job job = ShmJobs.open(2, options)) {
      Lacis from = job.rank(0);
      Lacis to = job.rank(1);
      Counter counter = to.newCounter();
      long[] counted = {NOT_TOLD};
      Completion last = _ -> counted[0] = counter.count();
      from.register(Completion.NONE);
      var target = to.register(last);
      int bytes = behind == Behind.LONG_RECEIVE ? from.eagerLimit() + 1 : 8;
      MemorySegment word = Talk.memory(8);
      MemorySegment sent = Talk.memory(bytes);
      if (behind != Behind.ACTIVE_MESSAGE) {
        to.recv(0, Talk.memory(bytes), RECEIVES, last);
      }
      for (int tag = 0; tag < RECEIVES; tag++) {
        to.recv(0, Talk.memory(8), tag, counter);
        from.send(1, word, tag, Completion.NONE);
      }
      if (behind == Behind.ACTIVE_MESSAGE) {
        from.am(1, sent, 0, target, Completion.NONE);
      } else {
        from.send(1, sent, RECEIVES, Completion.NONE);
      }
      job.until("the last message", () -> counted[0] != NOT_TOLD);
      assertThat(counted[0]).isEqualTo(RECEIVES);
      assertThat(counter.count()).isEqualTo(RECEIVES);
    }
  }
}
