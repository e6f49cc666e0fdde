package org.lacis.net;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * The pieces of a put or get: ranges of memory here, and for each where it is in what the peer has
 * registered. Filled again and again by its owner; a device sets off the next ones, in order, and
 * keeps nothing of it after the call.
 */
public final class NetPieces {

  private static final int OFFSET = 0;
  private static final int LENGTH = 1;
  private static final int KEY = 2;
  private static final int KEY_OFFSET = 3;
  private static final int NUMBERS = 4;

  private MemorySegment[] locals = new MemorySegment[8];
  private long[] numbers = new long[8 * NUMBERS];
  private int count;
  private int next;

  /** Without pieces. */
  public NetPieces() {}

  /** Forgets all pieces. */
  public void clear() {
    Arrays.fill(locals, 0, count, null);
    count = 0;
    next = 0;
  }

  /** Adds a piece behind the others. An empty one is left out, as there is nothing to move. */
  public void add(MemorySegment local, long offset, long length, long key, long keyOffset) {
    Objects.checkFromIndexSize(offset, length, local.byteSize());
    if (length == 0) {
      return;
    }
    if (count == locals.length) {
      locals = Arrays.copyOf(locals, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * count * NUMBERS);
    }
    locals[count] = local;
    int at = NUMBERS * count++;
    numbers[at + OFFSET] = offset;
    numbers[at + LENGTH] = length;
    numbers[at + KEY] = key;
    numbers[at + KEY_OFFSET] = keyOffset;
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /** The first that was not set off yet; as many as there are if all were. */
  public int next() {
    return next;
  }

  /** So many more were set off. The device's. */
  public void advance(int pieces) {
    next += pieces;
  }

  /** Where it is here. */
  public MemorySegment local(int piece) {
    return locals[piece];
  }

  /** Where in that. */
  public long offset(int piece) {
    return numbers[NUMBERS * piece + OFFSET];
  }

  /** How many bytes it has. */
  public long length(int piece) {
    return numbers[NUMBERS * piece + LENGTH];
  }

  /** The peer's registration. */
  public long key(int piece) {
    return numbers[NUMBERS * piece + KEY];
  }

  /** Where in the registered range. */
  public long keyOffset(int piece) {
    return numbers[NUMBERS * piece + KEY_OFFSET];
  }
}
