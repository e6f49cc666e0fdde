package org.lacis.trace.events;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.TraceFormat;
import org.lacis.trace.io.TextLines;

/**
 * Events as text: a folder with a file per rank, {@code NAME-0000.jsonl} and so on, with an object
 * of JSON on each line, or {@code NAME-0000.csv}, a table; either may be compressed by gzip. {@code
 * docs/trace.md} describes it.
 */
public final class EventsFormat implements TraceFormat {
  private static final Pattern FILE = Pattern.compile("(.+)-(\\d{1,9})\\.(jsonl|csv)(\\.gz)?");

  /** Used by the service loader. */
  public EventsFormat() {}

  @Override
  public String name() {
    return "events";
  }

  @Override
  public Optional<Trace> open(Path path) throws IOException {
    Map<Integer, RankTrace> ranks = new TreeMap<>();
    for (Path file : files(path)) {
      Matcher m = FILE.matcher(String.valueOf(file.getFileName()));
      if (m.matches()) {
        int rank = Integer.parseInt(m.group(2));
        ranks.putIfAbsent(rank, new RankFile(rank, file, m.group(3).equals("csv")));
      }
    }
    if (ranks.isEmpty()) {
      return Optional.empty();
    }
    int size = ranks.keySet().stream().max(Integer::compare).orElse(0) + 1;
    List<String> warnings =
        Files.isDirectory(path) ? Trace.warnOfMissing(size, ranks.keySet()) : List.of();
    String name = String.valueOf(path.toAbsolutePath().normalize().getFileName());
    return Optional.of(
        new Trace(name, path, name(), size, List.copyOf(ranks.values()), Map.of(), warnings));
  }

  private static List<Path> files(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** The file of one rank. */
  private record RankFile(int rank, Path file, boolean table) implements RankTrace {
    @Override
    public void read(CallSink sink) throws IOException {
      var call = new Call();
      var values = new EventValues();
      @Nullable List<String> columns = null;
      try (var lines = new TextLines(file)) {
        for (String line = lines.read(); line != null; line = lines.read()) {
          if (line.isBlank() || line.startsWith("#")) {
            continue;
          }
          if (table && columns == null) {
            columns = EventParser.columns(line);
            if (columns == null) {
              throw lines.damage("the first line of a table names its columns, one of them call");
            }
            continue;
          }
          values.clear();
          @Nullable String wrong;
          try {
            if (columns != null) {
              EventParser.cells(line, columns, values);
            } else {
              EventParser.object(line, values);
            }
            wrong = values.fill(call, lines.start());
          } catch (EventParser.Wrong e) {
            wrong = e.getMessage();
          }
          if (wrong != null) {
            throw lines.damage(wrong);
          }
          sink.call(call);
        }
      }
    }
  }
}
