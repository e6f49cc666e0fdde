package org.lacis.net.mixed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.lacis.settings.Settings;

/** What tells hosts apart. */
public final class HostName {

  private HostName() {}

  /**
   * What {@link Settings#HOST} says; otherwise this start of this machine, and its folder for
   * shared memory, which containers have of their own.
   */
  public static String current() {
    String name = Settings.HOST.value();
    if (!name.isEmpty()) {
      return name;
    }
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip()
          + "-"
          + Files.getAttribute(Path.of("/dev/shm"), "unix:dev");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return UUID.randomUUID().toString(); // not Linux: each for itself
    }
  }
}
