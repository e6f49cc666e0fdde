package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntFunction;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.testkit.Await;

/** The conversation, with ranks that behave in every way. They are threads of this test. */
class SamplerTest {
  private static final Setup TWO = new Setup(2, Placement.FREE, false);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path folder;

  private Coordinator coordinator;
  private final List<Socket> sockets = new ArrayList<>();
  private int started;

  @BeforeEach
  void open() throws IOException {
    coordinator = new Coordinator(folder, new Processes());
  }

  @AfterEach
  void close() throws IOException {
    coordinator.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private Socket call(String hello) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), coordinator.port());
    sockets.add(socket);
    socket.getOutputStream().write((hello + "\n").getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  /** A rank that gives the n-th of these answers to the n-th command; null: it ends. */
  private void rank(String id, int rank, IntFunction<@Nullable String> answers) throws IOException {
    Socket socket = call("hello " + coordinator.secret() + " " + id + " " + rank);
    Thread.ofVirtual()
        .start(
            () -> {
              try (socket) {
                var in =
                    new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                var out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                String line;
                for (int i = 0; (line = in.readLine()) != null && !line.equals("quit"); i++) {
                  String answer = answers.apply(i);
                  if (answer == null) {
                    return;
                  }
                  if (!answer.isEmpty()) {
                    out.println(answer);
                  }
                }
              } catch (IOException e) {
                // The other side has had enough.
              }
            });
  }

  private SubjectRun subject(String name, IntFunction<@Nullable String> answers)
      throws SubjectException, IOException, InterruptedException {
    SubjectRun run = coordinator.start(Fakes.subject(name, Family.MPI), TWO);
    String id = name + "-" + started++;
    rank(id, 0, answers);
    rank(id, 1, _ -> "ok 0 gc=2");
    run.awaitReady(LIMIT);
    return run;
  }

  @Test
  void theLongestTimeCountsAndCollectionsOfAllRanksDo() throws Exception {
    var run = subject("good", _ -> "ok 1234 gc=1 p50=17 p99=20.5");
    Answer answer = run.ask("run x 1", LIMIT);
    assertThat(answer.nanos()).isEqualTo(1234);
    assertThat(answer.more())
        .containsEntry("gc", 3.0)
        .containsEntry("p50", 17.0)
        .containsEntry("p99", 20.5);
  }

  @Test
  void whatASubjectCannotDoIsNoFailure() throws Exception {
    var run = subject("simple", i -> i == 0 ? "none" : "ok 5");
    assertThat(run.ask("run x 1", LIMIT)).isNull();
    assertThat(run.ask("run y 1", LIMIT).nanos()).isEqualTo(5);
  }

  @Test
  void nonsenseIsNamed() throws Exception {
    for (String nonsense : List.of("hm\u0007", "ok", "ok x", "ok -1", "ok 5 p50", "ok 5 p50=y")) {
      var run = subject("odd", _ -> nonsense);
      assertThatThrownBy(() -> run.ask("run x 1", LIMIT))
          .isInstanceOf(SubjectException.class)
          .hasMessageStartingWith("odd talks nonsense at rank 0: \"")
          .hasMessageNotContaining("\u0007");
    }
  }

  @Test
  void endlessLinesAreCutOff() throws Exception {
    var run = subject("long", _ -> "x".repeat(100_000));
    assertThatThrownBy(() -> run.ask("run x 1", LIMIT))
        .isInstanceOf(SubjectException.class)
        .hasMessageContaining("a line of more than 4096 bytes");
  }

  @Test
  void errorsAreTold() throws Exception {
    var run = subject("poor", _ -> "error there is no room");
    assertThatThrownBy(() -> run.ask("run x 1", LIMIT))
        .hasMessage("poor failed at rank 0: there is no room");
  }

  @Test
  void aRankThatEndsIsNamed() throws Exception {
    var run = subject("mortal", _ -> null);
    assertThatThrownBy(() -> run.ask("run x 1", LIMIT))
        .hasMessageStartingWith("mortal lost rank 0 in \"run x 1\"");
  }

  @Test
  void aRankThatHangsIsNamedAndItsProcessIsEnded() throws Exception {
    var run = subject("lazy", _ -> "");
    assertThatThrownBy(() -> run.ask("run x 1", Duration.ofMillis(200)))
        .hasMessage("lazy hangs: rank 0 has not answered \"run x 1\" within 200 ms");
    assertThat(ProcessHandle.current().children().anyMatch(ProcessHandle::isAlive)).isFalse();
  }

  @Test
  void aCommandThatEndsAtOnceIsNamedWithWhatItWrote() throws Exception {
    var run =
        coordinator.start(
            Fakes.subject("broken", Family.MPI, List.of("sh", "-c", "echo no licence; exit 3")),
            TWO);
    assertThatThrownBy(() -> run.awaitReady(LIMIT))
        .hasMessageContaining("broken ended before its ranks were there")
        .hasMessageContaining("no licence");
  }

  @Test
  void aCommandThatIsNotThereIsNamed() {
    var missing = Fakes.subject("absent", Family.MPI, List.of("no-such-program-anywhere"));
    assertThatThrownBy(() -> coordinator.start(missing, TWO))
        .isInstanceOf(SubjectException.class)
        .hasMessageStartingWith("absent cannot be started");
  }

  @Test
  void strangersAreHungUpOn() throws Exception {
    SubjectRun run = coordinator.start(Fakes.subject("shy", Family.MPI), TWO);
    for (String hello :
        List.of(
            "GET / HTTP/1.1",
            "hello wrong shy-0 0",
            "hello " + coordinator.secret() + " other-0 0",
            "hello " + coordinator.secret() + " shy-0 2",
            "hello " + coordinator.secret() + " shy-0 -1",
            "hello " + coordinator.secret() + " shy-0 x")) {
      Socket socket = call(hello);
      socket.setSoTimeout((int) LIMIT.toMillis());
      assertThat(socket.getInputStream().read()).as(hello).isEqualTo(-1);
    }
    assertThatThrownBy(() -> run.awaitReady(Duration.ofMillis(100)))
        .hasMessageContaining("shy was not there");
  }

  /** Subjects that fail in the middle are named; of the others every round is there. */
  @Test
  void theRestGoesOn() throws Exception {
    List<String> failures = new ArrayList<>();
    var subjects =
        List.of(
            Fakes.subject("good", Family.LACIS),
            Fakes.subject("mortal", Family.MPI),
            Fakes.subject("lazy", Family.MPI),
            Fakes.subject("odd", Family.MPI),
            Fakes.subject("simple", Family.MPI));
    Thread.ofVirtual().start(() -> ranks(subjects, 0));
    try (var sampler = new Sampler(coordinator, quick(), failures::add, Duration.ofSeconds(1))) {
      var measures =
          List.of(Fakes.measure("am-latency", Unit.ONE_WAY), Fakes.measure("b", Unit.EACH));
      var progress = new Progress(new PrintWriter(Writer.nullWriter()), true, 8);
      List<Series> all = sampler.measure("shm", subjects, measures, 0, progress);
      assertThat(all).hasSize(2);
      for (Series series : all) {
        assertThat(series.rounds()).hasSize(4);
        assertThat(series.rounds()).allMatch(round -> round.readings().containsKey("good"));
        assertThat(series.rounds()).noneMatch(round -> round.readings().containsKey("simple"));
      }
      assertThat(failures).hasSize(3);
      assertThat(String.join("\n", failures))
          .contains("mortal lost rank 0", "lazy hangs", "odd talks nonsense");
    }
  }

  @Test
  void nobodyIsMeasuredUnlessItsCompilersRest() throws Exception {
    var subjects =
        List.of(
            Fakes.subject("compiling", Family.LACIS),
            Fakes.subject("late", Family.LACIS),
            Fakes.subject("restless", Family.AERON));
    Thread.ofVirtual().start(() -> ranks(subjects, 0));
    try (var sampler = new Sampler(coordinator, quick(), Assertions::fail)) {
      var progress = new Progress(new PrintWriter(Writer.nullWriter()), true, 4);
      var measures = List.of(Fakes.measure("am-latency", Unit.ONE_WAY));
      List<Round> rounds =
          sampler.measure("shm", subjects, measures, 0, progress).getFirst().rounds();
      assertThat(rounds).hasSize(4);
      assertThat(rounds)
          .allMatch(round -> round.readings().get("compiling").more().get("jit") == 0)
          .allMatch(round -> round.readings().get("late").more().get("jit") == 0)
          .allMatch(round -> round.readings().get("restless").more().get("jit") == 150);
    }
  }

  /** Cores come near each other in the first round, behind its first sample. */
  @Test
  void aRoundInWhichCoresMovedIsTakenOnceMore() throws Exception {
    List<Round> rounds = roundsBeside("moving");
    assertThat(rounds).hasSize(5).allMatch(round -> round.readings().size() == 2);
    assertThat(rounds.getFirst().bounces()).containsExactlyInAnyOrder(250.0, 250.0, 250.0, 50.0);
    assertThat(rounds.subList(1, 5)).flatExtracting(Round::bounces).containsOnly(50.0);
  }

  @Test
  void coresThatDoNotRestAreNotWaitedForLong() throws Exception {
    assertThat(roundsBeside("restive")).hasSize(12).allMatch(round -> round.changes(2));
  }

  /** Rounds of two subjects, with a probe that answers in a way of its own. */
  private List<Round> roundsBeside(String probe) throws Exception {
    var memory = Fakes.subject(probe, Family.MEMORY);
    var subjects = List.of(Fakes.subject("good", Family.LACIS), Fakes.subject("other", Family.MPI));
    Thread.ofVirtual()
        .start(
            () -> {
              ranks(List.of(memory), 0);
              ranks(subjects, 1);
            });
    try (var sampler = new Sampler(coordinator, quick(), Assertions::fail)) {
      sampler.probeWith(memory);
      var progress = new Progress(new PrintWriter(Writer.nullWriter()), true, 4);
      var measures = List.of(Fakes.measure("am-latency", Unit.ONE_WAY));
      return sampler.measure("shm", subjects, measures, 0, progress).getFirst().rounds();
    }
  }

  @Test
  void roundsAreSharedByStartsAndWhoFailedIsNotStartedAgain() throws Exception {
    List<String> failures = new ArrayList<>();
    var subjects = List.of(Fakes.subject("good", Family.LACIS), Fakes.subject("odd", Family.MPI));
    Thread.ofVirtual()
        .start(
            () -> {
              ranks(subjects, 0);
              ranks(subjects.subList(0, 1), 2);
            });
    try (var sampler = new Sampler(coordinator, quick(2), failures::add)) {
      var progress = new Progress(new PrintWriter(Writer.nullWriter()), true, 4);
      var measures = List.of(Fakes.measure("am-latency", Unit.ONE_WAY));
      var results = new Results();
      for (int start = 0; start < 2; start++) {
        results.add(sampler.measure("shm", subjects, measures, start, progress));
      }
      assertThat(results.all()).hasSize(1);
      assertThat(results.all().getFirst().rounds())
          .extracting(Round::start)
          .containsExactly(0, 0, 1, 1);
      assertThat(failures).hasSize(1);
      assertThat(failures.getFirst()).contains("odd talks nonsense");
    }
  }

  @Test
  void aStartWithoutARoundIsNone() throws Exception {
    var subjects = List.of(Fakes.subject("good", Family.LACIS));
    try (var sampler = new Sampler(coordinator, quick(8), Assertions::fail)) {
      var progress = new Progress(new PrintWriter(Writer.nullWriter()), true, 4);
      var measures = List.of(Fakes.measure("am-latency", Unit.ONE_WAY));
      assertThat(sampler.measure("shm", subjects, measures, 0, progress)).isEmpty();
      assertThat(coordinator.expects("good-0")).isFalse();
    }
  }

  private static BenchOptions quick() {
    return quick(1);
  }

  private static BenchOptions quick(int starts) {
    return new BenchOptions(
        EnumSet.of(Group.LATENCY),
        List.of("shm"),
        null,
        null,
        true,
        4,
        starts,
        List.of("lacis"),
        List.of(),
        List.of());
  }

  /** The ranks of some subjects, the first of which is the so-manieth that is started. */
  private void ranks(List<Subject> subjects, int first) {
    String warm = "ok 200000000 gc=0";
    for (int i = 0; i < subjects.size(); i++) {
      String name = subjects.get(i).name();
      IntFunction<@Nullable String> answers =
          switch (name) {
            case "mortal" -> n -> n < 3 ? warm : null;
            case "lazy" -> n -> n < 2 ? warm : "";
            case "odd" -> n -> n < 1 ? warm : "what?";
            case "simple" -> _ -> "none";
            case "compiling" -> n -> n < 10 ? warm + " jit=150" : warm;
            case "late" -> n -> n % 4 == 3 ? warm + " jit=150" : warm;
            // Three for each time: two hundred to get warm, and two around the first sample.
            case "moving" -> n -> "ok " + (n < 3 * 202 ? 400_000 : 80_000);
            // Never the same twice.
            case "restive" -> n -> "ok " + (n / 3 % 2 == 0 ? 400_000 : 80_000);
            case "restless" -> _ -> warm + " jit=150";
            default -> _ -> warm;
          };
      try {
        String id = name + "-" + (first + i);
        Await.until("that " + id + " is expected", () -> coordinator.expects(id));
        rank(id, 0, answers);
        rank(id, 1, _ -> name.equals("simple") ? "none" : "ok 0");
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
