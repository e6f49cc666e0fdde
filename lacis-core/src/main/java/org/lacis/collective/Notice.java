package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;

/**
 * Tells members why another one has given up.
 *
 * <pre>
 *  0          1                   5              9
 *  ErrorKind  the rank to blame   who tells it   why, in words
 * </pre>
 *
 * @param error what to make of it
 * @param teller the rank that has found it
 * @param message to be sent, or passed on
 */
record Notice(CommunicationException error, int teller, MemorySegment message) {

  static final int MAX_BYTES = 256;

  private static final ValueLayout.OfInt RANK = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int BLAMED = 1;
  private static final int TELLER = BLAMED + Integer.BYTES;
  private static final int TEXT = TELLER + Integer.BYTES;

  /**
   * Writes one.
   *
   * @param teller this rank; also the one to blame, unless another is gone
   */
  static Notice of(CommunicationException error, int teller) {
    byte[] text = error.reason().getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[Math.min(TEXT + text.length, MAX_BYTES)];
    MemorySegment message = MemorySegment.ofArray(bytes);
    bytes[0] = (byte) error.kind().ordinal();
    message.set(RANK, BLAMED, error.kind() == ErrorKind.PEER_GONE ? error.rank() : teller);
    message.set(RANK, TELLER, teller);
    System.arraycopy(text, 0, bytes, TEXT, bytes.length - TEXT);
    return new Notice(error, teller, message);
  }

  /** Reads one that was received. */
  static Notice read(MemorySegment received) {
    byte[] bytes = received.toArray(ValueLayout.JAVA_BYTE);
    MemorySegment message = MemorySegment.ofArray(bytes);
    ErrorKind kind = ErrorKind.values()[bytes[0]];
    int teller = message.get(RANK, TELLER);
    String text = new String(bytes, TEXT, bytes.length - TEXT, StandardCharsets.UTF_8);
    String did = kind == ErrorKind.PEER_GONE ? " has given up: " : " has failed: ";
    var error =
        new CommunicationException(kind, message.get(RANK, BLAMED), "rank " + teller + did + text);
    return new Notice(error, teller, message);
  }
}
