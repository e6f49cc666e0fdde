package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranks that are killed, stopped or cut off, on real networks and between hosts that are network
 * namespaces. Whoever is left has one of everything under way with the victim, is told, and goes
 * on. How long that takes is printed. Closing a run checks that nothing is left of it.
 */
class FaultsTest {
  private static final Duration DETECTION = Duration.ofSeconds(2);

  /** Ranks: two that stay, and the victim. */
  private static final int RANKS = 3;

  private static final Pattern MISSED = Pattern.compile("missed 2 (\\S+) (\\d+)");
  private static final boolean LONG = Boolean.getBoolean("lacis.long");

  private enum Fault {
    /** The process of the victim is killed. */
    KILL,
    /** It is stopped. */
    STOP,
    /** The cable to its host is pulled. */
    UNPLUG,
    /** The hosts vanish for each other. */
    VANISH,
    /** Everything on its host ends at once, the agent of the launcher too. */
    HOST
  }

  private static String program(String name) {
    return LauncherRun.program("runtime/" + name);
  }

  private static LauncherRun start(@Nullable NamespaceHosts hosts, String net, String... more)
      throws IOException {
    List<String> args = new ArrayList<>();
    if (hosts == null) {
      args.addAll(List.of("-n", Integer.toString(RANKS)));
    } else {
      args.addAll(List.of("--launch", NamespaceHosts.LAUNCH, "--hosts"));
      args.add(hosts.host("a") + ":2," + hosts.host("b") + ":1");
    }
    args.addAll(List.of("--net", net, "--timeout", "80s", "--env", "LACIS_OFI_PROVIDER=tcp"));
    args.addAll(List.of("--env", "LACIS_DETECTION=" + DETECTION.toMillis() + "ms"));
    args.addAll(List.of(more));
    return LauncherRun.run(args.toArray(String[]::new));
  }

  private static void assumeWanted(String net, boolean rare) {
    assumeTrue(LONG || !rare, "only with -Plong");
    if (net.contains("ofi")) {
      assumeTrue(OfiProcessesTest.libfabric().isEmpty(), OfiProcessesTest.libfabric());
    }
  }

  private static void signal(String signal, ProcessHandle process)
      throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    assertThat(code).as("exit code of kill").isZero();
  }

  /**
   * The fault, the network, the hosts, what the victim does before, and whether that is left to
   * {@code -Plong}.
   */
  @ParameterizedTest
  @CsvSource({
    "KILL, shm, one, sleep, true",
    "STOP, shm, one, sleep, false",
    "STOP, shm, one, poll, true",
    "KILL, tcp, one, sleep, true",
    "STOP, tcp, one, sleep, true",
    "KILL, ofi, one, sleep, true",
    "STOP, ofi, one, sleep, false",
    "KILL, tcp, two, poll, true",
    "STOP, tcp, two, sleep, true",
    "UNPLUG, tcp, two, poll, false",
    "VANISH, tcp, two, sleep, true",
    "KILL, shm+tcp, two, sleep, true",
    "STOP, shm+tcp, two, poll, true",
    "UNPLUG, shm+tcp, two, sleep, true",
    "VANISH, shm+tcp, two, poll, false",
    "HOST, shm+tcp, two, sleep, false",
    "HOST, tcp, two, poll, true",
    "HOST, ofi, two, sleep, true",
    "KILL, ofi, two, sleep, true",
    "STOP, ofi, two, poll, true",
    "UNPLUG, ofi, two, sleep, true",
    "VANISH, ofi, two, sleep, false"
  })
  void thoseThatAreLeftGoOn(Fault fault, String net, String where, String victim, boolean rare)
      throws Exception {
    assumeWanted(net, rare);
    try (NamespaceHosts hosts = where.equals("two") ? new NamespaceHosts() : null;
        LauncherRun run = start(hosts, net, "--keep-going", program("Endures.java"), victim)) {
      ProcessHandle last = run.awaitReady(RANKS).get(RANKS - 1);
      long begin = System.currentTimeMillis();
      inflict(fault, last, hosts);
      int code = run.exitCode();
      assertThat(code).as(run::dump).isEqualTo(fault == Fault.KILL ? 137 : 1);
      assertThat(run.outLines()).as(run::dump).contains("rank 0 goes on", "rank 1 goes on");
      assertThat(run.err())
          .containsPattern(
              switch (fault) {
                    case KILL -> "lacis: rank 2.* was ended by SIGKILL \\(exit code 137\\)";
                    case HOST -> "lacis: host .*b was lost: [\\s\\S]*";
                    default ->
                        "lacis: rank 2.* does not answer; rank [01].* says: rank 2 is gone: .*";
                  }
                  + "; the job goes on")
          .contains("lacis: rank 2 had failed; all others have ended");
      report(fault, net, where, victim, run, begin);
    }
  }

  /** Amid long messages, puts and gets of all with all: what is complete is right. */
  @ParameterizedTest
  @CsvSource({"shm, false", "tcp, false", "ofi, true"})
  void aRankThatIsKilledAmidTransfersSpoilsNoData(String net, boolean rare) throws Exception {
    assumeWanted(net, rare);
    try (LauncherRun run = start(null, net, "--keep-going", program("Torrent.java"))) {
      ProcessHandle last = run.awaitReady(RANKS).get(RANKS - 1);
      long begin = System.currentTimeMillis();
      inflict(Fault.KILL, last, null);
      assertThat(run.exitCode()).as(run::dump).isEqualTo(137);
      assertThat(run.outLines()).as(run::dump).contains("rank 0 goes on", "rank 1 goes on");
      report(Fault.KILL, net, "one", "transfer", run, begin);
    }
  }

  /** Whatever becomes of its ranks: each of them is lost, and the host is the reason. */
  @Test
  void aHostThatIsLostIsToldOnce() throws Exception {
    try (NamespaceHosts hosts = new NamespaceHosts();
        LauncherRun run =
            LauncherRun.run(
                "--launch",
                NamespaceHosts.LAUNCH,
                "--hosts",
                hosts.host("a") + ":2," + hosts.host("b") + ":2",
                "--keep-going",
                program("Outlives.java"))) {
      run.awaitReady(4);
      hosts.crash("b");
      assertThat(run.exitCode()).as(run::dump).isEqualTo(1);
      assertThat(run.outLines()).contains("rank 0 outlives [2, 3]", "rank 1 outlives [2, 3]");
      assertThat(run.err().lines().filter(line -> line.startsWith("lacis: ")))
          .satisfiesExactly(
              line -> assertThat(line).matches("lacis: host .*b was lost: .*; the job goes on"),
              line ->
                  assertThat(line)
                      .isEqualTo("lacis: ranks 2, 3 had failed; all others have ended"));
    }
  }

  private static void inflict(Fault fault, ProcessHandle victim, @Nullable NamespaceHosts hosts)
      throws IOException, InterruptedException {
    switch (fault) {
      case KILL -> signal("-KILL", victim);
      case STOP -> signal("-STOP", victim);
      case UNPLUG -> link(hosts, false);
      case VANISH -> {
        assertThat(hosts).isNotNull();
        hosts.blackhole();
      }
      case HOST -> {
        assertThat(hosts).isNotNull();
        hosts.crash("b");
      }
    }
  }

  private static void link(@Nullable NamespaceHosts hosts, boolean up)
      throws IOException, InterruptedException {
    assertThat(hosts).isNotNull();
    hosts.link(up);
  }

  /** Prints after how much time the victim was missed. */
  private static void report(
      Fault fault, String net, String where, String victim, LauncherRun run, long begin) {
    Matcher missed = MISSED.matcher(run.out());
    StringBuilder text = new StringBuilder();
    int count = 0;
    while (missed.find()) {
      long millis = Long.parseLong(missed.group(2)) - begin;
      text.append(String.format(Locale.ROOT, " %s after %.2f s;", missed.group(1), millis / 1e3));
      count++;
    }
    assertThat(count).as("ranks that were told").isEqualTo(RANKS - 1);
    System.out.printf(
        "faults: %s, %s, %s host, victim %ss, detection %d ms:%s%n",
        fault, net, where, victim, DETECTION.toMillis(), text);
  }

  /** Without --keep-going the job ends, and says why. */
  @ParameterizedTest
  @CsvSource({"shm, false", "ofi, true"})
  void aRankThatIsStoppedEndsTheJob(String net, boolean rare) throws Exception {
    assumeWanted(net, rare);
    try (LauncherRun run = start(null, net, program("Stays.java"), "await", "sleep")) {
      signal("-STOP", run.awaitReady(RANKS).get(2));
      assertThat(run.exitCode()).as(run::dump).isEqualTo(1);
      assertThat(run.err())
          .containsPattern(
              "lacis: rank 2 does not answer; rank [01] says: rank 2 is gone: nothing");
    }
  }

  /** A cable that is plugged in again in time: nothing is lost, and nobody is missed. */
  @ParameterizedTest
  @CsvSource({"tcp, false", "shm+tcp, true", "ofi, true"})
  void aLinkThatComesBackInTimeCostsNothing(String net, boolean rare) throws Exception {
    assumeWanted(net, rare);
    try (NamespaceHosts hosts = new NamespaceHosts();
        LauncherRun run = start(hosts, net, program("Persists.java"), "4")) {
      run.awaitReady(RANKS);
      hosts.link(false);
      Thread.sleep(DETECTION.toMillis() / 3);
      hosts.link(true);
      assertContent(run);
    }
  }

  @ParameterizedTest
  @CsvSource({"tcp, false", "ofi, true"})
  void aSlowLinkIsNoFailure(String net, boolean rare) throws Exception {
    assumeWanted(net, rare);
    try (NamespaceHosts hosts = new NamespaceHosts()) {
      hosts.limit("4mbit");
      try (LauncherRun run = start(hosts, net, program("Persists.java"), "1")) {
        assertContent(run);
      }
    }
  }

  /**
   * A rank makes no progress for twice the detection time, while others fill all its queues: they
   * are answered with retries, miss nobody, and afterwards everything arrives.
   */
  @ParameterizedTest
  @CsvSource({"shm, false", "tcp, false", "ofi, true"})
  void aRankWithoutProgressHoldsOthersUpAndIsNotMissed(String net, boolean rare) throws Exception {
    assumeWanted(net, rare);
    String millis = Long.toString(2 * DETECTION.toMillis());
    try (LauncherRun run = start(null, net, program("Dozes.java"), millis)) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .contains("rank 0 was held up", "rank 1 was held up", "rank 2 has it all")
          .noneMatch(line -> line.startsWith("missed"));
    }
  }

  private static void assertContent(LauncherRun run) throws IOException, InterruptedException {
    assertThat(run.exitCode()).as(run::dump).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.outLines())
        .contains("rank 0 is content", "rank 1 is content", "rank 2 is content")
        .noneMatch(line -> line.startsWith("missed"));
  }

  /** A rank that throws closes its runtime on the way out: the launcher tells the others. */
  @Test
  void aRankThatThrowsIsToldAsAFailure() throws Exception {
    try (LauncherRun run = LauncherRun.run("-n", "3", "--keep-going", program("Unwinds.java"))) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(1);
      assertThat(run.outLines())
          .containsExactlyInAnyOrder(
              "rank 0: rank 2 is gone: the launcher says: rank 2 ended with exit code 1",
              "rank 1: rank 2 is gone: the launcher says: rank 2 ended with exit code 1");
    }
  }
}
