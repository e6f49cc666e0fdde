package org.lacis.boot;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the threads of this process are doing, in short: the program's and the library's, not the
 * JVM's own; threads that do the same are shown once; long stacks are cut.
 */
final class RankStacks {
  /** The longest text, in bytes. */
  static final int MAX_BYTES = 1 << 16;

  private static final int FRAMES = 16;
  private static final int GROUPS = 12;
  private static final int NAMES = 4;
  private static final int MAX_LINE = 200;

  private RankStacks() {}

  /**
   * The stacks of all threads in the caller's group but the caller's own, the main thread first.
   */
  static byte[] take() {
    Thread caller = Thread.currentThread();
    ThreadGroup group = caller.getThreadGroup();
    List<Map.Entry<Thread, StackTraceElement[]>> threads = new ArrayList<>();
    for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
      ThreadGroup other = entry.getKey().getThreadGroup();
      if (entry.getKey() != caller
          && entry.getValue().length > 0
          && other != null
          && (group == null || group.parentOf(other))) {
        threads.add(entry);
      }
    }
    threads.sort(Comparator.comparingLong(entry -> entry.getKey().threadId()));
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (Map.Entry<Thread, StackTraceElement[]> entry : threads) {
      names
          .computeIfAbsent(describe(entry.getKey(), entry.getValue()), stack -> new ArrayList<>())
          .add(entry.getKey().getName());
    }
    byte[] bytes = text(names).getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MAX_BYTES ? bytes : Arrays.copyOf(bytes, MAX_BYTES);
  }

  /** The state and the stack of a thread. */
  private static String describe(Thread thread, StackTraceElement[] frames) {
    StackTraceElement[] shown = OwnFrames.without(frames);
    StringBuilder text = new StringBuilder(", ");
    text.append(thread.getState().name().toLowerCase(Locale.ROOT).replace('_', ' ')).append('\n');
    for (int i = 0; i < shown.length && i < FRAMES; i++) {
      text.append("    at ").append(cut(plain(shown[i]))).append('\n');
    }
    if (shown.length > FRAMES) {
      text.append("    ... ").append(shown.length - FRAMES).append(" more\n");
    }
    return text.toString();
  }

  /**
   * A frame without what differs from rank to rank (the addresses of lambdas) or says little (class
   * loaders, the version of the JDK).
   */
  private static String plain(StackTraceElement frame) {
    String type = frame.getClassName();
    int address = type.indexOf("/0x");
    return new StackTraceElement(
            address < 0 ? type : type.substring(0, address),
            frame.getMethodName(),
            frame.getFileName(),
            frame.getLineNumber())
        .toString();
  }

  private static String text(Map<String, List<String>> names) {
    StringBuilder text = new StringBuilder();
    int left = GROUPS;
    for (Map.Entry<String, List<String>> entry : names.entrySet()) {
      if (left-- == 0) {
        text.append("  and more threads\n");
        break;
      }
      List<String> same = entry.getValue();
      text.append("  ")
          .append(cut(String.join(", ", same.subList(0, Math.min(NAMES, same.size())))));
      if (same.size() > NAMES) {
        text.append(" and ").append(same.size() - NAMES).append(" more");
      }
      text.append(entry.getKey());
    }
    return text.toString();
  }

  private static String cut(String line) {
    return line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE).concat("...");
  }
}
