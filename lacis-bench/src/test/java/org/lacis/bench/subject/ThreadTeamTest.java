package org.lacis.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ThreadTeamTest {

  private static final int THREADS = 4;
  private static final int TIMES = 200;

  @Test
  void theTimeOfATeamIsNotLessThanFromItsFirstBeginningToItsLastEnd() throws Exception {
    long[] began = new long[THREADS];
    long[] ended = new long[THREADS];
    ThreadTeam team =
        new ThreadTeam(
            THREADS,
            (thread, count) -> {
              began[thread] = System.nanoTime();
              for (long i = 0; i < count; i++) {
                Thread.onSpinWait();
              }
              ended[thread] = System.nanoTime();
            });
    for (int i = 0; i < TIMES; i++) {
      long nanos = team.time(1000);
      long first = Arrays.stream(began).min().orElseThrow();
      long last = Arrays.stream(ended).max().orElseThrow();
      assertThat(nanos).isGreaterThanOrEqualTo(last - first);
    }
  }
}
