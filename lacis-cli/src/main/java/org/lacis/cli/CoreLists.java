package org.lacis.cli;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which cores each rank may run on. {@code 0,1} gives one core to each rank; {@code 0-1:2-3} gives
 * a list of cores to each. With fewer entries than ranks, they are dealt out again from the first.
 */
record CoreLists(List<String> lists) {
  static CoreLists parse(String text) {
    List<String> lists = new ArrayList<>();
    for (String list : text.split(text.contains(":") ? ":" : ",", -1)) {
      for (String range : list.split(",", -1)) {
        checkRange(range, text);
      }
      lists.add(list);
    }
    return new CoreLists(lists);
  }

  private static void checkRange(String range, String text) {
    int dash = range.indexOf('-');
    try {
      int first = Integer.parseUnsignedInt(dash < 0 ? range : range.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseUnsignedInt(range.substring(dash + 1));
      if (first <= last && range.indexOf('+') < 0) {
        return;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a list of cores such as 0,1 or 0-1:2-3");
  }

  String of(int rank) {
    return lists.get(rank % lists.size());
  }

  /** The program that binds a process to cores, or null if this system has none. */
  static @Nullable String taskset(@Nullable String path) {
    if (path != null) {
      for (String folder : path.split(File.pathSeparator)) {
        File file = new File(folder, "taskset");
        if (file.canExecute()) {
          return file.getPath();
        }
      }
    }
    return null;
  }
}
