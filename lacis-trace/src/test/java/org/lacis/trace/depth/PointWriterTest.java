package org.lacis.trace.depth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;
import org.lacis.trace.Traces;

/** A line per point: together they are what the profile says. */
class PointWriterTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Scope.class)
  void linesAddUpToTheProfile(Scope scope) throws IOException {
    for (String name : Samples.names()) {
      Trace trace = Traces.open(Samples.folder(name));
      DepthOptions options = DepthOptions.DEFAULT.withBins(List.of(1, 32)).withScope(scope);
      Path file = folder.resolve(name + ".csv");
      TraceProfile profile;
      try (var points = PointWriter.open(file, options)) {
        profile = DepthAnalysis.run(trace, options, null, points, 2, Progress.NONE);
      }
      List<Map<String, String>> lines = read(file);
      assertThat(lines).hasSize((int) profile.points());
      for (int i = 0; i < 2; i++) {
        TraceProfile.Depth depth = profile.depths().get(i);
        String bins = "_" + depth.bins();
        assertThat(lines.stream().mapToLong(of("max" + bins)).max().orElse(0))
            .isEqualTo(depth.greatest());
        // What follows the last wait is in no line.
        assertThat(lines.stream().mapToLong(of("collisions" + bins)).sum())
            .isLessThanOrEqualTo(depth.collisions());
        assertThat(lines.stream().mapToLong(of("met" + bins)).sum())
            .isLessThanOrEqualTo(depth.met());
      }
      assertThat(lines.stream().mapToLong(of("p2p")).sum())
          .isPositive()
          .isLessThanOrEqualTo(profile.pointToPoint());
      assertThat(lines.stream().mapToLong(of("collectives")).sum())
          .isLessThanOrEqualTo(profile.collectives());
    }
  }

  private static ToLongFunction<Map<String, String>> of(String column) {
    return line -> Long.parseLong(line.get(column));
  }

  private static List<Map<String, String>> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String[] names = lines.getFirst().split(",");
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",");
      assertThat(cells).hasSameSizeAs(names);
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < cells.length; i++) {
        row.put(names[i], cells[i]);
      }
      rows.add(row);
    }
    return rows;
  }
}
