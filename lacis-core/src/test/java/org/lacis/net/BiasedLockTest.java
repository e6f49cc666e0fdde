package org.lacis.net;

import static org.assertj.core.api.Assertions.assertThat;

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
    addOften();
    assertThat(lock.tryLock()).isTrue();
    var got = new boolean[1];
    Thread other = Thread.ofPlatform().start(() -> got[0] = add());
    other.join();
    assertThat(got[0]).isFalse();
    // That has ended the bias.
    assertThat(lock.tryLock()).isFalse();
    lock.unlock();
    other = Thread.ofPlatform().start(() -> got[0] = add());
    other.join();
    assertThat(got[0]).isTrue();
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
