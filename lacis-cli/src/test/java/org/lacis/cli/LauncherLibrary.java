package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lacis.boot.Boot;
import org.lacis.net.Network;
import org.lacis.report.Piece;
import org.lacis.trace.Traces;
import picocli.CommandLine;

/**
 * What launchers of tests run from: jars, and beside them caches of the classes that launcher and
 * ranks load, as the {@code lacis} script makes them. With these a job of three ranks takes two
 * thirds of the processor time. Made once for all tests, until a class changes.
 */
final class LauncherLibrary {
  /** Options of a process that lives shortly; those of the script. */
  static final List<String> FLAGS =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData");

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final LauncherLibrary LIBRARY = get();

  private final Path folder;
  private final String classPath;

  private LauncherLibrary(Path folder, List<Path> entries) {
    this.folder = folder;
    this.classPath =
        entries.stream()
            .map(each -> jar(each).toString())
            .collect(Collectors.joining(File.pathSeparator));
  }

  /** What the launcher needs on its class path, and the networks there are. */
  static String classPath() {
    return LIBRARY.classPath;
  }

  /** The jar of the part of Lacis that a class is in. */
  static String jar(Class<?> type) {
    return LIBRARY.jar(origin(type)).toString();
  }

  /** Options for the launcher, which start it and its ranks from the caches. */
  static List<String> caches() {
    return List.of(
        "-XX:AOTCache=" + LIBRARY.folder.resolve("cli.aot"),
        "-Xlog:aot*=off",
        "-Xlog:cds*=off",
        "-Dlacis.lib=" + LIBRARY.folder);
  }

  static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private static LauncherLibrary get() {
    List<Path> entries = entries();
    Path folder = SourceTree.root().resolve("lacis-cli/target/launcher");
    LauncherLibrary library = new LauncherLibrary(folder, entries);
    Path made = folder.resolve("made");
    String state = entries.stream().map(LauncherLibrary::state).collect(Collectors.joining("\n"));
    try {
      Files.createDirectories(folder);
      // Test classes run in several JVMs at once; one makes it for all.
      try (FileChannel lock =
              FileChannel.open(
                  folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = lock.lock()) {
        if (!Files.exists(made) || !Files.readString(made).equals(state)) {
          Files.deleteIfExists(made);
          library.make(entries);
          Files.writeString(made, state);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return library;
  }

  private static List<Path> entries() {
    LauncherLibrary.class.getModule().addUses(Network.class);
    Stream<Class<?>> networks =
        ServiceLoader.load(ModuleLayer.boot(), Network.class).stream()
            .map(ServiceLoader.Provider::type);
    Stream<Path> needed =
        Stream.concat(
                Stream.of(Main.class, Boot.class, CommandLine.class, Traces.class, Piece.class),
                networks)
            .map(LauncherLibrary::origin);
    return Stream.concat(needed, RankClassPath.ofBench().stream().map(Path::of))
        .distinct()
        .toList();
  }

  private static Path origin(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Which files there are in an entry, and when they were written. */
  private static String state(Path entry) {
    try (Stream<Path> files = Files.walk(entry)) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        lines.add(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
      return String.join("\n", lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where an entry of the class path is as a jar: there are no caches of folders. */
  private Path jar(Path entry) {
    return Files.isDirectory(entry)
        ? folder.resolve(entry.getParent().getParent().getFileName() + ".jar")
        : entry;
  }

  private void make(List<Path> entries) throws IOException, InterruptedException {
    for (Path entry : entries) {
      if (Files.isDirectory(entry)) {
        pack(entry, jar(entry));
      }
    }
    List<String> command = new ArrayList<>(List.of(tool("java")));
    command.addAll(FLAGS);
    command.add("-XX:AOTCacheOutput=" + folder.resolve("cli.aot"));
    command.addAll(List.of("-cp", classPath, Main.class.getName(), "run", "-n", "1", "--jvm"));
    command.add("-XX:+UseSerialGC '-XX:AOTCacheOutput=" + folder.resolve("rank.aot") + "'");
    command.addAll(List.of(LauncherRun.program("runtime/AllToAll.java"), "2", "70000"));
    File log = folder.resolve("log").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    boolean ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    process.destroyForcibly();
    String output = Files.readString(log.toPath());
    assertThat(ended).as("the caches are made in time: %s", output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(folder.resolve("cli.aot")).as(output).exists();
    assertThat(folder.resolve("rank.aot")).as(output).exists();
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> files = Files.walk(classes)) {
      for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        Files.copy(each, out);
      }
    }
  }
}
