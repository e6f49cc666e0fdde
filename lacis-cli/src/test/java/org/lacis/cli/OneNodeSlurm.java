package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lacis.testkit.Await;

/**
 * A Slurm of this machine alone, from the distribution's packages, for as long as a test needs it.
 * Whatever it writes is in a folder of its own; its ports and its key are its own, too.
 */
final class OneNodeSlurm implements AutoCloseable {
  private static final int TRIES = 10;

  private final Path folder;
  private final List<Process> daemons = new ArrayList<>();

  /** Starts it. Closed if that fails. */
  OneNodeSlurm() throws IOException, InterruptedException {
    folder = Files.createTempDirectory("slurm");
    try {
      // Munge wants everybody to get at its socket.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.createDirectory(folder.resolve("state"));
      Files.createDirectory(folder.resolve("spool"));
      Files.writeString(folder.resolve("slurm.conf"), configuration());
      startMunge();
      start("slurmctld", "-D", "-f", folder.resolve("slurm.conf").toString());
      start("slurmd", "-D", "-f", folder.resolve("slurm.conf").toString());
      int tries = 0;
      while (!takesJobs(environment())) {
        assertThat(tries++).as("tries to run a job: " + said()).isLessThan(TRIES);
      }
    } catch (Throwable thrown) {
      close();
      throw thrown;
    }
  }

  /** What keeps it from being started here; null if nothing does. */
  static @Nullable String obstacle() throws IOException {
    for (String program : List.of("munged", "slurmctld", "slurmd")) {
      if (ForeignPrograms.find(program) == null) {
        return program + " is missing (packages slurmctld slurmd munge)";
      }
    }
    return System.getProperty("user.name").equals("root") ? null : "it takes root to start Slurm";
  }

  /** Whether a Slurm runs that takes jobs of this user now. */
  static boolean takesJobs(Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("srun", "--immediate=5", "-n", "1", "true");
    builder.environment().putAll(environment);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process job = builder.start();
    boolean ended = job.waitFor(20, TimeUnit.SECONDS);
    job.destroyForcibly();
    return ended && job.exitValue() == 0;
  }

  /** What tells the programs of Slurm that it is meant. */
  Map<String, String> environment() {
    return Map.of("SLURM_CONF", folder.resolve("slurm.conf").toString());
  }

  private String configuration() throws IOException {
    String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().split("\\.", 2)[0];
    try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return """
      ClusterName=lacis
      SlurmctldHost=HOST(127.0.0.1)
      SlurmctldPort=%d
      SlurmdPort=%d
      SlurmUser=root
      AuthInfo=socket=FOLDER/munge.socket
      StateSaveLocation=FOLDER/state
      SlurmdSpoolDir=FOLDER/spool
      SlurmctldPidFile=FOLDER/slurmctld.pid
      SlurmdPidFile=FOLDER/slurmd.pid
      ProctrackType=proctrack/linuxproc
      TaskPlugin=task/none
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core
      NodeName=HOST NodeAddr=127.0.0.1 CPUs=%d
      PartitionName=all Nodes=HOST Default=YES State=UP
      """
          .formatted(
              first.getLocalPort(),
              second.getLocalPort(),
              Runtime.getRuntime().availableProcessors())
          .replace("HOST", host)
          .replace("FOLDER", folder.toString());
    }
  }

  private void startMunge() throws IOException {
    byte[] key = new byte[128];
    new SecureRandom().nextBytes(key);
    Path file =
        Files.createFile(
            folder.resolve("munge.key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(file, key);
    Path socket = folder.resolve("munge.socket");
    start(
        "munged",
        "--foreground",
        "--socket=" + socket,
        "--key-file=" + file,
        "--pid-file=" + folder.resolve("munge.pid"),
        "--log-file=" + folder.resolve("munge.log"),
        "--seed-file=" + folder.resolve("munge.seed"));
    Await.until("munged listens", () -> Files.exists(socket));
  }

  private void start(String... command) throws IOException {
    daemons.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(command[0] + ".out").toFile())
            .start());
  }

  /** What the daemons have said. */
  private String said() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name : List.of("munged", "slurmctld", "slurmd")) {
      text.append(name).append(":\n").append(Files.readString(folder.resolve(name + ".out")));
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (Process daemon : daemons.reversed()) {
      daemon.destroy();
      if (!daemon.waitFor(10, TimeUnit.SECONDS)) {
        daemon.destroyForcibly().waitFor();
      }
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
