package org.lacis.boot;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * What a rank has to say beside its stacks when its launcher asks what it is doing: a report of
 * each runtime that is open in this process.
 */
public final class RankReports {
  /** The longest text, in bytes. */
  static final int MAX_BYTES = 1 << 16;

  /** In no order; forgotten with whoever made them. */
  private static final WeakHashMap<Source, Long> SOURCES = new WeakHashMap<>();

  private static long added;

  private RankReports() {}

  /** Something that can be asked for a report, by any thread. */
  public interface Source {
    /** Lines of text. Waits for nothing. */
    String report();
  }

  /** Adds a source; whoever made it keeps it alive. */
  public static void add(Source source) {
    synchronized (SOURCES) {
      SOURCES.put(source, added++);
    }
  }

  /** Takes a source away. */
  public static void remove(Source source) {
    synchronized (SOURCES) {
      SOURCES.remove(source);
    }
  }

  /** All reports, indented, in the order of the sources. */
  static byte[] take() {
    StringBuilder text = new StringBuilder();
    for (Source source : sources()) {
      source.report().lines().forEach(line -> text.append("  ").append(line).append('\n'));
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MAX_BYTES ? bytes : Arrays.copyOf(bytes, MAX_BYTES);
  }

  private static List<Source> sources() {
    synchronized (SOURCES) {
      Set<Source> all = SOURCES.keySet();
      List<Source> sorted = new ArrayList<>(all);
      sorted.sort((a, b) -> Long.compare(number(a), number(b)));
      return sorted;
    }
  }

  private static long number(Source source) {
    Long number = SOURCES.get(source);
    return number == null ? 0 : number;
  }
}
