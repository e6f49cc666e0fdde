package org.lacis.net.ofi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Machine;

/**
 * The process of a peer, if it is one of this machine: whether it is dead can be seen here, and not
 * every provider tells.
 */
final class PeerProcess {

  /** Numbers mean the same in one run of one system, in one container. */
  private static final String MACHINE = Machine.processes();

  private final ProcessHandle process;

  private PeerProcess(ProcessHandle process) {
    this.process = process;
  }

  /** What others find this process by: the machine, the number, and when it started. */
  static String self() {
    ProcessHandle self = ProcessHandle.current();
    return MACHINE + "/" + self.pid() + "/" + startMillis(self);
  }

  private static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** That of a peer by what it said of itself; null if it cannot be watched. */
  static @Nullable PeerProcess of(String name) {
    String[] parts = name.split("/", 3);
    long pid = Long.parseLong(parts[1]);
    if (!parts[0].equals(MACHINE) || pid == ProcessHandle.current().pid()) {
      return null;
    }
    return ProcessHandle.of(pid)
        .filter(process -> Long.toString(startMillis(process)).equals(parts[2]))
        .map(PeerProcess::new)
        .orElse(null);
  }

  boolean isDead() {
    return !process.isAlive() || isZombie();
  }

  /** Whether it is dead though its number still exists. */
  private boolean isZombie() {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      int state = stat.lastIndexOf(')') + 2;
      return stat.startsWith("Z", state) || stat.startsWith("X", state);
    } catch (IOException e) {
      return false;
    }
  }
}
