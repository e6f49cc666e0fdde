package org.lacis;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

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
    Objects.requireNonNull(rights, "rights");
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

  /**
   * The same memory with other rights.
   *
   * @param rights no more than these
   */
  public RemoteRegion withRights(Rights rights) {
    if (!this.rights.includes(rights)) {
      throw new IllegalArgumentException(
          "rights can only be narrowed: they are " + this.rights + ", and cannot become " + rights);
    }
    return new RemoteRegion(rank, job, key, offset, length, rights);
  }

  /** The value as bytes, for a message. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(rank)
        .putInt(rights.ordinal() | check())
        .putLong(job)
        .putLong(key)
        .putLong(offset)
        .putLong(length)
        .array();
  }

  /**
   * Writes the value, {@value #BYTES} bytes, into a message.
   *
   * @param segment where to
   * @param offset where in it, in bytes
   */
  public void writeTo(MemorySegment segment, long offset) {
    MemorySegment.copy(toBytes(), 0, segment, JAVA_BYTE, offset, BYTES);
  }

  /**
   * The reverse of {@link #writeTo}.
   *
   * @param segment what holds it, such as {@link Status#payload()}
   * @param offset where in it, in bytes
   * @throws IllegalArgumentException if that is not what {@link #writeTo} wrote
   */
  public static RemoteRegion from(MemorySegment segment, long offset) {
    return fromBytes(segment.asSlice(offset, BYTES).toArray(JAVA_BYTE));
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
    int word = b.getInt();
    int rights = word & 0xff;
    if (rights >= RIGHTS.length) {
      throw new IllegalArgumentException(
          "these bytes are not a RemoteRegion: its rights would be " + rights);
    }
    RemoteRegion region =
        new RemoteRegion(rank, b.getLong(), b.getLong(), b.getLong(), b.getLong(), RIGHTS[rights]);
    if ((word & ~0xff) != region.check()) {
      throw new IllegalArgumentException(
          "these bytes are not a RemoteRegion, or were changed on their way: their check is wrong");
    }
    return region;
  }

  /**
   * The upper 24 bits of a hash of all values. It tells a region from other bytes; against forgery
   * there is the key.
   */
  private int check() {
    // Not from 0: of zeros, the bytes most often sent by mistake, the check would be right.
    long hash = mix(1, rank | (long) rights.ordinal() << Integer.SIZE);
    hash = mix(mix(mix(mix(hash, job), key), offset), length);
    return (int) (hash >>> Integer.SIZE) & ~0xff;
  }

  private static long mix(long hash, long word) {
    long product = (hash ^ word) * 0x9E37_79B9_7F4A_7C15L;
    return product ^ product >>> Integer.SIZE;
  }
}
