package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lacis bench}, from the command line to what it prints. No test says how fast anything is.
 */
class BenchCommandTest {
  @TempDir Path out;

  private static LauncherRun bench(String... args) throws Exception {
    String[] words = new String[args.length + 2];
    words[0] = Main.class.getName();
    words[1] = "bench";
    System.arraycopy(args, 0, words, 2, args.length);
    return LauncherRun.java(words);
  }

  @Test
  void lacisTheMemoryAndAnMpiAreMeasuredInOneRun() throws Exception {
    try (var run = bench("rate", "--quick", "--rounds", "3", "--starts", "2", "--peers", "mpich")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.out())
          .contains("shm: lacis", "rate, shm", "8 bytes, active messages to a handler, million/s")
          .contains("\n    lacis ", "\n    memory ", "garbage collections in ranks of Lacis")
          .doesNotContain("failed:");
      boolean mpich = !run.out().contains("mpich is not measured");
      assertThat(run.out().contains("\n    mpich ")).isEqualTo(mpich);
      assertThat(run.out().contains("target ≥ 5.00 × the best MPI: ")).isEqualTo(mpich);
    }
  }

  @Test
  void withoutPeersLacisIsMeasuredAlone() throws Exception {
    String folder = out.resolve("new").toString();
    try (var run =
        bench("--quick", "--rounds", "1", "--peers", "none", "--out", folder, "resources")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      for (String file : List.of("results.json", "results.csv", "report.html")) {
        assertThat(out.resolve("new").resolve(file)).isNotEmptyFile();
      }
      assertThat(out.resolve("new/results.json"))
          .content()
          .contains(
              "\"command\": \"lacis bench resources --net shm --peers none --quick --rounds 1\"",
              "\"spread\": null");
      assertThat(run.out())
          .contains("±?")
          .contains("packets taken and given back, 1 thread, million/s")
          .contains("completions put in and taken out, 4 threads, million/s");
    }
  }

  @Test
  void mistakesAreExplained() throws IOException {
    assertThat(mistake("fast")).contains("there is no group fast; there are all, latency, rate");
    assertThat(mistake("--net", "pigeon"))
        .contains("--net pigeon: the networks are ", "shm", "tcp");
    assertThat(mistake("--peers", "grpc")).contains("--peers grpc: the peers are ", "mpich");
    assertThat(mistake("--peers", "mpich,none"))
        .contains("--peers none goes with no other, but there is mpich");
    assertThat(mistake("--compare", out.toString(), "nowhere"))
        .contains("there are no results: no file ");
    Path binary = Files.write(out.resolve("binary"), new byte[] {'n', (byte) 0xff, (byte) 0xfe});
    assertThat(mistake("--compare", binary.toString(), binary.toString()))
        .contains(binary + " is no results.csv of lacis bench");
    assertThat(mistake("--compare", out.toString(), out.toString(), "latency"))
        .contains("goes with no group, but there is latency");
    assertThat(mistake("--rounds", "0")).contains("--rounds must be from 1 to 10000, but is 0");
    assertThat(mistake("--starts", "101")).contains("--starts must be from 1 to 100, but is 101");
    Path file = Files.createFile(out.resolve("file"));
    assertThat(mistake("--out", file.toString())).contains("--out " + file + " is not a folder");
    assertThat(mistake("--out", file + "/below")).contains("below is not a folder");
  }

  @Test
  void helpTellsTheDefaultsThatThereAre() {
    var text = new StringWriter();
    var command = Main.commandLine();
    command.setOut(new PrintWriter(text));
    assertThat(command.execute("bench", "--help")).isZero();
    assertThat(text.toString().replaceAll("\\s+", " "))
        .contains("default: 80, with --quick 8", "default: 5, with --quick 1");
  }

  private static String mistake(String... args) {
    var text = new StringWriter();
    var command = Main.commandLine();
    command.setErr(new PrintWriter(text));
    String[] words = new String[args.length + 1];
    words[0] = "bench";
    System.arraycopy(args, 0, words, 1, args.length);
    assertThat(command.execute(words)).isEqualTo(2);
    return text.toString();
  }
}
