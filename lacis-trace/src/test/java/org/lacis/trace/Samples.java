package org.lacis.trace;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Traces to read. Five small ones come with the tests, of programs of our own; {@code
 * -Dlacis.traces=FOLDER} names a folder with more below it.
 */
public final class Samples {
  /** The property that names a folder with more traces. */
  public static final String MORE = "lacis.traces";

  private Samples() {}

  /** The folder of a trace that comes with the tests. */
  public static Path folder(String name) {
    URL url = Objects.requireNonNull(Samples.class.getResource("/traces/" + name), name);
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** The names of those that come with the tests. */
  public static List<String> names() {
    return List.of("gather_any_ompi", "halo2d_mpich", "tour_mpich", "tour_ompi", "wild_some_mpich");
  }

  /** The folders of all traces there are. */
  public static List<Path> all() throws IOException {
    Stream<Path> ours = names().stream().map(Samples::folder);
    return Stream.concat(ours, more().stream()).toList();
  }

  /** The folders of traces that do not come with the tests. */
  public static List<Path> more() throws IOException {
    String folder = System.getProperty(MORE);
    if (folder == null) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      return files.filter(Samples::hasMeta).sorted().toList();
    }
  }

  /** Copies a trace that comes with the tests, decompressing its files. */
  public static Path unpacked(String name, Path folder) throws IOException {
    Path copy = Files.createDirectories(folder.resolve(name));
    try (Stream<Path> files = Files.list(folder(name))) {
      for (Path file : files.toList()) {
        String plain = file.getFileName().toString().replaceAll("\\.gz$", "");
        Files.write(copy.resolve(plain), bytes(file));
      }
    }
    return copy;
  }

  /** The bytes of a file, decompressed. */
  public static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return file.toString().endsWith(".gz")
          ? new GZIPInputStream(in).readAllBytes()
          : in.readAllBytes();
    }
  }

  private static boolean hasMeta(Path folder) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(file -> file.toString().endsWith(".meta"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
