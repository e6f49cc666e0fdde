package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lacis.cli.LauncherRun.program;
import static org.lacis.cli.LauncherRun.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.Lacis;

/** What {@code lacis run} does with programs that behave. */
class RunCommandTest {
  /** An a with two dots, in UTF-8, for printf. */
  private static final String UMLAUT = "\\303\\244";

  @Test
  void aSourceFileRunsAsManyTimesAsAsked() throws Exception {
    try (LauncherRun run = run("-n", "3", program("Hello.java"), "-n", "--help", "@x", "a b")) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrder(
              "hello from 0 of 3 -n,--help,@x,a b",
              "hello from 1 of 3 -n,--help,@x,a b",
              "hello from 2 of 3 -n,--help,@x,a b");
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  void sixteenRanksMeet() throws Exception {
    try (LauncherRun run = run("-np", "16", program("Meets.java"))) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines()).hasSize(16).allMatch("met 16 by lacis launcher, PMI-1"::equals);
    }
  }

  @Test
  void aProgramInAPackageFindsItsOtherFiles() throws Exception {
    try (LauncherRun run = run("-n", "1", program("app/Multi.java"), "you")) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.out()).isEqualTo("greetings to you sibling\n");
    }
  }

  @Test
  void aProgramThatDoesNotCompileIsNotStarted() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Broken.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains("Broken.java:2: error: incompatible types", "undefined()", "2 errors");
      assertThat(run.err().split("incompatible", -1)).hasSize(2);
      assertThat(run.out()).isEmpty();
    }
  }

  @Test
  void aClassOnTheClassPathRuns(@TempDir Path folder) throws Exception {
    compile(folder, "Where.java");
    try (LauncherRun run = run("-n", "2", "-cp", folder.toString(), "Where", "x")) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines()).hasSize(2).allMatch(line -> line.endsWith("|x"));
    }
  }

  /** Its classes are not mixed with those of the launcher's cache. */
  @ParameterizedTest
  @ValueSource(strings = {"own.jar", "*", "thin.jar"})
  void aLibraryThatTheProgramBringsAlongIsTaken(String entry, @TempDir Path folder)
      throws Exception {
    Path own = Files.copy(Path.of(LauncherLibrary.jar(Lacis.class)), folder.resolve("own.jar"));
    if (entry.equals("thin.jar")) {
      var manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "nothing.jar own.jar");
      new JarOutputStream(Files.newOutputStream(folder.resolve(entry)), manifest).close();
    }
    assertThat(RankClassPath.hasOtherLibrary(List.of(folder + "/" + entry))).isTrue();
    String path = folder + "/" + entry;
    try (LauncherRun run = run("-n", "1", "-cp", path, program("Library.java"))) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.out()).isEqualTo(own.toUri().toURL() + "\n");
    }
  }

  @Test
  void aClassThatIsNotThereIsNamed(@TempDir Path folder) throws Exception {
    try (LauncherRun run = run("-n", "1", "-cp", folder.toString(), "Nowhere")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("could not find or load main class Nowhere");
    }
  }

  @Test
  void aJarRuns(@TempDir Path folder) throws Exception {
    compile(folder, "Meets.java");
    Path jar = folder.resolve("meets.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Meets");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.putNextEntry(new JarEntry("Meets.class"));
      Files.copy(folder.resolve("Meets.class"), out);
    }
    try (LauncherRun run = run("-n", "2", jar.toString())) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines()).hasSize(2).allMatch(line -> line.startsWith("met 2"));
    }
  }

  private static void compile(Path folder, String program) {
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    int code =
        javac.run(
            System.out,
            System.err,
            "-d",
            folder.toString(),
            "-cp",
            LauncherLibrary.classPath(),
            program(program));
    assertThat(code).isZero();
  }

  @Test
  void ranksGetTheFolderTheEnvironmentAndTheOptionsAskedFor(@TempDir Path folder) throws Exception {
    try (LauncherRun run =
        run(
            Map.of("COLOUR", "grey"),
            "-n",
            "2",
            "--wdir",
            folder.toString(),
            "--env",
            "COLOUR=blue-{rank}",
            "--net",
            "sim",
            "--jvm",
            "-Dmark='a b' -ea",
            program("Where.java"))) {
      assertThat(run.exitCode()).as(run::err).isZero();
      Path real = folder.toRealPath();
      assertThat(run.outLines())
          .containsExactlyInAnyOrder(
              "0|" + real + "|blue-0|sim|a b|", "1|" + real + "|blue-1|sim|a b|");
    }
  }

  @Test
  void argumentsBeyondAsciiArrive(@TempDir Path folder) throws Exception {
    // A file of that name, made by somebody who can write it.
    String make = "touch \"$(printf '" + UMLAUT + "')\"";
    assertThat(new ProcessBuilder("sh", "-c", make).directory(folder.toFile()).start().waitFor())
        .isZero();
    String program = program("Arguments.java");
    try (LauncherRun run = LauncherRun.withUtf8(folder, UMLAUT, "-n", "1", program)) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines()).containsExactly("[e4]", "true true");
    }
    String bare = "env -i PATH=" + System.getenv("PATH") + " sh -c {command}";
    try (LauncherRun run =
        LauncherRun.withUtf8(folder, UMLAUT, "--hosts", "a", "--launch", bare, program)) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines()).containsExactly("[e4]", "true true");
    }
  }

  @Test
  void argumentsThatTheLocaleOfARankDoesNotHaveAreRefused(@TempDir Path folder) throws Exception {
    String program = program("Arguments.java");
    try (LauncherRun run =
        LauncherRun.withUtf8(folder, UMLAUT, "-n", "1", "--env", "LC_ALL=C", program)) {
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains("something that is not ANSI_X3.4-1968, the encoding of");
    }
  }

  @Test
  void standardInputGoesToRankZero() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Echo.java"))) {
      run.in().write("some input\n".getBytes(StandardCharsets.UTF_8));
      run.in().close();
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrder("rank 0 read 11: some input", "rank 1 read 0");
    }
  }

  @Test
  void aPromptIsSeenBeforeItIsAnswered() throws Exception {
    try (LauncherRun run = run("-n", "2", program("Prompts.java"))) {
      run.awaitOut("your name? ");
      run.in().write("nobody\n".getBytes(StandardCharsets.UTF_8));
      run.in().flush();
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.out()).isEqualTo("your name? hello nobody\n");
    }
  }

  @Test
  void linesOfRanksAreNeverMixed() throws Exception {
    int lines = 400;
    try (LauncherRun run = run("-n", "4", program("Lines.java"), Integer.toString(lines), "300")) {
      assertThat(run.exitCode()).isZero();
      for (int rank = 0; rank < 4; rank++) {
        List<String> expected = new ArrayList<>();
        List<String> expectedErrors = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
          String line = rank + ":" + Integer.toString(rank).repeat(300) + "." + i;
          expected.add(line);
          expectedErrors.add("e" + line);
        }
        expected.add(rank + ":last");
        String start = rank + ":";
        assertThat(run.outLines()).filteredOn(line -> line.startsWith(start)).isEqualTo(expected);
        assertThat(run.err().lines())
            .filteredOn(line -> line.startsWith("e" + start))
            .isEqualTo(expectedErrors);
      }
      assertThat(run.outLines()).hasSize(4 * (lines + 1));
    }
  }

  @Test
  void aTagSaysWhichRankALineIsFrom() throws Exception {
    try (LauncherRun run = run("-n", "2", "--tag-output", program("Lines.java"), "50", "10")) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.outLines()).hasSize(2 * 51).allMatch(line -> line.charAt(1) == line.charAt(4));
      assertThat(run.outLines()).contains("[0] 0:0000000000.0", "[1] 1:last");
      assertThat(run.err().lines()).hasSize(2 * 50).contains("[1] e1:1111111111.49");
    }
  }

  @Test
  void muchOutputArrivesWhole() throws Exception {
    int lines = 300_000;
    try (LauncherRun run = run("-n", "2", program("Many.java"), Integer.toString(lines))) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.out().lines()).hasSize(2 * lines);
    }
  }

  @Test
  void aDryRunShowsTheCommandsAndStartsNothing() throws Exception {
    try (LauncherRun run =
        run(
            "-n",
            "2",
            "--dry-run",
            "--bind",
            "0,1",
            "--net",
            "shm",
            program("Broken.java"),
            "it's")) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.outLines()).hasSize(2);
      assertThat(run.outLines().get(1))
          .startsWith("env LACIS_NET=shm PMI_RANK=1 PMI_SIZE=2 ")
          .contains("taskset -c 1 ", "bin/java ", "org.lacis.boot.RankMain --sent Broken ")
          .endsWith("'it'\\''s'");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""                     | Missing required parameter: 'PROGRAM'
          -n 0 X.java            | -n 0: the number of ranks is from 1 to 4096
          -n 5000 X.java         | -n 5000: the number of ranks is from 1 to 4096
          -n two X.java          | -n two: the number of ranks is from 1 to 4096
          -n 2 Absent.java       | there is no file Absent.java
          -n 2 absent.jar        | there is no file absent.jar
          --timeout soon X.java  | --timeout soon: that is not a time such as 500ms, 30s
          --env X X.java         | --env X: that is not of the form NAME=VALUE
          --bind x X.java        | --bind x: that is not a list of cores such as 0,1 or 0-1:2-3
          --bind 0,9999 X.java   | --bind 0,9999: there is no core 9999; the cores of this machine are 0
          --wdir /nowhere X.java | --wdir /nowhere: there is no such folder
          --wdir pom.xml X.java  | --wdir pom.xml: that is not a folder
          --unknown X.java       | Unknown option: '--unknown'
          --jvm ' X.java         | --jvm ': a ' is not closed
          pom.xml                | pom.xml is not a program: give a Java file (File.java), a jar
          src                    | src is a folder, not a program: give a Java file (File.java), a jar
          Absent                 | there is no file and no class Absent in this folder: give a Java
          """)
  void aWrongCommandLineIsExplained(String line, String why)
      throws IOException, InterruptedException {
    try (LauncherRun run = run(line.isEmpty() ? new String[0] : line.split(" "))) {
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).startsWith("lacis: " + why).contains("lacis run -n N");
      assertThat(run.out()).isEmpty();
    }
  }

  @Test
  void aJavaFileNamedWithoutItsEndingIsFound() throws Exception {
    Path folder = Path.of(program("Hello.java")).getParent();
    try (LauncherRun run = LauncherRun.in(folder, "-n", "1", "Hello")) {
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains("no class Hello in this folder; did you mean Hello.java?");
    }
  }

  @Test
  void aRankCanBeBoundToACore() throws Exception {
    try (LauncherRun run = run("-n", "2", "--bind", "0", program("Hello.java"))) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines()).hasSize(2);
    }
  }
}
