package org.lacis.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reductions that put their result in both places do what their operators do. */
class InBothTest {

  static List<Reduction> reductions() {
    return List.of(
        Reduction.SUM_INT,
        Reduction.PRODUCT_INT,
        Reduction.MIN_INT,
        Reduction.MAX_INT,
        Reduction.AND_INT,
        Reduction.OR_INT,
        Reduction.XOR_INT,
        Reduction.SUM_LONG,
        Reduction.PRODUCT_LONG,
        Reduction.MIN_LONG,
        Reduction.MAX_LONG,
        Reduction.AND_LONG,
        Reduction.OR_LONG,
        Reduction.XOR_LONG);
  }

  @ParameterizedTest
  @MethodSource("reductions")
  void bothAreTheResult(Reduction reduction) {
    Reduction.InBoth inBoth = reduction.inBoth();
    assertThat(inBoth).isNotNull();
    Random random = new Random(1);
    for (int count : new int[] {0, 1, 3, 4, 5, 8, 1063}) {
      byte[] bytes = new byte[count * reduction.elementBytes() + 1];
      random.nextBytes(bytes);
      // One on the heap and one off it, at an odd address.
      MemorySegment left = MemorySegment.ofArray(bytes).asSlice(1);
      MemorySegment right = Arena.ofAuto().allocate(bytes.length).asSlice(1);
      right.copyFrom(left);
      random.nextBytes(bytes);
      MemorySegment result = Arena.ofAuto().allocate(right.byteSize());
      reduction.operator().apply(left, right, result);
      inBoth.apply(left, right);
      assertThat(left.mismatch(result)).as("%d in the left", count).isEqualTo(-1);
      assertThat(right.mismatch(result)).as("%d in the right", count).isEqualTo(-1);
    }
  }
}
