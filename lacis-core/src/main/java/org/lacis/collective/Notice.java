package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;

/**
 * A message by which a member tells the others why it has given up: the {@link ErrorKind}, the rank
 * to blame, and words.
 */
final class Notice {

  static final int MAX_BYTES = 256;

  private static final ValueLayout.OfInt RANK = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int TEXT = 1 + Integer.BYTES;

  private Notice() {}

  /**
   * Writes one.
   *
   * @param teller the rank that has found the error; the one to blame, unless another is gone
   */
  static MemorySegment of(CommunicationException error, int teller) {
    byte[] text = error.reason().getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[Math.min(TEXT + text.length, MAX_BYTES)];
    MemorySegment notice = MemorySegment.ofArray(bytes);
    bytes[0] = (byte) error.kind().ordinal();
    notice.set(RANK, 1, error.kind() == ErrorKind.PEER_GONE ? error.rank() : teller);
    System.arraycopy(text, 0, bytes, TEXT, bytes.length - TEXT);
    return notice;
  }

  /** Reads one that a rank has sent. */
  static CommunicationException read(MemorySegment notice, int teller) {
    byte[] bytes = notice.toArray(ValueLayout.JAVA_BYTE);
    String text = new String(bytes, TEXT, bytes.length - TEXT, StandardCharsets.UTF_8);
    return new CommunicationException(
        ErrorKind.values()[bytes[0]],
        notice.get(RANK, 1),
        "rank " + teller + " has failed: " + text);
  }
}
