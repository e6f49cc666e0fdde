package org.lacis.trace.dumpi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.CallSink;
import org.lacis.trace.FormatVersion;
import org.lacis.trace.TraceException;

/**
 * A binary DUMPI file of one rank. Its last bytes say where its parts are:
 *
 * <pre>
 *   magic | body: calls … end | header | footer | keyvals | perf labels | addresses | sizes | index
 *   index: magic, sizes, addresses, perf labels, header, body, footer, keyvals   (8 bytes each)
 * </pre>
 *
 * <p>Older files lack the first entries of the index. A file without an index has been cut off: of
 * such a file only the body can be read.
 */
public final class DumpiFile implements Closeable {
  /** What a file, and its index, start with. */
  static final long MAGIC = 0xFFAADD44_554D5049L;

  private static final long FOOTER_MAGIC = 0xF007FEE7L;
  private static final int FUNCTIONS = 291;
  private static final int FIRST_BODY = 8;

  /** Entries of the index of the newest version, after the magic, first to last. */
  private enum Part {
    SIZES,
    ADDRESSES,
    PERF_LABELS,
    HEADER,
    BODY,
    FOOTER,
    KEYVALS
  }

  /**
   * How a run was recorded.
   *
   * @param start seconds since 1970
   */
  public record Header(
      FormatVersion version,
      long start,
      String host,
      String user,
      List<Integer> meshCoordinates,
      List<Integer> meshSize) {}

  private final Path file;
  private final Window window;
  private final long[] parts = new long[Part.values().length];
  private final long bodyEnd;
  private final @Nullable TraceException cutOff;
  private final FormatVersion version;

  /**
   * Opens a file.
   *
   * @param otherwise the version to take the file for if it was cut off before it tells
   * @throws TraceException if it is not a binary DUMPI file
   */
  public DumpiFile(Path file, FormatVersion otherwise) throws IOException {
    this.file = file;
    window = new Window(file);
    try {
      if (window.left() < 8 || window.i64() != MAGIC) {
        throw new TraceException(
            file, 0, "does not start with the magic number of a binary DUMPI file");
      }
      TraceException noIndex = readIndex();
      cutOff = window.cutOff() == null ? noIndex : window.cutOff();
      bodyEnd = endOfBody();
      version = noIndex == null ? header().version() : otherwise;
    } catch (IOException | RuntimeException e) {
      window.close();
      throw e;
    }
  }

  /** The version of the format. */
  public FormatVersion version() {
    return version;
  }

  /** How the run was recorded. */
  public Header header() throws IOException {
    if (!seek(Part.HEADER)) {
      return new Header(new FormatVersion(0, 0, 0), 0, "", "", List.of(), List.of());
    }
    var found = new FormatVersion(window.u8(), window.u8(), window.u8());
    long start = window.i64();
    String host = window.text(window.u16());
    String user = window.text(window.u16());
    List<Integer> coordinates = numbers("the mesh coordinates");
    List<Integer> size = coordinates.isEmpty() ? List.of() : numbers("the mesh size");
    return new Header(found, start, host, user, coordinates, size);
  }

  /** How often each call was made, by number; and then, how often without a record. */
  public int[][] footer() throws IOException {
    var counts = new int[2][FUNCTIONS];
    if (seek(Part.FOOTER)) {
      if (window.i64() != FOOTER_MAGIC) {
        throw window.damage(part(Part.FOOTER), "the footer does not start with its magic number");
      }
      for (int[] row : counts) {
        for (int i = 0; i < FUNCTIONS; i++) {
          row[i] = window.i32();
        }
      }
    }
    return counts;
  }

  /** What the program has noted of itself. */
  public Map<String, String> keyvals() throws IOException {
    var map = new LinkedHashMap<String, String>();
    if (seek(Part.KEYVALS)) {
      for (int left = window.length("the list of keys", 4); left > 0; left--) {
        map.put(window.text(window.u16()), window.text(window.u16()));
      }
    }
    return map;
  }

  /** The names of performance counters. */
  public List<String> perfLabels() throws IOException {
    var labels = new ArrayList<String>();
    if (seek(Part.PERF_LABELS)) {
      for (int left = window.length("the list of counters", 2); left > 0; left--) {
        labels.add(window.text(window.u16()));
      }
    }
    return labels;
  }

  /** The names of functions of the program, by address. */
  public Map<Long, String> addresses() throws IOException {
    var map = new LinkedHashMap<Long, String>();
    if (seek(Part.ADDRESSES)) {
      for (int left = window.length("the list of functions", 10); left > 0; left--) {
        map.put(window.i64(), window.text(window.u16()));
      }
    }
    return map;
  }

  /** The size of each type of data, in bytes, by number. */
  public List<Integer> sizes() throws IOException {
    return seek(Part.SIZES) ? numbers("the list of types") : List.of();
  }

  /**
   * Reads the calls.
   *
   * @throws TraceException where the file is damaged or was cut off, after everything before that
   *     was handed out
   */
  public void read(CallSink sink) throws IOException {
    var reader = new DumpiReader(window, version, perfLabels(), addresses());
    window.seek(part(Part.BODY), bodyEnd);
    reader.read(sink);
    if (cutOff != null) {
      throw cutOff;
    }
  }

  @Override
  public void close() throws IOException {
    window.close();
  }

  /** Returns what is wrong if there is no index; then the body is where it usually is. */
  private @Nullable TraceException readIndex() throws IOException {
    long size = window.size();
    for (int entries = Part.values().length; entries >= 4; entries--) {
      long start = size - 8L * (entries + 1);
      if (start < FIRST_BODY) {
        continue;
      }
      window.seek(start, size);
      if (window.i64() == MAGIC) {
        for (int i = Part.values().length - entries; i < parts.length; i++) {
          parts[i] = window.i64();
        }
        check(start);
        return null;
      }
    }
    parts[Part.BODY.ordinal()] = FIRST_BODY;
    return new TraceException(
        file, size, "the file ends without an index of its parts: it was cut off");
  }

  private void check(long index) throws TraceException {
    for (Part part : Part.values()) {
      if (part(part) < 0 || part(part) >= index) {
        throw new TraceException(
            file,
            index,
            "the index says that the part %s is at byte %,d, outside of the file"
                .formatted(part, part(part)));
      }
    }
    if (part(Part.BODY) < FIRST_BODY) {
      parts[Part.BODY.ordinal()] = FIRST_BODY;
    }
  }

  private long endOfBody() throws IOException {
    long end = window.size();
    for (long start : parts) {
      if (start > part(Part.BODY)) {
        end = Math.min(end, start);
      }
    }
    return end;
  }

  private boolean seek(Part part) throws IOException {
    if (part(part) == 0) {
      return false;
    }
    window.seek(part(part), window.size());
    return true;
  }

  private long part(Part part) {
    return parts[part.ordinal()];
  }

  private List<Integer> numbers(String what) throws IOException {
    var list = new ArrayList<Integer>();
    for (int left = window.length(what, 4); left > 0; left--) {
      list.add(window.i32());
    }
    return list;
  }
}
