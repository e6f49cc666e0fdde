package org.lacis.net;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A word in memory that is read and changed in one step, whoever else does so at the same time, as
 * {@link NetDevice#atomic} asks for. What is to be done is one number: one of the constants, plus
 * {@link #INT} for a word of 32 bits instead of 64.
 */
public final class AtomicWord {

  /** Adds the operand; it wraps around. */
  public static final int ADD = 1;

  /** Writes the operand. */
  public static final int SWAP = 2;

  /** Writes the operand if the word is what was expected. */
  public static final int COMPARE_AND_SWAP = 3;

  /** Clears the bits that are not in the operand. */
  public static final int AND = 4;

  /** Sets the bits of the operand. */
  public static final int OR = 5;

  /** Flips the bits of the operand. */
  public static final int XOR = 6;

  /** Added to an operation: the word has 32 bits, and so has what goes with it. */
  public static final int INT = 8;

  private static final VarHandle LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle INTEGER =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private AtomicWord() {}

  /** The length of the word, in bytes. */
  public static int bytes(int operation) {
    return (operation & INT) == 0 ? Long.BYTES : Integer.BYTES;
  }

  /**
   * Does it.
   *
   * @param segment where the word is; {@link Memory#all} for one by its address
   * @param offset where in it
   * @param operand the lower half of it for 32 bits, and so with {@code expected}
   * @param expected for {@link #COMPARE_AND_SWAP} only
   * @return what was there before
   * @throws IllegalArgumentException if it is not an operation, or the word is not aligned
   */
  public static long apply(
      int operation, MemorySegment segment, long offset, long operand, long expected) {
    return (operation & INT) == 0
        ? applyLong(operation, segment, offset, operand, expected)
        : applyInt(operation & ~INT, segment, offset, (int) operand, (int) expected);
  }

  private static long applyLong(
      int operation, MemorySegment segment, long offset, long operand, long expected) {
    return switch (operation) {
      case ADD -> (long) LONG.getAndAdd(segment, offset, operand);
      case SWAP -> (long) LONG.getAndSet(segment, offset, operand);
      case COMPARE_AND_SWAP -> (long) LONG.compareAndExchange(segment, offset, expected, operand);
      case AND -> (long) LONG.getAndBitwiseAnd(segment, offset, operand);
      case OR -> (long) LONG.getAndBitwiseOr(segment, offset, operand);
      case XOR -> (long) LONG.getAndBitwiseXor(segment, offset, operand);
      default -> throw unknown(operation);
    };
  }

  private static int applyInt(
      int operation, MemorySegment segment, long offset, int operand, int expected) {
    return switch (operation) {
      case ADD -> (int) INTEGER.getAndAdd(segment, offset, operand);
      case SWAP -> (int) INTEGER.getAndSet(segment, offset, operand);
      case COMPARE_AND_SWAP -> (int) INTEGER.compareAndExchange(segment, offset, expected, operand);
      case AND -> (int) INTEGER.getAndBitwiseAnd(segment, offset, operand);
      case OR -> (int) INTEGER.getAndBitwiseOr(segment, offset, operand);
      case XOR -> (int) INTEGER.getAndBitwiseXor(segment, offset, operand);
      default -> throw unknown(operation);
    };
  }

  private static IllegalArgumentException unknown(int operation) {
    return new IllegalArgumentException(operation + " is not an atomic operation");
  }

  /**
   * Whether a number is an operation.
   *
   * @param operation perhaps from another process
   */
  public static boolean isKnown(int operation) {
    int plain = operation & ~INT;
    return plain >= ADD && plain <= XOR;
  }

  /**
   * Writes what was found, as it is in memory.
   *
   * @param found what {@link #apply} answered
   * @param segment where to
   * @param offset where in it; not aligned
   */
  public static void store(int operation, long found, MemorySegment segment, long offset) {
    if ((operation & INT) == 0) {
      segment.set(Memory.LONG, offset, found);
    } else {
      segment.set(Memory.INT, offset, (int) found);
    }
  }
}
