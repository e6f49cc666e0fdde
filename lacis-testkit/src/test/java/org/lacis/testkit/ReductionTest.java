package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.lacis.collective.Reduction;

/** What each reduction does with elements, at any alignment, in place or not. */
@ExtendWith(Seeded.class)
class ReductionTest {

  /** More than a block of those loops, and not a multiple of it. */
  private static final int COUNT = 1061;

  @Test
  void intsAndLongs(RandomGenerator random) {
    check(random, Reduction.SUM_INT, Reduction.SUM_LONG, Long::sum);
    check(random, Reduction.PRODUCT_INT, Reduction.PRODUCT_LONG, (x, y) -> x * y);
    check(random, Reduction.MIN_INT, Reduction.MIN_LONG, Math::min);
    check(random, Reduction.MAX_INT, Reduction.MAX_LONG, Math::max);
    check(random, Reduction.AND_INT, Reduction.AND_LONG, (x, y) -> x & y);
    check(random, Reduction.OR_INT, Reduction.OR_LONG, (x, y) -> x | y);
    check(random, Reduction.XOR_INT, Reduction.XOR_LONG, (x, y) -> x ^ y);
  }

  @Test
  void floatsAndDoubles(RandomGenerator random) {
    checkReals(random, Reduction.SUM_FLOAT, Reduction.SUM_DOUBLE, Double::sum);
    checkReals(random, Reduction.PRODUCT_FLOAT, Reduction.PRODUCT_DOUBLE, (x, y) -> x * y);
    checkReals(random, Reduction.MIN_FLOAT, Reduction.MIN_DOUBLE, Math::min);
    checkReals(random, Reduction.MAX_FLOAT, Reduction.MAX_DOUBLE, Math::max);
  }

  private static void check(
      RandomGenerator random, Reduction ints, Reduction longs, LongBinaryOperator operator) {
    MemorySegment[] i = run(random, ints, Integer.BYTES);
    MemorySegment[] l = run(random, longs, Long.BYTES);
    for (int at = 0; at < COUNT; at++) {
      var layout = ValueLayout.JAVA_INT_UNALIGNED;
      assertThat(i[2].get(layout, 4L * at))
          .as(ints.name())
          .isEqualTo(
              (int) operator.applyAsLong(i[0].get(layout, 4L * at), i[1].get(layout, 4L * at)));
      var wide = ValueLayout.JAVA_LONG_UNALIGNED;
      assertThat(l[2].get(wide, 8L * at))
          .as(longs.name())
          .isEqualTo(operator.applyAsLong(l[0].get(wide, 8L * at), l[1].get(wide, 8L * at)));
    }
  }

  private static void checkReals(
      RandomGenerator random, Reduction floats, Reduction doubles, DoubleBinaryOperator operator) {
    MemorySegment[] f = run(random, floats, Float.BYTES);
    MemorySegment[] d = run(random, doubles, Double.BYTES);
    for (int at = 0; at < COUNT; at++) {
      var layout = ValueLayout.JAVA_FLOAT_UNALIGNED;
      assertThat(f[2].get(layout, 4L * at))
          .as(floats.name())
          .isEqualTo(
              (float) operator.applyAsDouble(f[0].get(layout, 4L * at), f[1].get(layout, 4L * at)));
      var wide = ValueLayout.JAVA_DOUBLE_UNALIGNED;
      assertThat(d[2].get(wide, 8L * at))
          .as(doubles.name())
          .isEqualTo(operator.applyAsDouble(d[0].get(wide, 8L * at), d[1].get(wide, 8L * at)));
    }
  }

  /** Left, right and result, which is the same in place. */
  private static MemorySegment[] run(RandomGenerator random, Reduction reduction, int bytes) {
    assertThat(reduction.elementBytes()).isEqualTo(bytes);
    assertThat(reduction.commutative()).isTrue();
    MemorySegment[] all = new MemorySegment[3];
    for (int k = 0; k < 3; k++) {
      byte[] content = new byte[COUNT * bytes + 1];
      random.nextBytes(content);
      // No element has its highest exponent bit set if it is a real number: so it is one.
      for (int at = bytes; at < content.length; at += bytes) {
        content[at] &= (byte) 0xbf;
      }
      all[k] = MemorySegment.ofArray(content).asSlice(1);
    }
    MemorySegment left = MemorySegment.ofArray(all[0].toArray(ValueLayout.JAVA_BYTE));
    MemorySegment right = Talk.memory(left.byteSize()).copyFrom(all[1]);
    reduction.operator().apply(all[0], all[1], all[2]);
    reduction.operator().apply(left, all[1], left);
    reduction.operator().apply(all[0], right, right);
    assertThat(left.mismatch(all[2])).isEqualTo(-1);
    assertThat(right.mismatch(all[2])).isEqualTo(-1);
    for (int count : new int[] {1, 3, 4, random.nextInt(5, COUNT)}) {
      long from = (long) random.nextInt(COUNT - count) * bytes;
      MemorySegment cut = Talk.memory((long) count * bytes);
      reduction
          .operator()
          .apply(all[0].asSlice(from, cut.byteSize()), all[1].asSlice(from, cut.byteSize()), cut);
      assertThat(cut.mismatch(all[2].asSlice(from, cut.byteSize()))).as("%d", count).isEqualTo(-1);
    }
    return all;
  }
}
