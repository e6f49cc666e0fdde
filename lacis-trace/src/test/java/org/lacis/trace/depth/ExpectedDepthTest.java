package org.lacis.trace.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.lacis.trace.Samples;
import org.lacis.trace.Traces;

/** What the article's definitions give, as found by another implementation of them. */
class ExpectedDepthTest {
  private static final List<Integer> BINS = List.of(1, 16, 32, 64, 128, 256);
  private static final DepthOptions PAPER =
      DepthOptions.DEFAULT.withBins(BINS).withScope(Scope.PAPER);

  @TestFactory
  Stream<DynamicTest> countsAndDepthsAreThoseOfTheDefinitions() throws IOException {
    Map<String, Path> folders = new HashMap<>();
    for (Path folder : Samples.all()) {
      folders.putIfAbsent(folder.getFileName().toString(), folder);
    }
    List<DynamicTest> tests = new ArrayList<>();
    for (String line : expected()) {
      String name = text(line, "\"trace\": \"(\\w[^\"]*)\"");
      Path folder = folders.get(name);
      if (folder != null) {
        tests.add(DynamicTest.dynamicTest(name, () -> check(folder, line)));
      }
    }
    assertThat(tests).hasSizeGreaterThanOrEqualTo(Samples.names().size());
    return tests.stream();
  }

  private static List<String> expected() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(Samples.folder("expected.jsonl")));
    String more = System.getProperty(Samples.MORE);
    if (more != null && Files.exists(Path.of(more, "expected.jsonl"))) {
      lines.addAll(Files.readAllLines(Path.of(more, "expected.jsonl")));
    }
    return lines.stream().distinct().toList();
  }

  private static void check(Path folder, String line) throws IOException {
    TraceProfile profile = DepthAnalysis.run(Traces.open(folder), PAPER, null, 2, Progress.NONE);
    assertThat(profile.problems()).isEmpty();
    assertThat(profile.ranks()).isEqualTo((int) number(line, "\"ranks\": "));
    assertThat(profile.pointToPoint()).isEqualTo((long) number(line, "\"p2p\": "));
    assertThat(profile.collectives()).isEqualTo((long) number(line, "\"coll\": "));
    assertThat(profile.pointToPointPercent())
        .isCloseTo(number(line, "\"p2p_pct\": "), within(1e-4));
    assertThat(profile.receives()).isEqualTo((long) number(line, "\"receives\": "));
    assertThat(profile.uniquePairs()).isEqualTo((int) number(line, "\"unique_src_tag\": "));
    assertThat(profile.uniqueTags()).isEqualTo((int) number(line, "\"unique_tags\": "));
    String wild = text(line, "\"wild\": (\\{[^}]*})");
    assertThat(profile.receives(Wildcards.NONE)).isEqualTo((long) number(wild, "\"none\": "));
    assertThat(profile.receives(Wildcards.SOURCE)).isEqualTo((long) number(wild, "\"src\": "));
    assertThat(profile.receives(Wildcards.TAG)).isEqualTo((long) number(wild, "\"tag\": "));
    assertThat(profile.receives(Wildcards.BOTH)).isEqualTo((long) number(wild, "\"both\": "));
    for (TraceProfile.Depth depth : profile.depths()) {
      String bins = text(line, "\"bins" + depth.bins() + "\": (\\{[^}]*})");
      assertThat(depth.greatest()).isEqualTo((int) number(bins, "\"max\": "));
      assertThat(depth.average()).isCloseTo(number(bins, "\"avg\": "), within(1e-4));
      assertThat(depth.collisions()).isEqualTo((long) number(bins, "\"collisions\": "));
    }
  }

  private static double number(String text, String before) {
    return Double.parseDouble(text(text, Pattern.quote(before) + "([-\\d.]+)"));
  }

  private static String text(String text, String pattern) {
    Matcher m = Pattern.compile(pattern).matcher(text);
    assertThat(m.find()).as(pattern + " in " + text).isTrue();
    return m.group(1);
  }
}
