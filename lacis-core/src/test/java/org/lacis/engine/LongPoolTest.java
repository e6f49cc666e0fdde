package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LongPoolTest {
  private static void noMore() {}

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, (1 << 24) + 1})
  void theCapacityHasLimits(int capacity) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LongPool(capacity))
        .withMessageContaining("not " + capacity);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 3})
  void oneTakeOfAPowerOfTwoAsks(int asking) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LongPool(8, asking, LongPoolTest::noMore))
        .withMessageContaining("not " + asking);
  }

  @Test
  void anEmptyPoolAnswersZero() {
    assertThat(new LongPool(8).take()).isZero();
  }

  @Test
  void zeroCannotBeGiven() {
    assertThatIllegalArgumentException().isThrownBy(() -> new LongPool(8).give(0));
  }

  @Test
  void aThreadTakesFirstWhatItGaveLast() {
    var pool = new LongPool(8);
    pool.give(1);
    pool.give(2);
    pool.give(3);
    assertThat(pool.take()).isEqualTo(3);
    pool.give(4);
    assertThat(pool.take()).isEqualTo(4);
    assertThat(pool.take()).isEqualTo(2);
    assertThat(pool.size()).isEqualTo(1);
  }

  @ParameterizedTest(name = "one take of {0} asks")
  @ValueSource(ints = {1, 16, 256})
  void whatComesBackElsewhereIsTakenAgainBeforeOthers(int asking) {
    var back = new ArrayDeque<Long>();
    var pools = new LongPool[1];
    pools[0] =
        new LongPool(
            10_000,
            asking,
            () -> {
              while (!back.isEmpty()) {
                pools[0].give(back.pop());
              }
            });
    for (long i = 1; i <= 10_000; i++) {
      pools[0].give(i);
    }
    var taken = new HashSet<Long>();
    for (int i = 0; i < 100_000; i++) {
      long value = pools[0].take();
      taken.add(value);
      back.push(value);
    }
    assertThat(taken).hasSizeLessThanOrEqualTo(2 * asking);
    assertThat(pools[0].size() + back.size()).isEqualTo(10_000);
  }

  @ParameterizedTest(name = "{0} values in {1} deques")
  @CsvSource({"1,1", "1,64", "7,3", "100,4", "1000,1", "50000,4", "50000,64"})
  void oneThreadGivesThemAllAndAnotherFindsThemAll(int values, int deques) throws Exception {
    var pool = new LongPool(values, deques, 1, LongPoolTest::noMore);
    for (int i = 1; i <= values; i++) {
      pool.give(i);
    }
    assertThat(pool.size()).isEqualTo(values);
    Together.run(
        1,
        _ -> {
          var found = new BitSet();
          for (int i = 0; i < values; i++) {
            found.set((int) pool.take());
          }
          assertThat(found.cardinality()).isEqualTo(values);
          assertThat(found.get(0)).isFalse();
          assertThat(pool.take()).isZero();
        });
    assertThat(pool.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64})
  void moreThanThereIsRoomForIsRefused(int deques) {
    var pool = new LongPool(100, deques, 1, LongPoolTest::noMore);
    assertThatIllegalStateException()
        .isThrownBy(
            () -> {
              for (int i = 1; i <= 100_000; i++) {
                pool.give(i);
              }
            })
        .withMessageContaining("places are taken");
  }

  @ParameterizedTest(name = "{0} values in {1} deques")
  @CsvSource({"1,1", "3,2", "10,4", "1000,4", "1000,64"})
  void nothingIsLostOrHandedOutTwice(int values, int deques) throws Exception {
    var pool = new LongPool(values, deques, 1, LongPoolTest::noMore);
    for (int i = 1; i <= values; i++) {
      pool.give(i);
    }
    var held = new AtomicIntegerArray(values + 1);
    Together.run(
        4,
        who -> {
          var mine = new long[16];
          int count = 0;
          int random = who + 1;
          for (int i = 0; i < 100_000; i++) {
            random = random * 1_103_515_245 + 12_345;
            if (random < 0 && count < mine.length) {
              long value = pool.take();
              if (value != 0) {
                assertThat(held.incrementAndGet((int) value)).isEqualTo(1);
                mine[count++] = value;
              }
            } else if (count > 0) {
              long value = mine[--count];
              held.decrementAndGet((int) value);
              pool.give(value);
            }
          }
          while (count > 0) {
            long value = mine[--count];
            held.decrementAndGet((int) value);
            pool.give(value);
          }
        });
    assertThat(pool.size()).isEqualTo(values);
    var found = new BitSet();
    for (int i = 0; i < values; i++) {
      found.set((int) pool.take());
    }
    assertThat(found.cardinality()).isEqualTo(values);
  }

  @Test
  void oneThreadTakesWhatAnotherGivesBack() throws Exception {
    int values = 500;
    int passes = 100_000;
    var pool = new LongPool(values, 4, 1, LongPoolTest::noMore);
    for (int i = 1; i <= values; i++) {
      pool.give(i);
    }
    var between = new ArrayBlockingQueue<Long>(values);
    Together.run(
        2,
        who -> {
          for (int i = 0; i < passes; ) {
            if (who == 0) {
              long value = pool.take();
              if (value == 0) {
                Thread.yield();
                continue;
              }
              between.put(value);
            } else {
              pool.give(between.take());
            }
            i++;
          }
        });
    assertThat(pool.size()).isEqualTo(values);
  }

  @Test
  void virtualThreadsShareTheDeques() throws Exception {
    var pool = new LongPool(64);
    for (int i = 1; i <= 64; i++) {
      pool.give(i);
    }
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    for (int i = 0; i < 20_000; i++) {
      executor.execute(
          () -> {
            long value = pool.take();
            Thread.yield();
            if (value != 0) {
              pool.give(value);
            }
          });
    }
    executor.shutdown();
    assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(pool.size()).isEqualTo(64);
  }
}
