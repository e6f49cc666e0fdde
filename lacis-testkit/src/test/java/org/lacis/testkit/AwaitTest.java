package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
  @Test
  void returnsAsSoonAsTheConditionHolds() {
    var looks = new AtomicInteger();
    Await.until("the third look", () -> looks.incrementAndGet() == 3);
    assertThat(looks).hasValue(3);
  }

  @Test
  void doesAStepBeforeEachLook() {
    var steps = new AtomicInteger();
    Await.until(
        "five steps", Duration.ofSeconds(5), steps::incrementAndGet, () -> steps.get() == 5);
    assertThat(steps).hasValue(5);
  }

  @Test
  void pastTheLimitSaysWhatItWaitedForAndWhatThreadsWereDoing() {
    assertThatThrownBy(() -> Await.until("rain in May", Duration.ofMillis(20), () -> false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("for rain in May")
        .hasMessageContaining("AwaitTest");
  }

  @Test
  void anInterruptedThreadStopsWaiting() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Await.until("nothing", () -> false))
        .hasMessage("interrupted while waiting for nothing");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void answersTheFirstValueThereIs() {
    var looks = new AtomicInteger();
    String value = Await.value("a value", () -> looks.incrementAndGet() < 3 ? null : "here");
    assertThat(value).isEqualTo("here");
  }

  @Test
  void waitsForThreadsToEnd() {
    var go = new CountDownLatch(1);
    Thread thread = Thread.ofVirtual().start(go::countDown);
    Await.ended("a virtual thread", thread);
    assertThat(thread.isAlive()).isFalse();
    assertThat(go.getCount()).isZero();
  }
}
