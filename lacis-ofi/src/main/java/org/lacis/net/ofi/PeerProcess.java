package org.lacis.net.ofi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lacis.net.ProcessName;

/**
 * The process of a peer, if it is one of this machine: whether it is dead can be seen here, and not
 * every provider tells.
 */
final class PeerProcess {

  private final ProcessHandle process;

  private PeerProcess(ProcessHandle process) {
    this.process = process;
  }

  /** That of a peer by what it said of itself; null if it cannot be watched. */
  static @Nullable PeerProcess of(ProcessName name) {
    if (!name.isHere() || name.equals(ProcessName.self())) {
      return null;
    }
    return ProcessHandle.of(name.number())
        .filter(process -> ProcessName.of(process).equals(name))
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
