package org.lacis.cli;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the launcher and a {@link HostAgent} say to each other, in big-endian order.
 *
 * <pre>
 *   0        4      5         9
 *   ┌────────┬──────┬─────────┬───────────────┐
 *   │ length │ kind │ subject │ payload       │
 *   └────────┴──────┴─────────┴───────────────┘
 * </pre>
 *
 * @param kind what is said
 * @param subject about which rank or channel
 * @param payload of as many bytes as the length says
 */
@SuppressWarnings("ArrayRecordComponent") // frames are not compared
record Frame(FrameKind kind, int subject, byte[] payload) {
  private static final int HEADER = 9;

  /** The next frame, or null at the end of the stream. */
  static @Nullable Frame read(InputStream in) throws IOException {
    byte[] header = in.readNBytes(HEADER);
    if (header.length == 0) {
      return null;
    }
    if (header.length < HEADER) {
      throw new EOFException("a frame was cut off");
    }
    ByteBuffer fields = ByteBuffer.wrap(header);
    int length = fields.getInt();
    FrameKind kind = FrameKind.of(fields.get());
    int subject = fields.getInt();
    if (length < 0 || length > kind.limit()) {
      throw new FrameException(
          "a frame " + kind + " of " + Integer.toUnsignedString(length) + " bytes");
    }
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      throw new EOFException("a frame was cut off");
    }
    return new Frame(kind, subject, payload);
  }

  /** Writes a frame as a whole. The payload is a part of an array. */
  static void write(
      OutputStream out, FrameKind kind, int subject, byte[] bytes, int from, int length)
      throws IOException {
    if (length > kind.limit()) {
      throw new FrameException(
          "a frame " + kind + " of " + length + " bytes, more than " + kind.limit());
    }
    byte[] frame = new byte[HEADER + length];
    ByteBuffer.wrap(frame)
        .putInt(length)
        .put((byte) kind.code())
        .putInt(subject)
        .put(bytes, from, length);
    out.write(frame);
    out.flush();
  }

  /** The payload as the one number it has to be. */
  int number() throws FrameException {
    if (payload.length != 4) {
      throw new FrameException("a frame " + kind + " without its number");
    }
    return ByteBuffer.wrap(payload).getInt();
  }

  /** The payload as text. */
  String text() {
    return new String(payload, StandardCharsets.UTF_8);
  }

  /** The payload as lists of texts, as {@link #pack} has made it. */
  List<List<String>> lists() throws FrameException {
    List<List<String>> lists = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(payload);
    while (in.hasRemaining()) {
      List<String> texts = new ArrayList<>();
      int count = length(in);
      for (int i = 0; i < count; i++) {
        byte[] bytes = new byte[length(in)];
        in.get(bytes);
        texts.add(new String(bytes, StandardCharsets.UTF_8));
      }
      lists.add(texts);
    }
    return lists;
  }

  /** A length or count, of something that takes at least as many bytes as it says. */
  private int length(ByteBuffer in) throws FrameException {
    int length = in.remaining() < 4 ? -1 : in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new FrameException("a frame " + kind + " that is damaged");
    }
    return length;
  }

  /** Lists of texts as bytes: each its count, then each text as its length and its bytes. */
  static byte[] pack(List<List<String>> lists) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (List<String> texts : lists) {
      out.writeInt(texts.size());
      for (String text : texts) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(encoded.length);
        out.write(encoded);
      }
    }
    return bytes.toByteArray();
  }
}
