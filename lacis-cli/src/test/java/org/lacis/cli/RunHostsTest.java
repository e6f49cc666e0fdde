package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lacis.cli.LauncherRun.program;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code lacis run --hosts}, with hosts that are this machine under two names. Closing the run
 * checks that nothing is left of it.
 */
class RunHostsTest {
  private static final String SHELL = "sh -c {command}";
  private static final String JOB = "0123456789abcdef0123456789abcdef";

  private static LauncherRun onHosts(String hosts, String... args) throws IOException {
    return launch(SHELL, hosts, args);
  }

  private static LauncherRun launch(String launch, String hosts, String... args)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("--hosts", hosts, "--launch", launch));
    all.addAll(List.of(args));
    return LauncherRun.run(all.toArray(String[]::new));
  }

  /** The agents of a run that are still there. */
  private static List<ProcessHandle> agents(LauncherRun run) {
    return run.processes().stream()
        .filter(process -> process.info().commandLine().orElse("").contains("HostAgent"))
        .filter(process -> process.pid() != run.process().pid())
        .toList();
  }

  @Test
  void ranksAreToldTheirHosts() throws Exception {
    try (LauncherRun run =
        onHosts(
            "a:2,b:2",
            "-n",
            "3",
            "--tag-output",
            "--env",
            "COLOUR=c{rank}",
            program("HostOf.java"))) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrder("[0] 0 on a, c0", "[1] 1 on a, c1", "[2] 2 on b, c2");
    }
  }

  @Test
  void aFileOfHostsGivesTheNumberOfRanks(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("hosts");
    Files.writeString(file, "a slots=1 # first\nb:1\n");
    try (LauncherRun run =
        LauncherRun.run(
            "--hostfile",
            file.toString(),
            "--launch",
            SHELL,
            "--bind",
            "0",
            "--wdir",
            folder.toString(),
            program("Where.java"))) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrder(
              "0|" + folder + "|null|null|null|", "1|" + folder + "|null|null|null|");
    }
  }

  @Test
  void theInputGoesToRankZero() throws Exception {
    try (LauncherRun run = onHosts("a,b", program("Echo.java"))) {
      try (OutputStream in = run.in()) {
        in.write("some words\n".getBytes(StandardCharsets.UTF_8));
      }
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrder("rank 0 read 11: some words", "rank 1 read 0");
    }
  }

  @Test
  void muchOutputArrivesWhole() throws Exception {
    try (LauncherRun run = onHosts("a,b", program("Many.java"), "100000")) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.outLines()).hasSize(200_000);
    }
  }

  @Test
  void theExitCodeAndTheHostOfTheRankThatFailedAreTold() throws Exception {
    try (LauncherRun run = onHosts("a:1,b:1", program("Exits.java"), "1", "77")) {
      assertThat(run.exitCode()).isEqualTo(77);
      assertThat(run.err()).isEqualTo("lacis: rank 1 on host b ended with exit code 77\n");
    }
  }

  @Test
  void anExceptionIsShownWithItsLastLines() throws Exception {
    try (LauncherRun run = onHosts("a:1,b:2", program("Throws.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains("lacis: rank 1 on host b ended with exit code 1")
          .contains("the last lines rank 1 wrote to standard error:\n    Exception in thread");
    }
  }

  @Test
  void aRankThatIsKilledEndsTheJob() throws Exception {
    try (LauncherRun run = onHosts("a:1,b:2", program("Waits.java"), "polite")) {
      run.awaitReady(3).get(1).destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
      assertThat(run.err())
          .contains("lacis: rank 1 on host b was ended by SIGKILL (exit code 137)");
      assertThat(run.outLines()).contains("goodbye 0", "goodbye 2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "stubborn"})
  void anAgentThatIsKilledEndsTheJob(String how) throws Exception {
    try (LauncherRun run = onHosts("a:1,b:1", program("Waits.java"), how)) {
      run.awaitReady(2);
      List<ProcessHandle> agents = agents(run);
      assertThat(agents).hasSize(2);
      agents.getLast().destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .containsPattern(
              "lacis: host [ab] was lost: the connection to it has ended \\(exit code 137\\)");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "stubborn"})
  void nothingIsLeftIfTheLauncherIsKilled(String how) throws Exception {
    try (LauncherRun run = onHosts("a:1,b:1", program("Waits.java"), how)) {
      List<ProcessHandle> ranks = run.awaitReady(2);
      run.process().destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
      for (ProcessHandle rank : ranks) {
        rank.onExit().get(30, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void aSignalEndsAllHosts() throws Exception {
    try (LauncherRun run = onHosts("a:1,b:1", program("Opens.java"))) {
      run.awaitReady(2);
      run.signal("TERM");
      assertThat(run.exitCode()).isEqualTo(143);
      assertThat(run.err()).isEqualTo("lacis: interrupted; all ranks have ended\n");
    }
  }

  @Test
  void aJobThatTakesTooLongShowsWhereItsRanksAre() throws Exception {
    try (LauncherRun run = onHosts("a:1,b:1", "--timeout", "8s", program("Hangs.java"))) {
      run.awaitReady(2);
      assertThat(run.exitCode()).isEqualTo(124);
      assertThat(run.err())
          .startsWith("lacis: where the ranks are:\n")
          .containsPattern("rank 0:\n  main, waiting\n(    at .*\n)+    at Hangs.forever.*\n")
          .containsPattern("rank 1:\n  main, .*\n(    at .*\n)*    at org.lacis.*Barrier.await.*\n")
          .endsWith("lacis: timed out after 8s with ranks 0, 1 still running\n");
    }
  }

  @Test
  void nothingSecretIsInACommandLine() throws Exception {
    try (LauncherRun run = onHosts("a:1,b:1", program("Litters.java"), "stay")) {
      run.awaitReady(2);
      String secret = run.jobId();
      assertThat(secret).isNotNull();
      assertThat(run.processes())
          .hasSizeGreaterThanOrEqualTo(5)
          .noneMatch(process -> process.info().commandLine().orElse("").contains(secret));
      run.signal("TERM");
      assertThat(run.exitCode()).isEqualTo(143);
    }
  }

  @Test
  void aHostThatCannotBeReachedIsNamedWithWhatItsShellSaid() throws Exception {
    String launch =
        "sh -c 'if [ {host} = b ]; then echo no way to {host} >&2; exit 255; fi; eval \"$0\"'"
            + " {command}";
    try (LauncherRun run = launch(launch, "a:1,b:1", program("Hello.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .isEqualTo(
              "lacis: host b could not be reached: the connection to it has ended (exit code 255);"
                  + " it said:\n    no way to b\n");
    }
  }

  @Test
  void whatAShellSaysFirstDoesNotMatter() throws Exception {
    String launch = "sh -c 'echo welcome to {host}; eval \"$0\"' {command}";
    try (LauncherRun run = launch(launch, "a:1", program("HostOf.java"))) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.out()).isEqualTo("0 on a, null\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--host-java, /no/such/java, /no/such/java",
    "--host-lib, /no/such/folder, HostAgent",
    "--launch, /no/such/program {command}, /no/such/program",
    "--wdir, /no/such/folder, host a: there is no folder /no/such/folder"
  })
  void whatIsNotThereIsNamed(String option, String value, String named) throws Exception {
    try (LauncherRun run =
        option.equals("--launch")
            ? launch(value, "a:1", program("Hello.java"))
            : onHosts("a:1", option, value, program("Hello.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).startsWith("lacis: host a").contains(named);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-n 3 --hosts a:1, there is room for 1 ranks only",
    "--hosts a --hostfile b, give one of them",
    "--launch x, that is for --hosts or --hostfile",
    "'--hosts a,a', host a is there twice"
  })
  void optionsThatMakeNoSenseAreRefused(String options, String why) throws Exception {
    List<String> args = new ArrayList<>(List.of(options.split(" ")));
    args.add(program("Hello.java"));
    try (LauncherRun run = LauncherRun.run(args.toArray(String[]::new))) {
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains(why);
    }
  }

  @Test
  void anAgentThatTalksNonsenseEndsTheJob() throws Exception {
    String launch =
        "sh -c \"printf '\\\\001lacis-agent-1\\\\n"
            + "nonsense, much of it'; cat >/dev/null\" {command}";
    try (LauncherRun run = launch(launch, "a:1", program("Hello.java"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains("lacis: host a could not be reached: it confused the launcher by a frame");
    }
  }

  @Test
  void ranksOfTwoHostsTalkByTcp() throws Exception {
    try (NamespaceHosts hosts = new NamespaceHosts();
        LauncherRun run =
            launch(
                NamespaceHosts.LAUNCH,
                hosts.host("a") + ":2," + hosts.host("b") + ":2",
                "--net",
                "tcp",
                program("runtime/AllToAll.java"),
                "20",
                "100000")) {
      assertThat(run.exitCode()).as(run::err).isZero();
      assertThat(run.out()).contains("rank 0 of 4 is content", "at 10.213.7.1", "at 10.213.7.2");
    }
  }

  @Test
  void aRankOfAnotherHostThatIsKilledEndsTheJob() throws Exception {
    try (NamespaceHosts hosts = new NamespaceHosts();
        LauncherRun run =
            launch(
                NamespaceHosts.LAUNCH,
                hosts.host("a") + "," + hosts.host("b"),
                "--net",
                "tcp",
                program("Opens.java"))) {
      run.awaitReady(2).get(1).destroyForcibly();
      assertThat(run.exitCode()).isEqualTo(137);
      assertThat(run.err())
          .contains("lacis: rank 1 on host " + hosts.host("b") + " was ended by SIGKILL");
    }
  }

  private static void frame(OutputStream out, FrameKind kind, List<List<String>> lists)
      throws IOException {
    byte[] payload = Frame.pack(lists);
    Frame.write(out, kind, 0, payload, 0, payload.length);
  }

  @Test
  void anAgentThatIsToStartNothingSaysSo() throws Exception {
    try (LauncherRun run = LauncherRun.java(HostAgent.class.getName())) {
      try (OutputStream in = run.in()) {
        frame(in, FrameKind.JOB, List.of(List.of(JOB, run.temp().toString())));
        frame(in, FrameKind.START, List.of(List.of(), List.of("LACIS_JOB=" + JOB)));
      }
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("the launcher sent a frame START of rank 0 without a command");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage, and more than nine bytes", "cut", ""})
  void anAgentWhoseLauncherTalksNonsenseOrIsGoneEndsItsRanks(String last) throws Exception {
    try (LauncherRun run = LauncherRun.java(HostAgent.class.getName())) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      frame(bytes, FrameKind.JOB, List.of(List.of(JOB, run.temp().toString())));
      frame(
          bytes,
          FrameKind.START,
          List.of(List.of("sh", "-c", "echo up; exec sleep 600"), List.of("LACIS_JOB=" + JOB)));
      run.in().write(bytes.toByteArray());
      run.in().flush();
      run.awaitOut("up");
      try (OutputStream in = run.in()) {
        in.write(last.getBytes(StandardCharsets.UTF_8));
      }
      assertThat(run.exitCode()).as(run::err).isEqualTo(last.isEmpty() ? 0 : 1);
      assertThat(run.err()).contains(last.isEmpty() ? "" : "lacis: the launcher ");
    }
  }
}
