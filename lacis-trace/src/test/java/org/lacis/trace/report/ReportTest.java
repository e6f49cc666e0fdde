package org.lacis.trace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
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

  /** Counts what is drawn, with a size, and tells the page around it. */
  private static final String PROBE =
      """
      <script>
      const found = {};
      for (const figure of document.querySelectorAll('figure')) {
        const marks = [...figure.querySelectorAll('.mark')].filter(mark => {
          const box = mark.getBoundingClientRect();
          return box.width > 0 && box.height > 0 && getComputedStyle(mark).fill !== 'none';
        });
        found[figure.dataset.figure] = (found[figure.dataset.figure] || 0) + marks.length;
      }
      const root = document.documentElement;
      parent.postMessage({
        marks: Object.entries(found).map(e => e.join('=')).join(' '),
        width: innerWidth,
        wide: root.scrollWidth - root.clientWidth,
        hidden: Math.max(...[...document.querySelectorAll('.wide')].map(
            table => table.scrollWidth - table.clientWidth)),
        ground: getComputedStyle(document.body).backgroundColor
      }, '*');
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
    assertThat(Files.readString(page)).contains("<h3>Played again</h3>", "<td>blocks</td>");
    ReplayResult first = replays.getFirst();
    assertThat(Files.readString(page.resolveSibling("report.json")))
        .contains(
            "\"engine\": \"list\"", "\"messages\": " + first.messages(), "\"attempts_max\": ");
    assertThat(Summary.of(analyses(true)))
        .contains("played again: 672 messages", "of messages in blocks:", "attempts max/mean");
  }

  @Test
  void adviceComesFirstAndNamesOptionsOfLacis() throws IOException {
    String html = Files.readString(page);
    assertThat(html.indexOf("<h2>Advice</h2>"))
        .isBetween(0, html.indexOf("<figure"))
        .isLessThan(html.indexOf("withNoAnySource()"));
    String halo = Advice.of(analyses(true).get(1)).toString();
    assertThat(halo)
        .contains("No wildcards are used", "withNoAnySource().withNoAnyTag()")
        .contains("240 receives are recorded as ones of any source", "MatchingOptions.list()")
        .contains("no message took the fast path");
    assertThat(Advice.of(analyses(false).get(1)).toString())
        .contains("37.5 % of the receives take any source")
        .contains("240 messages are sent to nobody", "A replay tells them apart");
    assertThat(Summary.of(analyses(true)))
        .containsSubsequence("halo2d_mpich: 8 ranks", "No wildcards", "bins", "played again");
    assertThat(Files.readAllLines(page.resolveSibling("traces.csv")).get(2))
        .as("receives from nobody that are known, and sends to nobody")
        .contains(",240,0,0,0,240,");
  }

  @Test
  void depthsAreDrawnToOneScale() {
    int most =
        profiles.stream()
            .flatMap(p -> p.depths().stream())
            .mapToInt(d -> d.greatest())
            .max()
            .getAsInt();
    for (int i = 0; i < BINS.size(); i++) {
      int at = i;
      double longest =
          Pattern.compile("class=\"mark depth\"[^>]* width=\"([\\d.]+)\"")
              .matcher(Figures.depth(profiles, at))
              .results()
              .mapToDouble(m -> Double.parseDouble(m.group(1)))
              .max()
              .orElseThrow();
      int here = profiles.stream().mapToInt(p -> p.depths().get(at).greatest()).max().getAsInt();
      assertThat(longest).isCloseTo(Math.max(140.0 * here / most, 0.5), within(0.01));
    }
    assertThat(Figures.time(profiles.getFirst())).contains("a scale of its own");
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
  @CsvSource({"1200, light", "360, light", "1200, dark", "700, paper"})
  void aBrowserDrawsEveryMark(int width, String look) throws Exception {
    String html = Files.readString(page).replace("</body>", PROBE);
    if (look.equals("paper")) {
      // As wide as a sheet is between its margins.
      html = html.replace("@media print", "@media all");
    }
    Path probe = Files.writeString(folder.resolve("probe.html"), html);
    // In a frame, which may be narrower than any window.
    Path around =
        Files.writeString(
            folder.resolve("around.html"),
            """
            <!DOCTYPE html><html><body>
            <script>
            addEventListener('message', e => Object.assign(document.body.dataset, e.data));
            </script>
            <iframe src="%s" style="width: %dpx; height: 900px; border: 0"></iframe>
            </body></html>
            """
                .formatted(probe.toUri(), width));
    List<String> options = new ArrayList<>(List.of("--window-size=1300,950", "--dump-dom"));
    options.add("--virtual-time-budget=5000");
    if (look.equals("dark")) {
      options.add("--blink-settings=preferredColorScheme=0");
    }
    String body = found(browse(options, around), "<body([^>]*)>");
    for (String figure : marks().split(" ")) {
      assertThat(found(body, "data-marks=\"([^\"]*)\"").split(" ")).contains(figure);
    }
    assertThat(found(body, "data-width=\"(\\d+)\"")).isEqualTo(Integer.toString(width));
    assertThat(found(body, "data-wide=\"(-?\\d+)\"")).as("nothing sticks out").isEqualTo("0");
    if (look.equals("paper")) {
      assertThat(found(body, "data-hidden=\"(-?\\d+)\""))
          .as("on paper no table can be moved")
          .isEqualTo("0");
    }
    assertThat(found(body, "data-ground=\"([^\"]*)\""))
        .isEqualTo(look.equals("dark") ? "rgb(22, 24, 27)" : "rgb(255, 255, 255)");
  }

  @Test
  void everyTraceBeginsASheet() throws Exception {
    Path sheets = folder.resolve("report.pdf");
    browse(List.of("--no-pdf-header-footer", "--print-to-pdf=" + sheets), page);
    String pdf = Files.readString(sheets, StandardCharsets.ISO_8859_1);
    assertThat(Pattern.compile("/Type */Page\\b").matcher(pdf).results().count())
        .isGreaterThan(profiles.size());
  }

  /** Shows a page, and answers what the browser prints. */
  private static String browse(List<String> options, Path shown) throws Exception {
    Path browser = browser();
    assumeTrue(browser != null, "no chromium to look at the page with");
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
                "--user-data-dir=" + folder.resolve("profile")));
    command.addAll(options);
    command.add(shown.toUri().toString());
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
    return Files.readString(out);
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
