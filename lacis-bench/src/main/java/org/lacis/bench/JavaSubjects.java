package org.lacis.bench;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lacis.bench.subject.LacisSubject;
import org.lacis.bench.subject.RingSubject;

/**
 * Subjects that are programs in Java. {@code lacis run} starts them all, so that they have the same
 * options of the JVM that a user's program gets.
 */
final class JavaSubjects {
  private final BenchOptions options;
  private final Path folder;
  private final Path shared;

  /**
   * Subjects.
   *
   * @param folder for programs
   * @param shared for what their ranks share
   */
  JavaSubjects(BenchOptions options, Path folder, Path shared) {
    this.options = options;
    this.folder = folder;
    this.shared = shared;
  }

  /** Lacis, over a network. */
  Subject lacis(String network) {
    return new Subject() {
      @Override
      public String name() {
        return "lacis";
      }

      @Override
      public Family family() {
        return Family.LACIS;
      }

      @Override
      public boolean knows(Measure measure) {
        return !measure.verb().startsWith("copy");
      }

      @Override
      public Start start(Setup setup) {
        List<String> command = run(setup);
        command.addAll(List.of("--net", network, "-cp", classPath(List.of())));
        command.add(LacisSubject.class.getName());
        return Start.of(command, Map.of());
      }

      @Override
      public List<String> hello(int ranks) {
        List<String> command = new ArrayList<>(options.launcher());
        command.addAll(List.of("run", "-n", Integer.toString(ranks), "--net", network));
        command.add(resource("Hello.java").toString());
        return command;
      }
    };
  }

  /** The memory itself. */
  Subject memory() {
    return new Subject() {
      @Override
      public String name() {
        return "memory";
      }

      @Override
      public Family family() {
        return Family.MEMORY;
      }

      @Override
      public boolean knows(Measure measure) {
        return measure.placement() == Placement.PINNED
            && switch (measure.verb()) {
              case "am-latency", "am-rate", "copy", "copy-in", "bandwidth" -> true;
              case "allreduce", "allgather" -> measure.bytes() > 8;
              default -> false;
            };
      }

      @Override
      public Start start(Setup setup) throws SubjectException {
        Path file = sharedFile();
        List<String> command = run(setup);
        command.addAll(List.of("-cp", classPath(List.of()), RingSubject.class.getName()));
        return new Start(command, Map.of("BENCH_FILE", file.toString()), List.of(file.getParent()));
      }
    };
  }

  /** Aeron, over IPC, or over UDP on the loopback. */
  Subject aeron(String network) {
    return new Subject() {
      @Override
      public String name() {
        return network.equals("tcp") ? "aeron-udp" : "aeron";
      }

      @Override
      public Family family() {
        return Family.AERON;
      }

      @Override
      public boolean knows(Measure measure) {
        return measure.placement() == Placement.PINNED
            && Set.of("am-latency", "paced-latency", "am-rate", "both-rate", "bandwidth")
                .contains(measure.verb());
      }

      @Override
      public Start start(Setup setup) throws SubjectException {
        Path own = sharedFolder();
        List<String> command = run(setup);
        command.addAll(List.of("--jvm", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(List.of("-cp", classPath(options.peerJars())));
        command.add(resource("AeronPeer.java").toString());
        Map<String, String> env = new HashMap<>(Map.of("BENCH_FOLDER", own.toString()));
        if (network.equals("tcp")) {
          env.put("BENCH_UDP", Cores.freePort() + "," + Cores.freePort());
        }
        return new Start(command, env, List.of(own));
      }
    };
  }

  /** A folder that all subjects share. */
  Path shared() {
    return shared;
  }

  /** A folder that ranks of one subject share. */
  Path sharedFolder() throws SubjectException {
    try {
      return Files.createTempDirectory(shared, "");
    } catch (IOException e) {
      throw new SubjectException("no folder can be made to share: " + e.getMessage(), e);
    }
  }

  private Path sharedFile() throws SubjectException {
    try {
      Path file = sharedFolder().resolve("ring");
      try (var whole = new RandomAccessFile(file.toFile(), "rw")) {
        whole.setLength(RingSubject.FILE_BYTES); // memory is taken where it is touched
      }
      return file;
    } catch (IOException e) {
      throw new SubjectException("memory: no file can be made to share: " + e.getMessage(), e);
    }
  }

  /** The beginning of a command that starts ranks. */
  List<String> run(Setup setup) {
    List<String> command = new ArrayList<>(options.launcher());
    command.addAll(List.of("run", "-n", Integer.toString(setup.ranks())));
    command.addAll(Cores.bind(setup));
    return command;
  }

  /** The class path of subjects, with more jars. */
  String classPath(List<Path> more) {
    List<String> entries = new ArrayList<>(options.classPath());
    more.forEach(jar -> entries.add(jar.toString()));
    return String.join(File.pathSeparator, entries);
  }

  /** A file that comes with this module, where compilers find it. */
  Path resource(String name) {
    return resource(name, folder);
  }

  static Path resource(String name, Path folder) {
    Path file = folder.resolve(name);
    try (var in = JavaSubjects.class.getResourceAsStream("peers/" + name)) {
      if (in == null) {
        throw new IllegalStateException("there is no file " + name + " in this module");
      }
      if (!Files.exists(file)) {
        Files.copy(in, file);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
