package org.lacis.cli;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lacis.bench.Bench;
import org.lacis.report.Piece;
import org.lacis.trace.TraceFormat;
import picocli.CommandLine;

/** Where ranks and the compiler find the Lacis library: where this command itself has found it. */
final class RankClassPath {
  private static final String A_CLASS = "org/lacis/Lacis.class";

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

  /** Whether a class path has a Lacis in front of the one this command was started with. */
  static boolean hasOtherLibrary(List<String> classPath) {
    Set<String> own = new HashSet<>(library());
    Set<File> seen = new HashSet<>();
    for (String entry : classPath) {
      if (own.contains(entry)) {
        return false;
      }
      if (hasLibrary(new File(entry), seen)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasLibrary(File entry, Set<File> seen) {
    if (!seen.add(entry)) {
      return false;
    }
    if (entry.getName().equals("*")) {
      File[] jars = entry.getAbsoluteFile().getParentFile().listFiles(RankClassPath::isJar);
      return jars != null && Stream.of(jars).anyMatch(jar -> hasLibrary(jar, seen));
    }
    if (!entry.isFile()) {
      return new File(entry, A_CLASS).isFile();
    }
    try (JarFile jar = new JarFile(entry)) {
      return jar.getEntry(A_CLASS) != null || bringsLibrary(entry, jar.getManifest(), seen);
    } catch (IOException e) {
      return false; // the JVM passes over it, too
    }
  }

  /** Whether that is so for what the manifest of a jar adds to the class path. */
  private static boolean bringsLibrary(File jar, @Nullable Manifest manifest, Set<File> seen) {
    String more =
        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    if (more == null) {
      return false;
    }
    for (String entry : more.strip().split(" +")) {
      try {
        if (hasLibrary(new File(jar.toURI().resolve(entry)), seen)) {
          return true;
        }
      } catch (IllegalArgumentException e) {
        // It is no file, and the JVM passes over it, too.
      }
    }
    return false;
  }

  private static boolean isJar(File file) {
    return file.getName().toLowerCase(Locale.ROOT).endsWith(".jar");
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
