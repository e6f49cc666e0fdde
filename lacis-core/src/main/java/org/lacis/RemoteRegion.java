package org.lacis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A region of another rank (or of this one), as a small value that can be sent around.
 *
 * @param rank whose it is
 * @param job which job and runtime it belongs to
 * @param key proves that its owner has handed it out
 * @param offset where this part starts in the registered memory, in bytes
 * @param length in bytes
 * @param rights what peers may do
 */
public record RemoteRegion(int rank, long job, long key, long offset, long length, Rights rights) {

  /** The length of {@link #toBytes()}. */
  public static final int BYTES = 40;

  private static final Rights[] RIGHTS = Rights.values();

  /** Checks the values. */
  public RemoteRegion {
    if (rank < 0 || offset < 0 || length < 0) {
      throw new IllegalArgumentException(
          "rank, offset and length must not be negative, but are "
              + rank
              + ", "
              + offset
              + " and "
              + length);
    }
  }

  /**
   * A part of it.
   *
   * @param offset where the part starts in this region, in bytes
   * @param length of the part, in bytes
   */
  public RemoteRegion slice(long offset, long length) {
    if (offset < 0 || length < 0 || length > this.length - offset) {
      throw new IndexOutOfBoundsException(
          "offset "
              + offset
              + " and length "
              + length
              + " do not lie in a region of "
              + this.length
              + " bytes");
    }
    return new RemoteRegion(rank, job, key, this.offset + offset, length, rights);
  }

  /** The value as bytes, for a message. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(rank)
        .putInt(rights.ordinal())
        .putLong(job)
        .putLong(key)
        .putLong(offset)
        .putLong(length)
        .array();
  }

  /**
   * The reverse of {@link #toBytes()}.
   *
   * @param bytes exactly {@value #BYTES} of them
   * @throws IllegalArgumentException if they are not what {@link #toBytes()} gave
   */
  public static RemoteRegion fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "a RemoteRegion is " + BYTES + " bytes, but these are " + bytes.length);
    }
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int rank = b.getInt();
    int rights = b.getInt();
    if (rights < 0 || rights >= RIGHTS.length) {
      throw new IllegalArgumentException(
          "these bytes are not a RemoteRegion: its rights would be " + rights);
    }
    return new RemoteRegion(
        rank, b.getLong(), b.getLong(), b.getLong(), b.getLong(), RIGHTS[rights]);
  }
}
