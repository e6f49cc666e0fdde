package org.lacis.cli;

import java.io.File;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.bench.Bench;
import org.lacis.report.Piece;
import org.lacis.trace.TraceFormat;
import picocli.CommandLine;

/** Where ranks and the compiler find the Lacis library: where this command itself has found it. */
final class RankClassPath {
  private RankClassPath() {}

  /**
   * The jars and folders this command was started with, but for those that only the command needs.
   */
  static List<String> library() {
    List<String> entries = ofCommand();
    entries.remove(origin(Main.class));
    entries.remove(origin(CommandLine.class));
    entries.removeAll(ofBench());
    entries.remove(origin(TraceFormat.class));
    entries.remove(origin(Piece.class));
    return entries;
  }

  /** All jars and folders this command was started with. */
  static List<String> ofCommand() {
    Set<String> entries = new LinkedHashSet<>();
    addAll(entries, System.getProperty("jdk.module.path"));
    addAll(entries, System.getProperty("java.class.path"));
    return new ArrayList<>(entries);
  }

  /** What programs that {@link BenchCommand} measures need beside the library. */
  static List<String> ofBench() {
    String bench = origin(Bench.class);
    return ofCommand().stream()
        .filter(
            entry -> entry.equals(bench) || new File(entry).getName().startsWith("HdrHistogram-"))
        .toList();
  }

  /** What a {@link HostAgent} needs: the library, and this command itself. */
  static List<String> agent() {
    List<String> entries = library();
    entries.add(origin(Main.class));
    return entries;
  }

  private static void addAll(Set<String> entries, @Nullable String path) {
    if (path == null) {
      return;
    }
    for (String entry : path.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        File file = new File(entry).getAbsoluteFile();
        String[] jars = file.list((folder, name) -> name.endsWith(".jar"));
        if (jars == null || jars.length == 0) {
          entries.add(file.getPath());
        } else {
          for (String jar : jars) {
            entries.add(new File(file, jar).getPath());
          }
        }
      }
    }
  }

  private static String origin(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    try {
      return source == null ? "" : new File(source.getLocation().toURI()).getAbsolutePath();
    } catch (URISyntaxException | IllegalArgumentException e) {
      return "";
    }
  }

  /** Makes relative entries absolute: ranks may run in another folder. */
  static List<String> absolute(String path) {
    List<String> entries = new ArrayList<>();
    for (String entry : path.split(File.pathSeparator, -1)) {
      entries.add(new File(entry.isEmpty() ? "." : entry).getAbsolutePath());
    }
    return entries;
  }

  static String join(List<String> entries) {
    return String.join(File.pathSeparator, entries);
  }
}
