package org.lacis.net.mixed;

import org.lacis.net.Machine;
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
    return Machine.sharedMemory();
  }
}
