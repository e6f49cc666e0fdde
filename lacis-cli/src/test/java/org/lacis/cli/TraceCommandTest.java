package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code lacis trace} prints and writes. */
class TraceCommandTest {
  private static final Path TRACES =
      SourceTree.root().resolve("lacis-trace/src/test/resources/traces");
  private static final Path TOUR = TRACES.resolve("tour_mpich");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  @Test
  void aRankIsPrintedAsTheReferenceText() throws IOException {
    Path binary = TOUR.resolve("dumpi-2026.11.15.02.46.41-0001.bin.gz");
    Path text = TOUR.resolve("dumpi-2026.11.15.02.46.41-0001.txt.gz");
    var printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(run("print", binary.toString())).isZero();
    } finally {
      System.setOut(before);
    }
    try (var in = new GZIPInputStream(Files.newInputStream(text))) {
      assertThat(printed.toByteArray()).isEqualTo(in.readAllBytes());
    }
  }

  @Test
  void infoCountsTheCalls() {
    assertThat(run("info", TOUR.toString())).isZero();
    assertThat(out.toString())
        .contains("tour_mpich: DUMPI, 4 ranks", "numprocs", "MPI_Irecv")
        .doesNotContain("wrong");
  }

  @Test
  void damageIsToldWithFileAndPlace() throws IOException {
    Path file = folder.resolve("x-0000.bin");
    Files.writeString(file, "nothing of the kind");
    assertThat(run("info", folder.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("wrong: " + file + ": at byte 0: does not start with");
    assertThat(run("info", folder.resolve("nowhere").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("there is no such file or folder");
  }

  @Test
  void analyzeWritesAReportAndASummary() {
    Path report = folder.resolve("report");
    assertThat(
            run(
                "analyze",
                TOUR.toString(),
                TRACES.resolve("halo2d_mpich").toString(),
                "--out",
                report.toString(),
                "--cache",
                folder.resolve("cache").toString(),
                "--bins",
                "1,32"))
        .isZero();
    assertThat(out.toString())
        .contains("halo2d_mpich: 8 ranks", "collisions", "mpi_assert_no_any_tag are safe")
        .contains("played again: 84 messages", "attempts max/mean", "fast path");
    assertThat(report).isDirectoryContaining("glob:**replay.csv");
    assertThat(report).isDirectoryContaining("glob:**report.html");
    assertThat(report).isDirectoryContaining("glob:**depth.csv");
  }

  @Test
  void analyzeDoesWithoutTheReplayIfAsked() {
    assertThat(run("analyze", TOUR.toString(), "--no-cache", "--no-replay")).isZero();
    assertThat(out.toString()).contains("collisions").doesNotContain("played again");
  }

  @Test
  void everyDataPointIsALineOnRequest() throws IOException {
    Path points = folder.resolve("points.csv");
    assertThat(
            run(
                "analyze",
                TOUR.toString(),
                "--no-cache",
                "--no-replay",
                "--bins",
                "1,32",
                "--points",
                points.toString()))
        .isZero();
    assertThat(Files.readAllLines(points).getFirst())
        .startsWith("trace,rank,point,seconds,posted,sends,")
        .endsWith("collisions_32,met_32,max_32,least_empty_32");
    assertThat(
            run("analyze", TOUR.toString(), "--no-cache", "--points", folder + "/nowhere/points"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("nowhere");
  }

  @Test
  void aDamagedTraceIsLeftOutUnlessAskedFor() throws IOException {
    Path copy = Files.createDirectory(folder.resolve("copy"));
    Path file = TOUR.resolve("dumpi-2026.11.15.02.46.41-0001.bin.gz");
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      Files.write(copy.resolve("x-0000.bin"), in.readNBytes(4000));
    }
    assertThat(run("analyze", copy.toString(), "--no-cache")).isEqualTo(1);
    assertThat(err.toString()).contains("x-0000.bin: at byte", "with --partial");
    assertThat(out.toString()).isEmpty();
    assertThat(run("analyze", copy.toString(), "--no-cache", "--partial")).isEqualTo(1);
    assertThat(out.toString()).contains("copy: 1 ranks");
  }

  @Test
  void compareShowsWhatDiffers() {
    assertThat(
            run("compare", TOUR.toString(), TRACES.resolve("tour_ompi").toString(), "--no-cache"))
        .isZero();
    assertThat(out.toString()).contains("tour_mpich", "tour_ompi", "MPI_Iprobe");
  }

  @Test
  void aTraceIsConvertedAndLooksTheSame() {
    Path events = folder.resolve("events");
    assertThat(run("convert", TOUR.toString(), "--out", events.toString())).isZero();
    assertThat(run("info", events.toString())).isZero();
    assertThat(out.toString()).contains("events: events, 4 ranks", "MPI_Irecv");
  }

  @Test
  void replayShowsTheQueuesOfEachEngine() {
    assertThat(run("replay", TOUR.toString(), "--seed", "1", "--block", "8")).isZero();
    assertThat(out.toString())
        .contains("played again: 84 messages", "list", "ordered", "blocks")
        .doesNotContain("left out");
    assertThat(run("replay", TOUR.toString(), "--block", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("blocks of 0");
  }

  @Test
  void aMissingRankIsToldToBeTheReason() throws IOException {
    Path copy = Files.createDirectory(folder.resolve("copy"));
    try (var files = Files.list(TOUR)) {
      for (Path file : files.filter(f -> !f.toString().contains("-0002.")).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    Path report = folder.resolve("report");
    assertThat(run("analyze", copy.toString(), "--no-cache", "--partial", "-o", report.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("rank 2 of 4 has no file");
    String why = "rank 2 has no file: 16 messages to it are not played, 10 receives from it get no";
    assertThat(out.toString()).contains(why, "cannot be followed without rank 2");
    assertThat(Files.readString(report.resolve("report.html"))).contains(why, "rank 2 of 4 has");
    assertThat(Files.readString(report.resolve("report.json"))).contains(why, "rank 2 of 4 has");
    assertThat(run("replay", copy.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("wrong: rank 2 of 4 has no file");
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThat(run("replay", TOUR.toString(), "--latency", "5")).isEqualTo(2);
    assertThat(err.toString()).contains("needs --seed");
    assertThat(run("analyze", TOUR.toString(), "--cache", "")).isEqualTo(2);
    assertThat(err.toString()).contains("--cache: an empty name");
    assertThat(run("analyze", TOUR.toString(), "--bins", "1,1000", "--no-cache")).isEqualTo(2);
    assertThat(err.toString()).contains("1000 bins: with the hash PEARSON there can be 1 to 256");
  }

  private int run(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "trace";
    System.arraycopy(args, 0, all, 1, args.length);
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all);
  }
}
