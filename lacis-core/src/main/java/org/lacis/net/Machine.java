package org.lacis.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.UUID;

/** Names for what processes have in common: equal for those that have, and for no others. */
public final class Machine {

  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

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
