package org.lacis.collective;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
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
        Reduction.MIN_INT,
        Reduction.MAX_INT,
        Reduction.SUM_LONG,
        Reduction.MIN_LONG,
        Reduction.MAX_LONG,
        Reduction.SUM_FLOAT,
        Reduction.MIN_FLOAT,
        Reduction.MAX_FLOAT,
        Reduction.SUM_DOUBLE,
        Reduction.MIN_DOUBLE,
        Reduction.MAX_DOUBLE);
  }

  @ParameterizedTest
  @MethodSource("reductions")
  void bothAreTheResult(Reduction reduction) {
    Reduction.InBoth inBoth = reduction.inBoth();
    assertThat(inBoth).isNotNull();
    for (int odd = 0; odd < 3; odd++) {
      MemorySegment left = chunk(reduction, odd, new Random(1));
      MemorySegment right = chunk(reduction, 2 * odd, new Random(2));
      MemorySegment result = Arena.ofAuto().allocate(left.byteSize());
      reduction.operator().apply(left, right, result);
      inBoth.of(left, right).run();
      assertThat(left.mismatch(result)).as("in the left").isEqualTo(-1);
      assertThat(right.mismatch(result)).as("in the right").isEqualTo(-1);
    }
  }

  /** Random elements, at an address so many bytes off a multiple of eight. */
  private static MemorySegment chunk(Reduction reduction, int odd, Random random) {
    MemorySegment chunk = Arena.ofAuto().allocate(Reduction.InBoth.CHUNK + 8, 8).asSlice(odd);
    for (int at = 0; at < chunk.byteSize() - 8; at += reduction.elementBytes()) {
      if (reduction.name().endsWith("float")) {
        chunk.set(JAVA_FLOAT_UNALIGNED, at, (float) real(random));
      } else if (reduction.name().endsWith("double")) {
        chunk.set(JAVA_DOUBLE_UNALIGNED, at, real(random));
      } else if (reduction.elementBytes() == 4) {
        chunk.set(JAVA_INT_UNALIGNED, at, random.nextInt());
      } else {
        chunk.set(JAVA_LONG_UNALIGNED, at, random.nextLong());
      }
    }
    return chunk.asSlice(0, Reduction.InBoth.CHUNK);
  }

  private static double real(Random random) {
    double[] special = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    int draw = random.nextInt(20);
    return draw < special.length ? special[draw] : random.nextGaussian();
  }
}
