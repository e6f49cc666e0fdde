package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the documents say is true: every program in them, and every example, is run with the command
 * written in it, ends well, and prints nothing to standard error. Programs for {@code --keep-going}
 * lose a rank, which ends with code 3; so does the job.
 *
 * <p>In a document, a program is a Java block whose first line is {@code // lacis run …}, with
 * perhaps the name of the file before; a block that is no program says {@code // fragment}. In an
 * example the command is a comment line of its own; if there are several, the last is run: the one
 * that takes the least time.
 */
class DocumentsTest {
  private static final Path ROOT = SourceTree.root();
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
  private static final Pattern COMMAND =
      Pattern.compile("//\\s+(?:\\S+\\.java\\s+)?(?:\\./)?lacis (run .*\\S)\\s*");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(?:#[^)]*)?\\)");

  /** What programs print, in any order, where that is always the same. By document and program. */
  private static final Map<String, List<String>> OUTPUT =
      Map.ofEntries(
          Map.entry("README.md Squares.java", List.of("rank 0 asks: 12 squared is 144")),
          Map.entry("guide.md Hello.java", ranks(0, 3, "rank ", " of 3")),
          Map.entry("guide.md SendReceive.java", List.of("got hello: 6 bytes")),
          Map.entry(
              "guide.md ActiveMessages.java", List.of("rank 1, tag 5: 101", "rank 2, tag 5: 102")),
          Map.entry(
              "guide.md Exchange.java",
              List.of("rank 0 finds 102", "rank 1 finds 100", "rank 2 finds 101")),
          Map.entry(
              "guide.md OwnCompletion.java",
              List.of("rank 0 has got 100 bytes", "rank 1 has got 100 bytes")),
          Map.entry(
              "guide.md KeepGoing.java",
              List.of(
                  "rank 0 has nothing from rank 2",
                  "rank 1 has nothing from rank 2",
                  "rank 0 goes on without rank 2",
                  "rank 1 goes on without rank 2")),
          Map.entry("guide.md Groups.java", ranks(0, 3, "member ", " got [0, 1, 1, 2, 2, 2]")),
          Map.entry("guide.md PutGet.java", List.of("rank 1 has put 42", "and reads back 42")),
          Map.entry(
              "guide.md Completions.java",
              List.of("number 0 is 0", "number 1 is 1", "and the last is 4")),
          Map.entry(
              "guide.md Fences.java", List.of("rank 0 has 30", "rank 1 has 33", "rank 2 has 36")),
          Map.entry("guide.md Graphs.java", List.of("round 0: 1", "round 1: 21", "round 2: 41")),
          Map.entry(
              "guide.md Sum.java", List.of("sums 6 and 40, by RECURSIVE_DOUBLING", "largest 3")),
          Map.entry("guide.md ProgressThread.java", ranks(0, 2, "rank ", " was called")),
          Map.entry(
              "guide.md Devices.java",
              List.of(
                  "thread 0 of rank 0 has heard from its partner",
                  "thread 1 of rank 0 has heard from its partner",
                  "thread 0 of rank 1 has heard from its partner",
                  "thread 1 of rank 1 has heard from its partner")),
          Map.entry(
              "guide.md Watch.java",
              List.of(
                  "synchronizer letters",
                  "  threshold  1",
                  "  arrived    0",
                  "  ahead      0",
                  "1 sends, 1 receives, 0 active messages, 0 puts, 0 gets, 0 atomics")),
          Map.entry("guide.md AnySource.java", List.of("from rank 1", "from rank 2")),
          Map.entry(
              "guide.md Simulated.java",
              List.of(
                  "rank 0 has heard from rank 3",
                  "rank 1 has heard from rank 0",
                  "rank 2 has heard from rank 1",
                  "rank 3 has heard from rank 2")),
          Map.entry(
              "examples ActiveMessages.java",
              List.of("rank 1: 11 squared is 121", "rank 2: 12 squared is 144")),
          Map.entry("examples Atomics.java", List.of("10000 pieces, sum 49995000")),
          Map.entry(
              "guide.md Columns.java", List.of("two columns of 4000 and 8000 bytes", "42 has 0.5")),
          Map.entry(
              "examples BufferLists.java",
              List.of(
                  "square roots: row 1234 is 35.12833614050059",
                  "square roots: 2 columns",
                  "column 0 has 40000 bytes",
                  "column 1 has 80000 bytes")),
          Map.entry(
              "examples CollectivesExample.java",
              List.of(
                  "round 1: mean 49.500, largest 99.0",
                  "round 2: mean 25.000, largest 49.5",
                  "round 3: mean 12.500, largest 24.5")),
          Map.entry(
              "examples Devices.java",
              List.of("2 pairs of threads have exchanged 100000 messages each")),
          Map.entry(
              "examples GraphExample.java",
              List.of(
                  "run 1 ends with 1006",
                  "run 2 ends with 2006",
                  "run 3 ends with 3006",
                  "graph pipeline: run 3 has finished",
                  "  add      done, after receive",
                  "  receive  done",
                  "  send     done, after add")),
          Map.entry(
              "examples OrderedMatching.java",
              List.of("all came in order; the last receive was cancelled")),
          Map.entry("guide.md Ordered.java", List.of("tag 0", "tag 1", "tag 2")),
          Map.entry(
              "examples PutWithSignal.java",
              List.of(
                  "rank 0 finds 300 from rank 3",
                  "rank 1 finds 0 from rank 0",
                  "rank 2 finds 100 from rank 1",
                  "rank 3 finds 200 from rank 2")),
          Map.entry(
              "examples Rpc.java",
              List.of(
                  "upper: HELLO",
                  "no method: there is no method 99",
                  "slow: no answer in time",
                  "crash: rank 2 is gone",
                  "afterwards: rank 2 is gone",
                  "rank 1: done")),
          Map.entry(
              "examples SendReceive.java",
              List.of(
                  "rank 1 got \"hello, rank 1\", 14 bytes from rank 0",
                  "rank 2 got \"hello, rank 2\", 14 bytes from rank 0",
                  "rank 3 got \"hello, rank 3\", 14 bytes from rank 0")),
          Map.entry(
              "examples Survivors.java",
              List.of(
                  "round 1: the sum of 4 ranks is 6",
                  "rank 2 is lost",
                  "round 2: the sum of 3 ranks is 8",
                  "round 3: the sum of 3 ranks is 12")),
          Map.entry(
              "examples VirtualThreads.java",
              List.of("10000 threads have received 49995000, expected 49995000")));

  @TempDir Path folder;

  private static List<String> ranks(int from, int to, String before, String after) {
    return IntStream.range(from, to).mapToObj(rank -> before + rank + after).toList();
  }

  @TestFactory
  Stream<DynamicTest> everyProgramInADocumentRuns() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path document : documents()) {
      Matcher block = BLOCK.matcher(Files.readString(document));
      while (block.find()) {
        String text = block.group(1);
        String first = text.lines().findFirst().orElse("");
        if (first.startsWith("// fragment")) {
          continue;
        }
        Matcher command = COMMAND.matcher(first);
        String name = document.getFileName() + " " + first.replaceFirst("^.*\\s(\\S+)$", "$1");
        tests.add(
            DynamicTest.dynamicTest(
                name,
                () -> {
                  assertThat(command.matches())
                      .as("%s: a block says how to run it, or // fragment: %s", document, first)
                      .isTrue();
                  List<String> words = List.of(command.group(1).split(" +"));
                  Files.writeString(folder.resolve(words.getLast()), text);
                  run(name, folder, words);
                }));
      }
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> everyExampleRuns() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("examples"))) {
      return files.sorted().toList().stream()
          .map(
              file -> {
                String name = "examples " + file.getFileName();
                return DynamicTest.dynamicTest(
                    name, () -> run(name, ROOT, lastCommand(file).orElseThrow()));
              });
    }
  }

  private static java.util.Optional<List<String>> lastCommand(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(COMMAND::matcher)
        .filter(Matcher::matches)
        .map(command -> List.of(command.group(1).split(" +")))
        .reduce((_, last) -> last);
  }

  private static void run(String name, Path where, List<String> command) throws Exception {
    assertThat(command.getFirst()).isEqualTo("run");
    try (LauncherRun run =
        LauncherRun.in(where, command.subList(1, command.size()).toArray(String[]::new))) {
      if (command.contains("--keep-going")) {
        assertThat(run.exitCode()).as(run::dump).isEqualTo(3);
        assertThat(run.err()).contains("ended with exit code 3; the job goes on");
      } else {
        assertThat(run.exitCode()).as(run::dump).isZero();
        assertThat(run.err()).as("standard error").isEmpty();
      }
      List<String> expected = OUTPUT.get(name);
      if (expected == null) {
        assertThat(run.out()).isNotEmpty();
      } else {
        assertThat(run.outLines()).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  /** A name that is not there any more would expect nothing. */
  @Test
  void everyExpectedOutputHasItsProgram() throws IOException {
    List<String> names = new ArrayList<>();
    everyProgramInADocumentRuns().forEach(test -> names.add(test.getDisplayName()));
    everyExampleRuns().forEach(test -> names.add(test.getDisplayName()));
    assertThat(names).doesNotHaveDuplicates().containsAll(OUTPUT.keySet());
  }

  @Test
  void theFirstCommandOfTheReadmeIsThatOfTheExample() throws IOException {
    String command = "lacis run -n 2 examples/PingPong.java";
    assertThat(Files.readString(ROOT.resolve("README.md"))).contains("./" + command);
    assertThat(Files.readAllLines(ROOT.resolve("examples/PingPong.java")))
        .contains("//   " + command);
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        Path target = document.resolveSibling(link.group(1));
        assertThat(target).as("%s links to %s", document.getFileName(), link.group(1)).exists();
      }
    }
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    return documents;
  }
}
