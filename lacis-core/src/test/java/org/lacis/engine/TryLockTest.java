package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TryLockTest {

  @Test
  void isTakenOnceUntilItIsLetGo() {
    var lock = new TryLock();
    assertThat(lock.isLocked()).isFalse();
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.isLocked()).isTrue();
    assertThat(lock.tryLock()).isFalse();
    lock.unlock();
    assertThat(lock.isLocked()).isFalse();
    assertThat(lock.tryLock()).isTrue();
  }

  @Test
  void onlyOneThreadHasItAndSeesWhatTheLastOneWrote() throws Exception {
    var lock = new TryLock();
    var count = new long[1];
    int threads = 4;
    int each = 100_000;
    Together.run(
        threads,
        _ -> {
          for (int i = 0; i < each; ) {
            if (lock.tryLock()) {
              count[0]++;
              lock.unlock();
              i++;
            } else {
              Thread.onSpinWait();
            }
          }
        });
    assertThat(count[0]).isEqualTo((long) threads * each);
  }
}
