package org.lacis.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines of a stream. Safe for use by several threads. */
final class Tail {
  static final int LINES = 10;

  private final byte[] ring = new byte[8192];
  private long total;

  synchronized void add(byte[] bytes, int length) {
    int from = Math.max(0, length - ring.length);
    total += from;
    for (int i = from; i < length; i++) {
      ring[(int) (total++ % ring.length)] = bytes[i];
    }
  }

  /** The last {@value #LINES} lines, or fewer; the first may be cut. */
  synchronized List<String> lines() {
    int length = (int) Math.min(total, ring.length);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = ring[(int) ((total - length + i) % ring.length)];
    }
    Deque<String> last = new ArrayDeque<>();
    for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
      if (last.size() == LINES) {
        last.removeFirst();
      }
      last.addLast(line);
    }
    return length == 0 ? List.of() : List.copyOf(last);
  }
}
