package org.lacis.trace.dumpi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lacis.trace.CallSink;
import org.lacis.trace.FormatVersion;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.TraceException;
import org.lacis.trace.TraceFormat;
import org.lacis.trace.io.TextLines;
import org.lacis.trace.io.Unpacked;

/**
 * DUMPI: a folder with a file per rank, {@code PREFIX-0000.bin} and so on, or text made of it by
 * dumpi2ascii, and {@code PREFIX.meta}. Each may be compressed by gzip. Where a rank has both, its
 * binary file is taken.
 */
public final class DumpiFormat implements TraceFormat {
  private static final String META = ".meta";
  private static final Pattern RANK_FILE =
      Pattern.compile("(.+)-(\\d{1,9})\\.(bin|txt|text|ascii|dumpi)(\\.gz)?");

  /** The newest version there is. */
  public static final FormatVersion NEWEST = new FormatVersion(13, 0, 0);

  /** Used by the service loader. */
  public DumpiFormat() {}

  @Override
  public String name() {
    return "DUMPI";
  }

  @Override
  public Optional<Trace> open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return folder(path);
    }
    String file = String.valueOf(path.getFileName());
    Path folder = path.toAbsolutePath().getParent();
    Matcher rank = RANK_FILE.matcher(file);
    if (rank.matches() && isDumpi(path)) {
      Map<String, String> meta = meta(path.resolveSibling(rank.group(1) + META));
      RankFile only = new RankFile(Integer.parseInt(rank.group(2)), path, version(meta));
      return Optional.of(
          new Trace(file, path, "DUMPI", size(meta, 1), List.of(only), meta, List.of()));
    }
    if (file.endsWith(META) && folder != null) {
      String prefix = file.substring(0, file.length() - META.length());
      SortedMap<Integer, Path> ranks = rankFiles(folder).get(prefix);
      return ranks == null ? Optional.empty() : Optional.of(trace(folder, prefix, ranks));
    }
    return Optional.empty();
  }

  private static Optional<Trace> folder(Path path) throws IOException {
    Map<String, SortedMap<Integer, Path>> found = rankFiles(path);
    if (found.size() > 1) {
      throw new TraceException(
          path,
          "the folder has several traces, name the .meta file of one: "
              + found.keySet().stream().sorted().toList());
    }
    for (var entry : found.entrySet()) {
      return Optional.of(trace(path, entry.getKey(), entry.getValue()));
    }
    return Optional.empty();
  }

  private static Trace trace(Path folder, String prefix, SortedMap<Integer, Path> files)
      throws IOException {
    Map<String, String> meta = meta(folder.resolve(prefix + META));
    List<RankTrace> ranks = new ArrayList<>();
    files.forEach((rank, file) -> ranks.add(new RankFile(rank, file, version(meta))));
    int size = size(meta, files.lastKey() + 1);
    List<String> warnings = Trace.warnOfMissing(size, files.keySet());
    String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
    return new Trace(name, folder, "DUMPI", size, ranks, meta, warnings);
  }

  /** The files of a folder, by prefix and rank. */
  private static Map<String, SortedMap<Integer, Path>> rankFiles(Path folder) throws IOException {
    Map<String, SortedMap<Integer, Path>> found = new HashMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        Matcher m = RANK_FILE.matcher(file.getFileName().toString());
        if (m.matches() && Files.isRegularFile(file)) {
          // Sorted by name: of two files of a rank the binary one comes first.
          found
              .computeIfAbsent(m.group(1), prefix -> new TreeMap<>())
              .putIfAbsent(Integer.parseInt(m.group(2)), file);
        }
      }
    }
    return found;
  }

  /** Whether a file starts as one of this format does. */
  private static boolean isDumpi(Path file) throws IOException {
    return isBinary(file) || file.getFileName().toString().matches(".*\\.(txt|text|ascii)(\\.gz)?");
  }

  /** Whether a file, compressed or not, is a binary one of this format. */
  public static boolean isBinary(Path file) throws IOException {
    try (InputStream in = Unpacked.stream(file)) {
      byte[] start = in.readNBytes(8);
      long magic = 0;
      for (byte b : start) {
        magic = magic << 8 | (b & 0xff);
      }
      return start.length == 8 && magic == DumpiFile.MAGIC;
    }
  }

  private static Map<String, String> meta(Path file) throws IOException {
    Map<String, String> map = new HashMap<>();
    if (Files.isRegularFile(file)) {
      for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).split("\\R")) {
        int equals = line.indexOf('=');
        if (equals > 0) {
          map.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
        }
      }
    }
    return map;
  }

  private static int size(Map<String, String> meta, int otherwise) {
    return Math.max(number(meta, "numprocs", otherwise), otherwise);
  }

  private static FormatVersion version(Map<String, String> meta) {
    return meta.containsKey("version")
        ? new FormatVersion(
            number(meta, "version", 0),
            number(meta, "subversion", 0),
            number(meta, "subsubversion", 0))
        : NEWEST;
  }

  private static int number(Map<String, String> meta, String key, int otherwise) {
    String text = meta.getOrDefault(key, "");
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : otherwise;
  }

  /** The file of one rank. */
  private record RankFile(int rank, Path file, FormatVersion version) implements RankTrace {
    @Override
    public void read(CallSink sink) throws IOException {
      if (isBinary(file)) {
        try (var dumpi = new DumpiFile(file, version)) {
          dumpi.read(sink);
        }
      } else if (isDumpi(file)) {
        try (var lines = new TextLines(file)) {
          new DumpiTextReader(lines).read(sink);
        }
      } else {
        throw new TraceException(
            file, 0, "does not start with the magic number of a binary DUMPI file");
      }
    }
  }
}
