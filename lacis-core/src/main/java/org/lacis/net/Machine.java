package org.lacis.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.UUID;

/** What processes have in common: names, equal for those that have, and for no others; cores. */
public final class Machine {

  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final String ALLOWED = "Cpus_allowed_list:";

  private Machine() {}

  /** Processes with the same interfaces. */
  public static String network() {
    return with("/proc/self/ns/net");
  }

  /** Processes that know each other by the same numbers. */
  public static String processes() {
    return with("/proc/self/ns/pid");
  }

  /** Processes with the same folder for shared memory. */
  public static String sharedMemory() {
    return with("/dev/shm");
  }

  /**
   * How many cores some processes may run on, all together: each of them may be bound to its own. A
   * quota of processor time counts as so many cores.
   *
   * @param processes their numbers
   */
  public static int cores(int... processes) {
    int available = Runtime.getRuntime().availableProcessors();
    try {
      boolean quota = available < allowed("self").cardinality();
      return quota ? available : Math.max(available, allowed(processes).cardinality());
    } catch (IOException | NumberFormatException e) {
      return available;
    }
  }

  /** The cores that one of these processes may run on, or several. */
  static BitSet allowed(int... processes) throws IOException {
    BitSet all = new BitSet();
    for (int process : processes) {
      all.or(allowed(Integer.toString(process)));
    }
    return all;
  }

  /** The cores a process may run on. */
  private static BitSet allowed(String process) throws IOException {
    BitSet cores = new BitSet();
    for (String line : Files.readAllLines(Path.of("/proc", process, "status"))) {
      if (line.startsWith(ALLOWED)) {
        for (String range : line.substring(ALLOWED.length()).strip().split(",")) {
          String[] ends = range.split("-", 2);
          cores.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
        }
      }
    }
    return cores;
  }

  /**
   * This run of this system, and the thing there that a path leads to. Not on Linux: each process
   * for itself.
   */
  private static String with(String path) {
    try {
      return Files.readString(BOOT).strip() + "-" + thing(Path.of(path));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return UUID.randomUUID().toString();
    }
  }

  private static String thing(Path path) throws IOException {
    return Files.isSymbolicLink(path)
        ? Files.readSymbolicLink(path).toString()
        : Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS).toString();
  }
}
