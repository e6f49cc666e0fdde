package org.lacis.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.Ranks;

/**
 * Which cores each rank may run on. {@code 0,1} gives one core to each rank; {@code 0-1:2-3} gives
 * a list of cores to each. With fewer entries than ranks, they are dealt out again from the first.
 */
record CoreLists(List<String> lists) {
  /** Cores from the first to the last. */
  private record Range(int first, int last) {}

  /** The cores of this machine as Linux tells them, in the form of a list such as 0-3,8. */
  private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

  /** Reads the lists; all cores must be in this set. */
  static CoreLists parse(String text, BitSet allowed) {
    List<String> lists = List.of(text.split(text.contains(":") ? ":" : ",", -1));
    for (String list : lists) {
      List<Range> ranges = ranges(list);
      if (ranges == null) {
        throw new IllegalArgumentException(
            "--bind " + text + ": that is not a list of cores such as 0,1 or 0-1:2-3");
      }
      for (Range range : ranges) {
        int absent = allowed.nextClearBit(range.first());
        if (absent <= range.last()) {
          throw new IllegalArgumentException(
              "--bind "
                  + text
                  + ": there is no core "
                  + absent
                  + "; the cores of this machine are "
                  + Ranks.list(allowed, ","));
        }
      }
    }
    return new CoreLists(lists);
  }

  /** The cores of this machine; counted from 0 if it does not tell which they are. */
  static BitSet online() {
    List<Range> ranges = null;
    try {
      ranges = ranges(Files.readString(ONLINE).strip());
    } catch (IOException e) {
      // not Linux
    }
    if (ranges == null) {
      ranges = List.of(new Range(0, Runtime.getRuntime().availableProcessors() - 1));
    }
    BitSet cores = new BitSet();
    for (Range range : ranges) {
      cores.set(range.first(), range.last() + 1);
    }
    return cores;
  }

  /** Any cores at all, for machines that we do not know. */
  static BitSet any() {
    BitSet cores = new BitSet();
    cores.set(0, 1 << 16);
    return cores;
  }

  /** The ranges of a list such as 0-1,4, or null if it is none. */
  private static @Nullable List<Range> ranges(String list) {
    List<Range> ranges = new ArrayList<>();
    for (String range : list.split(",", -1)) {
      int dash = range.indexOf('-');
      int first = core(dash < 0 ? range : range.substring(0, dash));
      int last = dash < 0 ? first : core(range.substring(dash + 1));
      if (first < 0 || last < first) {
        return null;
      }
      ranges.add(new Range(first, last));
    }
    return ranges;
  }

  private static int core(String digits) {
    try {
      return digits.startsWith("+") ? -1 : Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
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
