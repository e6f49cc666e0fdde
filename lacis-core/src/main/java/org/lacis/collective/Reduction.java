package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the data of several members is combined, element by element. The operator has to be
 * associative. If it is not commutative it is applied in the order of the members.
 *
 * <p>The elements of those that come with it are in the byte order of the machine, at any
 * alignment, in memory of any kind. Sums and products of {@code int} and {@code long} wrap around.
 * Those of {@code float} and {@code double} are rounded in an order that depends on the algorithm;
 * it is the same in every run, and every member gets the same bits.
 */
public final class Reduction {

  /** The sum of {@code int} elements. */
  public static final Reduction SUM_INT =
      builtIn(
          "sum of int",
          4,
          IntLoops::sum,
          IntLoops.inBoth(IntLoops::sumInBoth, IntLoops::sumInBoth, IntLoops::sumInBoth));

  /** The product of {@code int} elements. */
  public static final Reduction PRODUCT_INT = builtIn("product of int", 4, IntLoops::product);

  /** The least of {@code int} elements. */
  public static final Reduction MIN_INT =
      builtIn(
          "min of int",
          4,
          IntLoops::min,
          IntLoops.inBoth(IntLoops::minInBoth, IntLoops::minInBoth, IntLoops::minInBoth));

  /** The greatest of {@code int} elements. */
  public static final Reduction MAX_INT =
      builtIn(
          "max of int",
          4,
          IntLoops::max,
          IntLoops.inBoth(IntLoops::maxInBoth, IntLoops::maxInBoth, IntLoops::maxInBoth));

  /** The bits set in all {@code int} elements. */
  public static final Reduction AND_INT = builtIn("and of int", 4, IntLoops::and);

  /** The bits set in any of {@code int} elements. */
  public static final Reduction OR_INT = builtIn("or of int", 4, IntLoops::or);

  /** The bits set in an odd number of {@code int} elements. */
  public static final Reduction XOR_INT = builtIn("xor of int", 4, IntLoops::xor);

  /** The sum of {@code long} elements. */
  public static final Reduction SUM_LONG =
      builtIn(
          "sum of long",
          8,
          LongLoops::sum,
          LongLoops.inBoth(LongLoops::sumInBoth, LongLoops::sumInBoth, LongLoops::sumInBoth));

  /** The product of {@code long} elements. */
  public static final Reduction PRODUCT_LONG = builtIn("product of long", 8, LongLoops::product);

  /** The least of {@code long} elements. */
  public static final Reduction MIN_LONG =
      builtIn(
          "min of long",
          8,
          LongLoops::min,
          LongLoops.inBoth(LongLoops::minInBoth, LongLoops::minInBoth, LongLoops::minInBoth));

  /** The greatest of {@code long} elements. */
  public static final Reduction MAX_LONG =
      builtIn(
          "max of long",
          8,
          LongLoops::max,
          LongLoops.inBoth(LongLoops::maxInBoth, LongLoops::maxInBoth, LongLoops::maxInBoth));

  /** The bits set in all {@code long} elements. */
  public static final Reduction AND_LONG = builtIn("and of long", 8, LongLoops::and);

  /** The bits set in any of {@code long} elements. */
  public static final Reduction OR_LONG = builtIn("or of long", 8, LongLoops::or);

  /** The bits set in an odd number of {@code long} elements. */
  public static final Reduction XOR_LONG = builtIn("xor of long", 8, LongLoops::xor);

  /** The sum of {@code float} elements. */
  public static final Reduction SUM_FLOAT =
      builtIn(
          "sum of float",
          4,
          FloatLoops::sum,
          FloatLoops.inBoth(FloatLoops::sumInBoth, FloatLoops::sumInBoth, FloatLoops::sumInBoth));

  /** The product of {@code float} elements. */
  public static final Reduction PRODUCT_FLOAT = builtIn("product of float", 4, FloatLoops::product);

  /** The least of {@code float} elements; NaN if one of them is. */
  public static final Reduction MIN_FLOAT =
      builtIn(
          "min of float",
          4,
          FloatLoops::min,
          FloatLoops.inBoth(FloatLoops::minInBoth, FloatLoops::minInBoth, FloatLoops::minInBoth));

  /** The greatest of {@code float} elements; NaN if one of them is. */
  public static final Reduction MAX_FLOAT =
      builtIn(
          "max of float",
          4,
          FloatLoops::max,
          FloatLoops.inBoth(FloatLoops::maxInBoth, FloatLoops::maxInBoth, FloatLoops::maxInBoth));

  /** The sum of {@code double} elements. */
  public static final Reduction SUM_DOUBLE =
      builtIn(
          "sum of double",
          8,
          DoubleLoops::sum,
          DoubleLoops.inBoth(
              DoubleLoops::sumInBoth, DoubleLoops::sumInBoth, DoubleLoops::sumInBoth));

  /** The product of {@code double} elements. */
  public static final Reduction PRODUCT_DOUBLE =
      builtIn("product of double", 8, DoubleLoops::product);

  /** The least of {@code double} elements; NaN if one of them is. */
  public static final Reduction MIN_DOUBLE =
      builtIn(
          "min of double",
          8,
          DoubleLoops::min,
          DoubleLoops.inBoth(
              DoubleLoops::minInBoth, DoubleLoops::minInBoth, DoubleLoops::minInBoth));

  /** The greatest of {@code double} elements; NaN if one of them is. */
  public static final Reduction MAX_DOUBLE =
      builtIn(
          "max of double",
          8,
          DoubleLoops::max,
          DoubleLoops.inBoth(
              DoubleLoops::maxInBoth, DoubleLoops::maxInBoth, DoubleLoops::maxInBoth));

  private final String name;
  private final int elementBytes;
  private final boolean commutative;
  private final Operator operator;
  private final @Nullable InBoth inBoth;

  private Reduction(
      String name,
      int elementBytes,
      boolean commutative,
      Operator operator,
      @Nullable InBoth inBoth) {
    this.name = Objects.requireNonNull(name, "name");
    this.elementBytes = elementBytes;
    this.commutative = commutative;
    this.operator = Objects.requireNonNull(operator, "operator");
    this.inBoth = inBoth;
    if (elementBytes < 1) {
      throw new IllegalArgumentException("elementBytes must be at least 1, but is " + elementBytes);
    }
  }

  private static Reduction builtIn(String name, int elementBytes, Operator operator) {
    return new Reduction(name, elementBytes, true, operator, null);
  }

  private static Reduction builtIn(
      String name, int elementBytes, Operator operator, InBoth inBoth) {
    return new Reduction(name, elementBytes, true, operator, inBoth);
  }

  /**
   * A reduction of your own.
   *
   * @param name for people
   * @param elementBytes the size of an element; data is cut between elements only
   * @param commutative whether the order of the members does not matter
   * @param operator combines elements; runs inside progress, so it should be short and must not
   *     wait
   */
  public static Reduction of(
      String name, int elementBytes, boolean commutative, Operator operator) {
    return new Reduction(name, elementBytes, commutative, operator, null);
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** The size of an element, in bytes. */
  public int elementBytes() {
    return elementBytes;
  }

  /** Whether the order of the members does not matter. */
  public boolean commutative() {
    return commutative;
  }

  /** What combines elements. */
  public Operator operator() {
    return operator;
  }

  /**
   * What puts whole chunks of them in both places; null if there is nothing like that, as for what
   * long data is rarely combined by.
   */
  @Nullable InBoth inBoth() {
    return inBoth;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Combines elements: {@code result[i] = left[i] op right[i]}. */
  @FunctionalInterface
  public interface Operator {
    /**
     * Combines all elements of two segments of the same length.
     *
     * @param left the elements of members that come before those of {@code right}
     * @param right the elements of members that come after
     * @param result where to put them; the same memory as one of the others, or apart from both
     */
    void apply(MemorySegment left, MemorySegment right, MemorySegment result);
  }

  /**
   * Combines elements, and puts the results in two places: {@code target[i] = theirs[i] = data[i]
   * op theirs[i]}.
   *
   * <p>What makes the compiler use vectors: a length it knows; several elements that are read
   * before any is written, as the places might overlap; and NIO buffers for {@code float} and
   * {@code double}, for which it uses none in segments. The first access stands before the loop:
   * there, not in the loop, the code finds that memory is of a new kind and has to be compiled
   * again; otherwise it would then be without vectors for good. It still is for buffers, if the
   * program has buffers of other kinds, so whoever uses this looks at how long it takes; and the
   * more places there are, the more often, so there is another loop for two than for three. Arrays
   * do not overlap a buffer, nor each other if the index is the same: there, plain loops do.
   */
  @FunctionalInterface
  interface InBoth {

    /** The bytes combined at once. */
    int CHUNK = 16 << 10;

    /**
     * What combines two chunks.
     *
     * @param data a chunk, which may be on the heap
     * @param theirs another, outside the heap
     * @param target the same memory as the first, or apart from both
     * @return null if one of them is on the heap, unless both lie at the same index of arrays of
     *     such elements
     */
    @Nullable Runnable of(MemorySegment data, MemorySegment theirs, MemorySegment target);

    /** Combines chunks outside the heap that are apart from each other. */
    @FunctionalInterface
    interface Loop<T> {
      void combine(T data, T theirs, T target);
    }
  }
}
