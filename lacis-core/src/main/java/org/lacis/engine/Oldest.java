package org.lacis.engine;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lines of a dump about things of one kind: the oldest ones, and how many more there are. */
final class Oldest {

  /** How many are shown. */
  static final int SHOWN = 10;

  private final String indent;
  private final long now;
  private final PriorityQueue<Line> lines =
      new PriorityQueue<>(Comparator.comparingLong(Line::age));
  private long count;

  private record Line(long age, String text) {}

  Oldest(String indent, long now) {
    this.indent = indent;
    this.now = now;
  }

  /**
   * Notes one.
   *
   * @param text asked only if it is one of the oldest so far; null if it is over by now
   */
  void add(long since, Supplier<@Nullable String> text) {
    long age = Math.max(0, now - since);
    count++;
    if (lines.size() == SHOWN && age <= lines.element().age()) {
      return;
    }
    String line = text.get();
    if (line == null) {
      count--;
      return;
    }
    if (lines.size() == SHOWN) {
      lines.remove();
    }
    lines.add(new Line(age, line));
  }

  long count() {
    return count;
  }

  /** Appends a title, if there is something below it, and the lines, oldest first. */
  void appendTo(StringBuilder text, String title) {
    if (lines.isEmpty()) {
      return;
    }
    text.append(indent).append(title).append(":\n");
    lines.stream()
        .sorted(Comparator.comparingLong(Line::age).reversed())
        .forEach(
            line ->
                text.append(indent)
                    .append("  ")
                    .append(line.text())
                    .append(", for ")
                    .append(seconds(line.age()))
                    .append('\n'));
    if (count > lines.size()) {
      text.append(indent).append("  and ").append(count - lines.size()).append(" more\n");
    }
  }

  /** A time in words: to a tenth of a second, which is about what the coarse clock is good for. */
  static String seconds(long nanos) {
    long tenths = nanos / 100_000_000;
    return tenths / 10 + "." + tenths % 10 + " s";
  }
}
