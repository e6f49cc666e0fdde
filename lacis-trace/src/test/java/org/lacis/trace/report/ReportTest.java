package org.lacis.trace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;
import org.lacis.trace.Traces;
import org.lacis.trace.depth.DepthAnalysis;
import org.lacis.trace.depth.DepthOptions;
import org.lacis.trace.depth.Progress;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.replay.Replay;
import org.lacis.trace.replay.ReplayOptions;
import org.lacis.trace.replay.ReplayResult;

/** What a report has in it, and that a browser shows it. */
class ReportTest {
  private static final List<Integer> BINS = List.of(1, 32, 128);

  /** Counts what is drawn, with a size, and tells by the page itself. */
  private static final String PROBE =
      """
      <script>
      addEventListener('error', e => document.body.dataset.error = e.message);
      const found = {};
      for (const figure of document.querySelectorAll('figure')) {
        const marks = [...figure.querySelectorAll('.mark')].filter(mark => {
          const box = mark.getBoundingClientRect();
          return box.width > 0 && box.height > 0 && getComputedStyle(mark).fill !== 'none';
        });
        found[figure.dataset.figure] = (found[figure.dataset.figure] || 0) + marks.length;
      }
      document.body.dataset.marks = Object.entries(found).map(e => e.join('=')).join(' ');
      document.body.dataset.wide =
          document.documentElement.scrollWidth - document.documentElement.clientWidth;
      document.body.dataset.ground = getComputedStyle(document.body).backgroundColor;
      </script>
      </body>\
      """;

  @TempDir static Path folder;
  private static List<TraceProfile> profiles;
  private static List<ReplayResult> replays;
  private static Path page;

  @BeforeAll
  static void write() throws IOException {
    profiles = new ArrayList<>();
    replays = new ArrayList<>();
    for (String name : Samples.names()) {
      Trace trace = Traces.open(Samples.folder(name));
      DepthOptions options = DepthOptions.DEFAULT.withBins(BINS);
      profiles.add(DepthAnalysis.run(trace, options, null, 2, Progress.NONE));
      replays.add(Replay.run(trace, ReplayOptions.DEFAULT, Progress.NONE));
    }
    page = Report.write(analyses(true), folder.resolve("report"));
  }

  private static List<Analysis> analyses(boolean withReplay) {
    return IntStream.range(0, profiles.size())
        .mapToObj(i -> new Analysis(profiles.get(i), withReplay ? replays.get(i) : null))
        .toList();
  }

  @Test
  void whatWasPlayedAgainIsOnThePageAndInTheNumbers() throws IOException {
    List<String> table = Files.readAllLines(page.resolveSibling("replay.csv"));
    assertThat(table).hasSize(1 + 3 * profiles.size());
    assertThat(table.getFirst()).startsWith("trace,engine,messages,receives,wildcards,paired");
    assertThat(Files.readString(page)).contains("<h3>Played again</h3>", "<tr><td>blocks<td>");
    ReplayResult first = replays.getFirst();
    assertThat(Files.readString(page.resolveSibling("report.json")))
        .contains(
            "\"engine\": \"list\"", "\"messages\": " + first.messages(), "\"attempts_max\": ");
    assertThat(Summary.of(analyses(true)))
        .contains("played again: 672 messages", "of messages in blocks:", "attempts max/mean");
  }

  @Test
  void whatWasNotPlayedIsNotThere() throws IOException {
    Path other = Report.write(analyses(false), folder.resolve("without"));
    assertThat(other.resolveSibling("replay.csv")).doesNotExist();
    assertThat(Files.readString(other)).doesNotContain("Played again");
    assertThat(Summary.of(analyses(false))).doesNotContain("played again");
  }

  @Test
  void thePageNeedsNothingElse() throws IOException {
    String html = Files.readString(page);
    assertThat(html).doesNotContain("http:", "https:", "<script", "${").contains("</html>");
    assertThat(html).contains("gather_any_ompi").contains("the hint mpi_assert_no_any_tag is safe");
  }

  @Test
  void tablesAndJsonHaveTheSameNumbers() throws IOException {
    String json = Files.readString(page.resolveSibling("report.json"));
    for (TraceProfile profile : profiles) {
      assertThat(json)
          .contains("\"trace\": \"%s\", \"ranks\": %d".formatted(profile.name(), profile.ranks()))
          .contains("\"receives\": " + profile.receives());
    }
    List<String> depth = Files.readAllLines(page.resolveSibling("depth.csv"));
    assertThat(depth).hasSize(1 + profiles.size() * BINS.size());
    assertThat(Files.readAllLines(page.resolveSibling("traces.csv"))).hasSize(1 + profiles.size());
    for (String name : List.of("calls.csv", "peers.csv", "tags.csv", "time.csv")) {
      assertThat(Files.readAllLines(page.resolveSibling(name))).hasSizeGreaterThan(2);
    }
  }

  @ParameterizedTest
  @CsvSource({"1200, light", "500, light", "1200, dark"})
  void aBrowserDrawsEveryMark(int width, String scheme) throws Exception {
    Path browser = browser();
    assumeTrue(browser != null, "no chromium to look at the page with");
    Path probe = folder.resolve("probe-%d-%s.html".formatted(width, scheme));
    Files.writeString(probe, Files.readString(page).replace("</body>", PROBE));
    List<String> command =
        new ArrayList<>(
            List.of(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--enable-logging=stderr",
                "--user-data-dir=" + folder.resolve("profile"),
                "--window-size=%d,900".formatted(width),
                "--dump-dom"));
    if (scheme.equals("dark")) {
      command.add("--blink-settings=preferredColorScheme=0");
    }
    command.add(probe.toUri().toString());
    Path out = folder.resolve("dom.html");
    Path err = folder.resolve("console.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("chromium ends").isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(Files.readString(err, StandardCharsets.ISO_8859_1)).doesNotContain("CONSOLE");
    String dom = Files.readString(out);
    String body = found(dom, "<body([^>]*)>");
    assertThat(body).doesNotContain("data-error");
    for (String figure : marks().split(" ")) {
      assertThat(found(body, "data-marks=\"([^\"]*)\"").split(" ")).contains(figure);
    }
    assertThat(found(body, "data-wide=\"(-?\\d+)\"")).as("nothing sticks out").isEqualTo("0");
    assertThat(found(body, "data-ground=\"([^\"]*)\""))
        .isEqualTo(scheme.equals("dark") ? "rgb(22, 24, 27)" : "rgb(255, 255, 255)");
  }

  /** How many marks each figure has: as many as there are numbers to show. */
  private static String marks() {
    long kinds =
        profiles.stream()
            .flatMap(p -> Stream.of(p.pointToPoint(), p.collectives(), p.oneSided()))
            .filter(count -> count > 0)
            .count();
    long peers =
        profiles.stream()
            .flatMap(p -> p.peers().stream().flatMap(List::stream))
            .filter(count -> count > 0)
            .count();
    long tags =
        profiles.stream()
            .flatMap(p -> p.tags(16).stream().flatMap(tag -> tag.byRanks().stream()))
            .filter(count -> count > 0)
            .count();
    return "calls=%d depth-1=5 depth-32=5 depth-128=5 time=5 peers=%d tags=%d"
        .formatted(kinds, peers, tags);
  }

  private static Path browser() {
    for (String path : System.getenv().getOrDefault("PATH", "").split(":")) {
      for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
        Path candidate = Path.of(path, name);
        if (Files.isExecutable(candidate)) {
          return candidate;
        }
      }
    }
    return null;
  }

  private static String found(String text, String pattern) {
    Matcher m = Pattern.compile(pattern).matcher(text);
    assertThat(m.find()).as(pattern).isTrue();
    return m.group(1);
  }
}
