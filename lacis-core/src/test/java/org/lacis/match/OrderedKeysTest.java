package org.lacis.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class OrderedKeysTest {

  @Test
  void aReceiveMatchesWhatItDoesNotLeaveOpen() {
    long message = OrderedKeys.key(3, 5);
    assertThat(OrderedKeys.matches(OrderedKeys.key(3, 5), message)).isTrue();
    assertThat(OrderedKeys.matches(OrderedKeys.key(3, 6), message)).isFalse();
    assertThat(OrderedKeys.matches(OrderedKeys.key(4, 5), message)).isFalse();
    assertThat(OrderedKeys.matches(OrderedKeys.key(1, 3, -3), message)).isTrue();
    assertThat(OrderedKeys.matches(OrderedKeys.key(1, 4, -3), message)).isFalse();
    assertThat(OrderedKeys.matches(OrderedKeys.key(2, -2, 5), message)).isTrue();
    assertThat(OrderedKeys.matches(OrderedKeys.key(2, -2, 6), message)).isFalse();
    assertThat(OrderedKeys.matches(OrderedKeys.key(3, -2, -3), message)).isTrue();
  }

  /** As many keys as bins: chance puts 6 or 7 into the fullest. */
  @Test
  void keysOfEveryPatternSpreadOverTheBins() {
    for (int index : new int[] {0, OrderedKeys.ANY_SOURCE}) {
      assertThat(fullest(index, _ -> 0, i -> i)).as("tags").isLessThan(12);
      assertThat(fullest(index, _ -> 0, i -> i << 6)).as("tags by 64").isLessThan(12);
      assertThat(fullest(index, _ -> 0, i -> i << 10)).as("tags by 1024").isLessThan(12);
      assertThat(fullest(index, _ -> 0, i -> i << 20)).as("high tags").isLessThan(12);
    }
    assertThat(fullest(0, i -> i, _ -> 7)).as("sources").isLessThan(12);
    assertThat(fullest(0, i -> i & 31, i -> i >> 5)).as("sources by tags").isLessThan(12);
    assertThat(fullest(OrderedKeys.ANY_TAG, i -> i, _ -> 7)).as("sources").isEqualTo(1);
  }

  private static int fullest(int index, IntUnaryOperator source, IntUnaryOperator tag) {
    int bits = 10;
    var sizes = new int[Bins.count(1 << bits)];
    for (int i = 0; i < 1 << bits; i++) {
      int s = source.applyAsInt(i);
      int t = tag.applyAsInt(i);
      sizes[Bins.bin(bits, index, OrderedKeys.key(s, t), OrderedKeys.hash(s, t))]++;
    }
    return Arrays.stream(sizes).max().orElse(0);
  }
}
