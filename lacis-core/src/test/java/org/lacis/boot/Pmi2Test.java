package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class Pmi2Test {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String MESSAGE = "cmd=fullinit-response;rc=0;rank=0;size=1;";

  private final ScriptedLauncher.Noted ending = new ScriptedLauncher.Noted();

  private LauncherSession connect(PmiEnv env) {
    return new LauncherSession(PmiLauncher.connect(env, PmiVersion.TWO, ending, LONG));
  }

  @ParameterizedTest
  @EnumSource(
      value = Pmi2Server.Kind.class,
      names = {"STRICT", "LAZY"})
  void everyRankSeesTheValuesOfEveryOther(Pmi2Server.Kind kind) throws Exception {
    int size = 5;
    String wild = "a;b=c d\n\u20ac".repeat(500);
    try (Pmi2Server server = new Pmi2Server(kind, size);
        ExecutorService threads = Executors.newFixedThreadPool(size)) {
      List<Future<?>> ranks = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        LauncherSession session = connect(server.env(rank));
        ranks.add(
            threads.submit(
                () -> {
                  Boot boot = session.handle();
                  assertThat(boot.size()).isEqualTo(size);
                  assertThat(boot.description()).startsWith("PMI-2 at 127.0.0.1:");
                  for (int round = 0; round < 3; round++) {
                    boot.put(round + "-" + boot.rank(), wild + boot.rank() + boot.jobId());
                    boot.fence(LONG);
                    for (int other = 0; other < size; other++) {
                      assertThat(boot.get(round + "-" + other))
                          .isEqualTo(wild + other + boot.jobId());
                    }
                    boot.fence(LONG);
                  }
                  boot.close();
                  session.finish();
                }));
      }
      for (Future<?> rank : ranks) {
        rank.get(LONG.toSeconds(), TimeUnit.SECONDS);
      }
      assertThat(server.said)
          .contains(
              "cmd=init pmi_version=2 pmi_subversion=0",
              "cmd=fullinit;pmijobid=4711.0;pmirank=3;threaded=TRUE;",
              "cmd=finalize;");
    }
    assertThat(ending.said).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Pmi2Server.Kind.class,
      names = {"STRICT", "LAZY"})
  void aFenceThatSomeDoNotJoinEndsInTime(Pmi2Server.Kind kind) throws Exception {
    try (Pmi2Server server = new Pmi2Server(kind, 2)) {
      LauncherSession session = connect(server.env(0));
      assertThatThrownBy(() -> session.handle(Duration.ofMillis(200)))
          .isInstanceOf(BootException.class)
          .hasMessage("rank 0 waited 200 ms in a fence");
      session.close();
    }
  }

  @Test
  void whoFailsDoesNotSayGoodbye() throws Exception {
    try (Pmi2Server server = new Pmi2Server(Pmi2Server.Kind.STRICT, 1)) {
      LauncherSession session = connect(server.env(0));
      Boot open = session.handle();
      session.finish();
      assertThat(server.said).doesNotContain("cmd=finalize;");
      open.close();
      open.close();
      session.finish();
      assertThat(server.said).contains("cmd=finalize;");
      session.close();
    }
  }

  @Test
  void anAbortTellsTheLauncher() throws Exception {
    try (Pmi2Server server = new Pmi2Server(Pmi2Server.Kind.STRICT, 1)) {
      Boot boot = connect(server.env(0)).handle();
      boot.abort(5, "for a test");
      assertThat(ending.said).containsExactly("exit: 5");
      assertThat(server.said).contains("cmd=abort;isworld=TRUE;msg=exitcode-5;");
    }
  }

  @Test
  void aLauncherThatKnowsOnlyPmi1IsSpokenToInPmi1() throws Exception {
    try (Pmi2Server server = new Pmi2Server(Pmi2Server.Kind.OLD, 1)) {
      LauncherSession session = connect(server.env(0));
      assertThatThrownBy(session::handle).isInstanceOf(BootException.class); // it hangs up then
      assertThat(server.said)
          .containsExactly(
              "cmd=init pmi_version=2 pmi_subversion=0",
              "cmd=init pmi_version=1 pmi_subversion=1",
              "cmd=get_maxes");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "      " + MESSAGE,
        "    -1" + MESSAGE,
        "999999" + MESSAGE,
        "    40" + MESSAGE,
        "    10" + MESSAGE,
        "     0",
        "    41cmd=fullinit-response;rc=9;rank=0;size=1;",
        "    41cmd=fullinit-response;rc=0;rank=1;size=1;",
        "    41cmd=fullinit-response;rc=0;rank=0;size=7;",
        "    33cmd=fullinit-response;rc=0;rank=0;",
        "cmd=fullinit-response rc=0 rank=0 size=1\n"
      })
  void aBadAnswerIsAnExceptionAndNoHang(String answer) throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.answer("cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0");
              peer.receiveWithin(200);
              peer.receive();
              peer.sendRaw(answer.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
              peer.receive();
            })) {
      LauncherSession session =
          new LauncherSession(
              PmiLauncher.connect(
                  launcher.env(0, 1), PmiVersion.TWO, ending, Duration.ofMillis(300)));
      assertThatThrownBy(session::handle).isInstanceOf(BootException.class);
      session.close();
    }
  }
}
