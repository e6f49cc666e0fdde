package org.lacis.trace.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.TraceException;

/** The lines of a text, with where they are. */
public final class TextLines implements Closeable {
  /** A list of a million statuses is shorter. */
  private static final int LONGEST = 1 << 27;

  private final Path file;
  private final InputStream in;
  private final byte[] block = new byte[1 << 16];
  private int at;
  private int end;
  private byte[] line = new byte[1 << 10];
  private long next;
  private long start;
  private long number;
  private @Nullable String pushed;

  /** Those of a file, compressed or not. */
  public TextLines(Path file) throws IOException {
    this.file = file;
    this.in = Unpacked.stream(file);
  }

  /** The next line without its end; null after the last one. */
  public @Nullable String read() throws IOException {
    if (pushed != null) {
      String again = pushed;
      pushed = null;
      return again;
    }
    start = next;
    int length = 0;
    while (true) {
      if (at == end) {
        at = 0;
        end = Math.max(in.read(block), 0);
        if (end == 0) {
          break;
        }
      }
      byte b = block[at++];
      next++;
      if (b == '\n') {
        number++;
        return text(length);
      }
      if (length == line.length) {
        if (length == LONGEST) {
          throw damage("a line of more than %,d bytes".formatted(LONGEST));
        }
        line = Arrays.copyOf(line, 2 * length);
      }
      line[length++] = b;
    }
    number++;
    return length == 0 ? null : text(length);
  }

  /** Makes a text the next line. */
  public void push(String text) {
    pushed = text;
  }

  /** Where the last line starts, in bytes. */
  public long start() {
    return start;
  }

  /** Something is wrong with the last line. */
  public TraceException damage(String reason) {
    return new TraceException(file, start, "line %,d: %s".formatted(number, reason));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private String text(int length) {
    int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    return new String(line, 0, end, StandardCharsets.ISO_8859_1);
  }
}
