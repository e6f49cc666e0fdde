package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ObjectPoolTest {

  private static final class Thing implements ObjectPool.Member {
    final int number;
    final AtomicInteger users = new AtomicInteger();
    int uses;

    Thing(int number) {
      this.number = number;
    }

    @Override
    public int poolNumber() {
      return number;
    }
  }

  @Test
  void objectsAreMadeWhenTheyAreFirstNeeded() {
    var pool = new ObjectPool<>(2, Thing::new);
    assertThat(pool.made()).isZero();
    var first = pool.take();
    pool.give(first);
    assertThat(pool.take()).isSameAs(first);
    assertThat(pool.made()).isEqualTo(1);
    assertThat(pool.take()).isNotNull().isNotSameAs(first);
    assertThat(pool.inUse()).isEqualTo(2);
    assertThat(pool.take()).as("a third of two").isNull();
    pool.give(first);
    assertThat(pool.take()).isSameAs(first);
  }

  @Test
  void anObjectHasOneUserAtATimeWhoSeesWhatTheLastOneDid() throws Exception {
    var pool = new ObjectPool<>(3, Thing::new);
    var uses = new AtomicInteger();
    Together.run(
        4,
        _ -> {
          for (int i = 0; i < 50_000; i++) {
            var thing = pool.take();
            if (thing != null) {
              assertThat(thing.users.incrementAndGet()).isEqualTo(1);
              thing.uses++;
              uses.incrementAndGet();
              thing.users.decrementAndGet();
              pool.give(thing);
            }
          }
        });
    assertThat(pool.inUse()).isZero();
    int counted = 0;
    for (int i = pool.made(); i > 0; i--) {
      counted += pool.take().uses;
    }
    assertThat(counted).isEqualTo(uses.get());
  }
}
