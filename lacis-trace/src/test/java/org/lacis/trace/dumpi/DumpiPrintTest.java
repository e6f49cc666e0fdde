package org.lacis.trace.dumpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lacis.trace.FormatVersion;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;
import org.lacis.trace.Traces;

class DumpiPrintTest {

  @TestFactory
  Stream<DynamicTest> aBinaryFilePrintsAsTheReferenceText() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path text : texts()) {
      Path binary = Path.of(text.toString().replaceAll("\\.txt", ".bin"));
      tests.add(
          DynamicTest.dynamicTest(
              text.getParent().getFileName() + "/" + text.getFileName(),
              () -> assertThat(printed(binary, false)).isEqualTo(expected(text, false))));
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> textPrintsAsItself() throws IOException {
    return texts().stream()
        .map(
            text ->
                DynamicTest.dynamicTest(
                    text.getParent().getFileName() + "/" + text.getFileName(),
                    () -> assertThat(calls(text)).isEqualTo(expected(text, false))));
  }

  @Test
  void everythingPrintsAsTheReferenceTextOfTheRecordersAuthors() throws IOException {
    Path text =
        texts().stream().filter(t -> t.endsWith("testtrace-0000.txt")).findFirst().orElse(null);
    assumeTrue(text != null, "testtrace-0000.txt is not there: give -D" + Samples.MORE);
    Path binary = Path.of(text.toString().replace(".txt", ".bin"));
    assertThat(printed(binary, true)).isEqualTo(expected(text, true));
  }

  @Test
  void aFolderHasTheBinaryFilesOfAllRanks() throws IOException {
    Trace trace = Traces.open(Samples.folder("tour_mpich"));
    assertThat(trace.format()).isEqualTo("DUMPI");
    assertThat(trace.size()).isEqualTo(4);
    assertThat(trace.warnings()).isEmpty();
    assertThat(trace.properties()).containsEntry("hostname", "vm");
    assertThat(trace.ranks()).extracting(RankTrace::rank).containsExactly(0, 1, 2, 3);
    assertThat(trace.ranks())
        .allSatisfy(rank -> assertThat(rank.file().toString()).endsWith(".bin.gz"));
  }

  private static List<Path> texts() throws IOException {
    List<Path> texts = new ArrayList<>();
    for (Path folder : Samples.all()) {
      try (Stream<Path> files = Files.list(folder)) {
        files
            .filter(file -> file.toString().matches(".*\\.txt(\\.gz)?"))
            .sorted()
            .forEach(texts::add);
      }
    }
    return texts;
  }

  private static String printed(Path binary, boolean all) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var file = new DumpiFile(binary, new FormatVersion(13, 0, 0))) {
      if (all) {
        DumpiSections.printAll(file, out, ZoneId.of("America/Los_Angeles"));
      } else {
        DumpiSections.printCalls(file, out);
      }
    }
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  private static String calls(Path text) throws IOException {
    var out = new ByteArrayOutputStream();
    var printer = new DumpiPrinter(out);
    Traces.open(text).ranks().getFirst().read(printer);
    printer.flush();
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  /** The text; of one with everything in it, the calls alone if so wanted. */
  private static String expected(Path text, boolean all) throws IOException {
    String expected = new String(Samples.bytes(text), StandardCharsets.ISO_8859_1);
    int start = expected.indexOf("MPI_Init entering");
    int end = expected.indexOf("Total keyvals");
    return all || end < 0 ? expected : expected.substring(start, end);
  }
}
