package org.lacis.net.shm;

import java.nio.file.Files;
import java.nio.file.Path;
import org.lacis.net.NetContext;
import org.lacis.net.Network;
import org.lacis.net.Probe;

/** Ranks of one machine and one user, through files of shared memory. */
public final class ShmNetwork implements Network {

  @Override
  public String name() {
    return "shm";
  }

  @Override
  public Probe probe() {
    for (Path directory : ShmFile.directories()) {
      if (Files.isDirectory(directory) && Files.isWritable(directory)) {
        String missing = Libc.missing();
        return new Probe.Ready(
            "files in " + directory + ", " + (missing == null ? "process_vm_readv" : missing));
      }
    }
    return new Probe.Missing(
        "none of " + ShmFile.directories() + " is a directory this user may write to");
  }

  @Override
  public NetContext open(Setup setup) {
    return new ShmOpening(setup).open();
  }
}
