package org.lacis.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The last lines of a stream, and before them those lines of the last stack trace that say what
 * happened: a long trace must not push out its own first line. Safe for use by several threads.
 */
final class Tail {
  static final int LINES = 10;

  /** What is kept of a line, in bytes. */
  static final int MAX_LINE = 1000;

  /** How many lines are kept of a trace whose causes have causes. */
  private static final int HEADINGS = 10;

  private static final String GAP = "\t...";

  private final byte[] line = new byte[MAX_LINE];
  private int length;
  private final Deque<String> last = new ArrayDeque<>();
  private final List<String> headings = new ArrayList<>();

  /** Whether lines between the headings and the last lines are missing. */
  private boolean gap;

  synchronized void add(byte[] bytes, int count) {
    for (int i = 0; i < count; i++) {
      if (bytes[i] == '\n') {
        endLine();
      } else if (length < MAX_LINE) {
        line[length++] = bytes[i];
      }
    }
  }

  private void endLine() {
    if (last.size() == LINES) {
      leave(last.removeFirst());
    }
    last.addLast(text());
    length = 0;
  }

  private String text() {
    return new String(line, 0, length, StandardCharsets.UTF_8);
  }

  /** A line is no longer among the last. */
  private void leave(String old) {
    boolean first = old.startsWith("Exception in thread ");
    if (first) {
      headings.clear();
    }
    if (first || (old.startsWith("Caused by: ") && headings.size() < HEADINGS)) {
      if (gap && !first) {
        headings.add(GAP);
      }
      headings.add(old);
      gap = false;
    } else {
      gap = true;
    }
  }

  /** The last {@value #LINES} lines, or fewer, after the headings of the last stack trace. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>(headings);
    if (gap && !headings.isEmpty()) {
      lines.add(GAP);
    }
    lines.addAll(last);
    if (length > 0) {
      lines.add(text());
    }
    return lines;
  }
}
