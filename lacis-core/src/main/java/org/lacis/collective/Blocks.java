package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Where the data of each member is in a buffer that holds the data of all of them: an offset and a
 * length each, in bytes. Immutable.
 *
 * <p>In a call they stand behind the buffer that they are blocks of: {@code gather(in, out, blocks,
 * root)}, {@code scatter(in, blocks, out, root)}, {@code alltoall(in, sent, out, received)}.
 */
public final class Blocks {

  private final long[] offsets;
  private final long[] lengths;

  private Blocks(long[] lengths, long[] offsets) {
    this.lengths = lengths;
    this.offsets = offsets;
    if (lengths.length != offsets.length) {
      throw new IllegalArgumentException(
          lengths.length + " lengths, but " + offsets.length + " offsets");
    }
    long total = 0;
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0 || offsets[i] < 0) {
        throw new IllegalArgumentException(
            "block "
                + i
                + " has length "
                + lengths[i]
                + " and offset "
                + offsets[i]
                + ": neither may be negative");
      }
      if (lengths[i] > Long.MAX_VALUE - Math.max(offsets[i], total)) {
        throw new IllegalArgumentException(
            "block "
                + i
                + " has length "
                + lengths[i]
                + " and offset "
                + offsets[i]
                + ": its end, and all blocks together, must be less than 2^63 bytes");
      }
      total += lengths[i];
    }
  }

  /**
   * Blocks of one length, one after the other.
   *
   * @param count how many
   * @param bytes the length of each
   */
  public static Blocks equal(int count, long bytes) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    long[] lengths = new long[count];
    Arrays.fill(lengths, bytes);
    return of(lengths);
  }

  /** Blocks of these lengths, in bytes, one after the other. */
  public static Blocks of(long... lengths) {
    long[] offsets = new long[lengths.length];
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = offsets[i - 1] + lengths[i - 1]; // too far is refused with the block before
    }
    return new Blocks(lengths.clone(), offsets);
  }

  /**
   * Blocks anywhere.
   *
   * @param lengths in bytes
   * @param offsets in bytes; blocks of data that comes in must not overlap
   */
  public static Blocks of(long[] lengths, long[] offsets) {
    return new Blocks(lengths.clone(), offsets.clone());
  }

  /** Cuts data into pieces that differ by one element at most, one after the other. */
  static Blocks even(long bytes, int count, int elementBytes) {
    long elements = bytes / elementBytes;
    long[] lengths = new long[count];
    for (int i = 0; i < count; i++) {
      lengths[i] = (elements / count + (i < elements % count ? 1 : 0)) * elementBytes;
    }
    return of(lengths);
  }

  /** The same lengths one after the other, starting with that of a certain block. */
  Blocks packedFrom(int first) {
    long[] rotated = new long[lengths.length];
    for (int i = 0; i < rotated.length; i++) {
      rotated[i] = lengths[(first + i) % lengths.length];
    }
    return of(rotated);
  }

  /** How many there are. */
  public int count() {
    return lengths.length;
  }

  /** The length of a block, in bytes. */
  public long length(int block) {
    return lengths[block];
  }

  /** Where a block starts, in bytes. */
  public long offset(int block) {
    return offsets[block];
  }

  /** Where the last byte of them ends, in bytes: what a buffer has to have. */
  public long extent() {
    long extent = 0;
    for (int i = 0; i < lengths.length; i++) {
      extent = Math.max(extent, offsets[i] + lengths[i]);
    }
    return extent;
  }

  /** The sum of their lengths, in bytes. */
  public long total() {
    return Arrays.stream(lengths).sum();
  }

  /** A block of a buffer. */
  MemorySegment of(MemorySegment buffer, int block) {
    return buffer.asSlice(offsets[block], lengths[block]);
  }

  /** How long blocks are that come one after the other, from one to before another, in bytes. */
  long span(int from, int to) {
    long end = to == lengths.length ? extent() : offsets[to];
    return end - offsets[from];
  }

  /** Blocks of a buffer that come one after the other, from one to before another. */
  MemorySegment of(MemorySegment buffer, int from, int to) {
    return buffer.asSlice(offsets[from], span(from, to));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Blocks blocks
        && Arrays.equals(lengths, blocks.lengths)
        && Arrays.equals(offsets, blocks.offsets);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(lengths) + Arrays.hashCode(offsets);
  }

  @Override
  public String toString() {
    return "Blocks[lengths "
        + Arrays.toString(lengths)
        + ", offsets "
        + Arrays.toString(offsets)
        + "]";
  }
}
