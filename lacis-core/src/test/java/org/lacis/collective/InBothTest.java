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

  private static final int CHUNK = Reduction.InBoth.CHUNK;

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
    for (int odd = 0; odd < 3; odd++) {
      MemorySegment data = chunk(reduction, odd, new Random(1));
      MemorySegment theirs = chunk(reduction, 2 * odd, new Random(2));
      check(reduction, data, theirs, data);
      MemorySegment target = chunk(reduction, 3 * odd, new Random(3));
      check(reduction, data, theirs, target);
    }
  }

  @ParameterizedTest
  @MethodSource("reductions")
  void inArraysToo(Reduction reduction) {
    MemorySegment theirs = chunk(reduction, 0, new Random(2));
    int element = reduction.elementBytes();
    MemorySegment data = array(reduction).asSlice(3 * element, CHUNK);
    data.copyFrom(chunk(reduction, 0, new Random(1)));
    MemorySegment target = array(reduction);
    check(reduction, data, theirs, target.asSlice(3 * element, CHUNK));
    check(reduction, data, theirs, data);
    Reduction.InBoth inBoth = reduction.inBoth();
    assertThat(inBoth.of(data, theirs, target.asSlice(2 * element, CHUNK))).isNull();
    assertThat(inBoth.of(theirs, theirs, target.asSlice(0, CHUNK))).isNull();
    MemorySegment bytes = MemorySegment.ofArray(new byte[CHUNK]);
    assertThat(inBoth.of(bytes, theirs, bytes)).isNull();
  }

  private static void check(
      Reduction reduction, MemorySegment data, MemorySegment theirs, MemorySegment target) {
    MemorySegment left = Arena.ofAuto().allocate(CHUNK);
    left.copyFrom(data); // loops of operators that see arrays are slow from then on
    MemorySegment result = Arena.ofAuto().allocate(CHUNK);
    reduction.operator().apply(left, theirs, result);
    reduction.inBoth().of(data, theirs, target).run();
    assertThat(target.mismatch(result)).as("in the target").isEqualTo(-1);
    assertThat(theirs.mismatch(result)).as("in theirs").isEqualTo(-1);
  }

  /** An array of a chunk and some elements more. */
  private static MemorySegment array(Reduction reduction) {
    int count = CHUNK / reduction.elementBytes() + 4;
    String type = reduction.name().substring(reduction.name().lastIndexOf(' ') + 1);
    return switch (type) {
      case "int" -> MemorySegment.ofArray(new int[count]);
      case "long" -> MemorySegment.ofArray(new long[count]);
      case "float" -> MemorySegment.ofArray(new float[count]);
      default -> MemorySegment.ofArray(new double[count]);
    };
  }

  /** Random elements, at an address so many bytes off a multiple of eight. */
  private static MemorySegment chunk(Reduction reduction, int odd, Random random) {
    MemorySegment chunk = Arena.ofAuto().allocate(CHUNK + 16, 8).asSlice(odd);
    for (int at = 0; at < CHUNK; at += reduction.elementBytes()) {
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
    return chunk.asSlice(0, CHUNK);
  }

  private static double real(Random random) {
    double[] special = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    int draw = random.nextInt(20);
    return draw < special.length ? special[draw] : random.nextGaussian();
  }
}
