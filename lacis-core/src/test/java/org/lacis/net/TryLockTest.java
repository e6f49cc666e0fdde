package org.lacis.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lacis.engine.Together;

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

  @Test
  void nobodyGetsItOnceItIsClosed() throws Exception {
    var lock = new TryLock();
    var inside = new long[1];
    Together.run(
        2,
        who -> {
          if (who == 0) {
            while (lock.tryLock()) {
              inside[0]++;
              lock.unlock();
            }
          } else {
            lock.close();
            long seen = inside[0];
            assertThat(lock.tryLock()).isFalse();
            assertThat(inside[0]).isEqualTo(seen);
          }
        });
    lock.close();
    assertThat(lock.isLocked()).isTrue();
    assertThat(lock.tryLock()).isFalse();
  }
}
