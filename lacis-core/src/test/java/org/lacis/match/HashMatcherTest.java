package org.lacis.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to the hash matcher; the rest is in its contract test. */
class HashMatcherTest {

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 3, 65_535, Integer.MIN_VALUE})
  void bucketsMustBeAPowerOfTwo(int buckets) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HashMatcher(buckets))
        .withMessageContaining("power of two, not " + buckets);
  }

  @Test
  void everyKeyHasABucketWhateverTheirNumber() {
    for (int buckets = 1; buckets <= 1 << 20; buckets <<= 1) {
      var matcher = new HashMatcher(buckets);
      for (long key : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x123456789ABCDEFL}) {
        assertThat(matcher.bucket(key)).isBetween(0, buckets - 1);
      }
    }
  }

  /** As many keys as buckets: chance puts 8 or 9 into the fullest bucket. */
  @Test
  void keysOfEveryPatternSpreadOverTheBuckets() {
    assertThat(fullest(i -> i)).as("tags").isLessThan(13);
    assertThat(fullest(i -> i << 32)).as("ranks").isLessThan(13);
    assertThat(fullest(i -> (i & 0xFF) << 32 | i >> 8)).as("ranks by tags").isLessThan(13);
    assertThat(fullest(i -> (i & 3) << 62 | i >> 2)).as("policies").isLessThan(13);
    assertThat(fullest(i -> i << 12)).as("tags in pages").isLessThan(13);
    assertThat(fullest(i -> i << 48 | i << 16)).as("rank and tag alike").isLessThan(13);
    assertThat(fullest(i -> i << 32 | (0xFFFF - i))).as("rank against tag").isLessThan(13);
  }

  private static int fullest(LongUnaryOperator pattern) {
    var matcher = new HashMatcher();
    int[] load = new int[HashMatcher.DEFAULT_BUCKETS];
    for (int i = 0; i < load.length; i++) {
      load[matcher.bucket(pattern.applyAsLong(i))]++;
    }
    return Arrays.stream(load).max().orElseThrow();
  }
}
