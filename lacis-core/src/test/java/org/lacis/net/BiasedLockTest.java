package org.lacis.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.lacis.engine.Together;

class BiasedLockTest {

  /** More often than it takes for a lock to be biased. */
  private static final int OFTEN = 1000;

  private final BiasedLock lock = new BiasedLock();
  private long count;

  private boolean add() {
    if (!lock.tryLock()) {
      return false;
    }
    count++;
    lock.unlock();
    return true;
  }

  private void addOften() {
    for (int i = 0; i < OFTEN; i++) {
      assertThat(add()).isTrue();
    }
  }

  /** Takes it until it is biased to this thread: more often each time a bias was ended. */
  private void own() {
    for (int i = 0; Membarrier.works() && !lock.isBiased(); i++) {
      assertThat(i).isLessThan(1 << 20);
      addOften();
    }
    assertThat(lock.isBiased()).isEqualTo(Membarrier.works());
  }

  private boolean addElsewhere() throws InterruptedException {
    var added = new boolean[1];
    Thread other = Thread.ofPlatform().start(() -> added[0] = add());
    other.join();
    return added[0];
  }

  @Test
  void isBiasedAgainToWhoKeepsTakingIt() throws Exception {
    for (int i = 0; i < 4; i++) {
      own();
      assertThat(addElsewhere()).isTrue();
      assertThat(lock.isBiased()).isFalse();
    }
  }

  /** A virtual thread may go on elsewhere when it has waited. */
  @Test
  void aVirtualThreadHasItWhileItWaits() throws Exception {
    var owned = new CountDownLatch(1);
    var before = new long[1];
    Thread owner =
        Thread.ofVirtual()
            .start(
                () -> {
                  own();
                  before[0] = count;
                  owned.countDown();
                  for (int i = 0; i < OFTEN; i++) {
                    while (!lock.tryLock()) {
                      Thread.yield();
                    }
                    long seen = count;
                    Thread.yield();
                    count = seen + 1;
                    lock.unlock();
                  }
                });
    owned.await();
    long added = 0;
    while (owner.isAlive()) {
      added += add() ? 1 : 0;
      Thread.yield();
    }
    assertThat(count).isEqualTo(before[0] + OFTEN + added);
  }

  @Test
  void isTakenOnceUntilItIsLetGo() {
    for (int i = 0; i < OFTEN; i++) {
      assertThat(lock.tryLock()).isTrue();
      assertThat(lock.tryLock()).isFalse();
      lock.unlock();
    }
  }

  @Test
  void anotherThreadGetsItWhenItsOwnerIsNotInside() throws Exception {
    addOften();
    Thread other = Thread.ofPlatform().start(this::addOften);
    other.join();
    addOften();
    assertThat(count).isEqualTo(3 * OFTEN);
  }

  @Test
  void anotherThreadDoesNotGetItWhileItsOwnerIsInside() throws Exception {
    own();
    assertThat(lock.tryLock()).isTrue();
    assertThat(addElsewhere()).isFalse();
    // That has ended the bias.
    assertThat(lock.isBiased()).isFalse();
    assertThat(lock.tryLock()).isFalse();
    lock.unlock();
    assertThat(addElsewhere()).isTrue();
  }

  @Test
  void anotherThreadGetsItWhenItsOwnerIsNoMore() throws Exception {
    for (int i = 0; i < 3; i++) {
      Thread owner = Thread.ofPlatform().start(this::addOften);
      owner.join();
    }
    assertThat(count).isEqualTo(3 * OFTEN);
  }

  @Test
  void onlyOneThreadHasItAndSeesWhatTheLastOneWrote() throws Exception {
    int threads = 4;
    int each = 100_000;
    Together.run(
        threads,
        who -> {
          for (int i = 0; i < each; ) {
            if (add()) {
              i++;
              // Runs long enough for a bias, and some that are not.
            } else if (who % 2 == 0) {
              Thread.onSpinWait();
            } else {
              Thread.yield();
            }
          }
        });
    assertThat(count).isEqualTo((long) threads * each);
  }
}
