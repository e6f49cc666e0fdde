package org.lacis.trace.dumpi;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.TraceException;
import org.lacis.trace.io.Unpacked;

/**
 * A part of a file in memory, that moves forward as it is read. Numbers are big-endian. Reading
 * past the limit is an error of the file, that says where.
 */
final class Window implements Closeable {
  // A replay has all ranks open at once.
  private static final int SIZE = 1 << 16;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final Unpacked source;
  private final FileChannel channel;
  private final byte[] bytes;
  private long limit;

  /** Where the first byte in memory is in the file. */
  private long base;

  private int at;
  private int end;

  Window(Path file) throws IOException {
    source = Unpacked.open(file);
    channel = source.channel();
    limit = channel.size();
    bytes = new byte[(int) Math.min(SIZE, Math.max(limit, 64))];
  }

  long size() throws IOException {
    return channel.size();
  }

  /** Where the next byte is in the file. */
  long position() {
    return base + at;
  }

  /** Goes somewhere else, and sets where reading must end. */
  void seek(long position, long newLimit) {
    if (position >= base && position <= base + end) {
      at = (int) (position - base);
    } else {
      base = position;
      at = 0;
      end = 0;
    }
    limit = newLimit;
    if (base + end > limit) {
      end = (int) Math.max(at, limit - base);
    }
  }

  /** Bytes until the limit. */
  long left() {
    return limit - position();
  }

  int u8() throws IOException {
    need(1);
    return bytes[at++] & 0xff;
  }

  int i8() throws IOException {
    need(1);
    return bytes[at++];
  }

  int u16() throws IOException {
    return i16() & 0xffff;
  }

  int i16() throws IOException {
    need(2);
    int value = (short) SHORTS.get(bytes, at);
    at += 2;
    return value;
  }

  int i32() throws IOException {
    need(4);
    int value = (int) INTS.get(bytes, at);
    at += 4;
    return value;
  }

  long i64() throws IOException {
    need(8);
    long value = (long) LONGS.get(bytes, at);
    at += 8;
    return value;
  }

  /**
   * Reads the length of something, and checks that there is room for it.
   *
   * @param each the least bytes an element takes
   */
  int length(String what, int each) throws IOException {
    long start = position();
    int length = i32();
    if (length < 0 || (long) length * each > left()) {
      throw damage(
          start,
          "%s has %,d elements, which need %,d bytes or more, and %,d are left"
              .formatted(what, length, (long) length * each, left()));
    }
    return length;
  }

  /** Text of a known length, a byte per character. */
  String text(int length) throws IOException {
    if (length > left()) {
      throw damage(position(), "text of %,d bytes, and %,d are left".formatted(length, left()));
    }
    var text = new byte[length];
    for (int done = 0; done < length; ) {
      need(1);
      int some = Math.min(length - done, end - at);
      System.arraycopy(bytes, at, text, done, some);
      at += some;
      done += some;
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Why the file ends where it does, if it could not be decompressed any further; else null. */
  @Nullable TraceException cutOff() {
    return source.damage();
  }

  TraceException damage(long position, String reason) {
    TraceException packed = source.damage();
    return new TraceException(
        source.file(), position, packed == null ? reason : reason + "; it " + packed.reason());
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  private void need(int count) throws IOException {
    if (end - at < count) {
      fill(count);
    }
  }

  private void fill(int count) throws IOException {
    if (left() < count) {
      throw damage(
          position(), "the data ends here, in the middle of a number or a text of a record");
    }
    System.arraycopy(bytes, at, bytes, 0, end - at);
    base += at;
    end -= at;
    at = 0;
    while (end < count) {
      int most = (int) Math.min(bytes.length - end, limit - base - end);
      int read = channel.read(ByteBuffer.wrap(bytes, end, most), base + end);
      if (read <= 0) {
        throw damage(base + end, "the file became shorter while it was read");
      }
      end += read;
    }
  }
}
