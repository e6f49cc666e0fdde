package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** No count is lost, whichever threads count, and however many live at a time. */
class CountTest {

  private static final int EACH = 100_000;

  private final Count count = new Count(null, "");

  @Test
  void severalThreadsCountAtOnce() throws InterruptedException {
    countInThreads(4);
    assertThat(count.count()).isEqualTo(4 * EACH);
  }

  @Test
  void threadsThatComeAfterTheFirstHasEndedCount() throws InterruptedException {
    for (int round = 1; round <= 5; round++) {
      countInThreads(2);
      assertThat(count.count()).isEqualTo(2L * round * EACH);
    }
  }

  @Test
  void virtualThreadsCount() throws InterruptedException {
    for (int i = 1; i <= 1000; i++) {
      Thread.ofVirtual().start(count::signal).join();
      assertThat(count.count()).isEqualTo(i);
    }
  }

  private void countInThreads(int threads) throws InterruptedException {
    Thread[] all =
        IntStream.range(0, threads)
            .mapToObj(_ -> Thread.ofPlatform().start(this::countMany))
            .toArray(Thread[]::new);
    for (Thread thread : all) {
      thread.join();
    }
  }

  private void countMany() {
    long before = 0;
    for (int i = 0; i < EACH; i++) {
      count.signal();
      long now = count.count();
      assertThat(now).isGreaterThan(before);
      before = now;
    }
  }
}
