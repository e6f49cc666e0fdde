package org.lacis.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.LauncherProbes;
import org.lacis.net.Network;
import org.lacis.settings.Settings;

/** Looks for what Lacis can use on this machine. */
final class Checkup {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Path PTRACE_SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");
  private static final long ANSWER_SECONDS = 10;
  private static final long MIB = 1 << 20;

  private Checkup() {}

  static List<Finding> machine() {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        new Finding(
            "JDK",
            true,
            Runtime.version()
                + " of "
                + System.getProperty("java.vendor")
                + " in "
                + System.getProperty("java.home")));
    Runtime runtime = Runtime.getRuntime();
    findings.add(new Finding("cores", true, Integer.toString(runtime.availableProcessors())));
    findings.add(sharedMemory());
    findings.add(processCopies());
    return findings;
  }

  private static Finding sharedMemory() {
    String name = "shared memory";
    if (!Files.isDirectory(SHARED_MEMORY) || !Files.isWritable(SHARED_MEMORY)) {
      return new Finding(
          name,
          false,
          SHARED_MEMORY + " is not a folder this user may write to: mount a tmpfs there");
    }
    try {
      FileStore store = Files.getFileStore(SHARED_MEMORY);
      long usable = store.getUsableSpace();
      long ranks = usable / Settings.SHARED_BYTES.value();
      String room =
          "%s: %d of %d MiB free, room for %d ranks of %d MiB"
              .formatted(
                  SHARED_MEMORY,
                  usable / MIB,
                  store.getTotalSpace() / MIB,
                  ranks,
                  Settings.SHARED_BYTES.value() / MIB);
      return new Finding(
          name,
          ranks >= 2,
          ranks >= 2
              ? room
              : room + "; make it larger, or set " + Settings.SHARED_BYTES.variable() + "=64M");
    } catch (IOException e) {
      return new Finding(name, false, SHARED_MEMORY + ": " + e.getMessage());
    }
  }

  /** Whether the kernel lets a process copy from the memory of another of the same user. */
  private static Finding processCopies() {
    String name = "process_vm";
    if (!Files.isReadable(PTRACE_SCOPE)) {
      return new Finding(name, true, "allowed: no " + PTRACE_SCOPE);
    }
    try {
      String scope = Files.readString(PTRACE_SCOPE).strip();
      boolean allowed = scope.equals("0") || scope.equals("1");
      return new Finding(
          name,
          allowed,
          "ptrace_scope is "
              + scope
              + (allowed
                  ? ": ranks may copy from each other's memory"
                  : ": long messages are copied twice; sysctl kernel.yama.ptrace_scope=1 helps"));
    } catch (IOException e) {
      return new Finding(name, false, e.toString());
    }
  }

  /** All networks there are, in the order in which they are tried. */
  static List<Network> networks() {
    return ServiceLoader.load(Network.class).stream().map(ServiceLoader.Provider::get).toList();
  }

  static List<Finding> networkFindings() {
    List<Finding> findings = new ArrayList<>();
    for (Network network : networks()) {
      findings.add(Finding.of(network.name(), network.probe()));
    }
    findings.add(libfabric());
    return findings;
  }

  private static Finding libfabric() {
    String path = System.getenv().getOrDefault("LD_LIBRARY_PATH", "");
    Stream<String> folders =
        Stream.concat(
            Stream.of(path.split(File.pathSeparator, -1)),
            Stream.of(
                "/usr/lib/x86_64-linux-gnu",
                "/usr/lib/aarch64-linux-gnu",
                "/usr/lib64",
                "/usr/lib",
                "/usr/local/lib"));
    return folders
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "libfabric.so.1"))
        .filter(Files::exists)
        .findFirst()
        .map(file -> new Finding("libfabric", true, file.toString()))
        .orElse(
            new Finding(
                "libfabric",
                false,
                "not found: package libfabric1 of Debian and Ubuntu, libfabric of Fedora and"
                    + " RHEL"));
  }

  static List<Finding> launchers() {
    List<Finding> findings = new ArrayList<>();
    findings.add(launcher("mpiexec", "--version", "mpich or openmpi-bin"));
    findings.add(launcher("mpiexec.hydra", "--version", "mpich"));
    findings.add(launcher("mpirun", "--version", "openmpi-bin or mpich"));
    findings.add(launcher("srun", "--version", "slurm-client"));
    findings.add(launcher("ssh", "-V", "openssh-client"));
    findings.add(Finding.of("libpmix", LauncherProbes.pmix()));
    return findings;
  }

  private static Finding launcher(String name, String option, String packages) {
    Path file = onPath(name);
    if (file == null) {
      return new Finding(name, false, "not on the PATH: package " + packages);
    }
    return launcher(name, file, option);
  }

  /** What a launcher says of itself: which version it is, or why it does not work. */
  static Finding launcher(String name, Path file, String option) {
    try {
      Path output = Files.createTempFile("lacis-doctor", null);
      try {
        Process process =
            new ProcessBuilder(file.toString(), option)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .start();
        if (!process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          return new Finding(name, false, file + " does not answer " + option);
        }
        List<String> lines =
            new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .filter(line -> !line.isEmpty())
                .toList();
        if (process.exitValue() != 0) {
          // The last line is the one that says why it has given up.
          String why = lines.isEmpty() ? "exit code " + process.exitValue() : lines.getLast();
          return new Finding(name, false, "%s does not work: %s".formatted(file, why));
        }
        String version =
            lines.stream()
                .filter(line -> line.matches(".*[0-9].*"))
                .findFirst()
                .orElse("of unknown version");
        return new Finding(name, true, version + " (" + file + ")");
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      return new Finding(name, false, file + " cannot be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Finding(name, false, file + ": interrupted while it was asked");
    }
  }

  private static @Nullable Path onPath(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path file = Path.of(folder, name);
      if (!folder.isEmpty() && Files.isExecutable(file) && !Files.isDirectory(file)) {
        return file;
      }
    }
    return null;
  }
}
