package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LauncherSessionTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(50);

  @Test
  void theWholeConversationIsPmi1() throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.initialize();
              peer.answer("cmd=put_result rc=0 msg=success");
              peer.answer("cmd=barrier_out");
              peer.answer("cmd=get_result rc=0 msg=success value=pworld");
              peer.receive();
              peer.answer("cmd=finalize_ack");
              received.addAll(peer.received);
              peer.drain();
            })) {
      LauncherSession session = launcher.connect(0, 1);
      Boot boot = session.handle();
      boot.put("hello", "world");
      boot.fence(Duration.ofSeconds(20));
      assertThat(boot.get("hello")).isEqualTo("world");
      assertThat(boot.jobId()).isEqualTo("ab".repeat(16));
      assertThat(boot.secret()).hasSize(32).containsOnly(0x5a);
      assertThat(boot.description()).isEqualTo("lacis launcher, PMI-1");
      boot.close();
      session.finish();
      session.close();
    }
    String kvs = "lacis_" + "ab".repeat(16);
    assertThat(received)
        .containsExactly(
            "cmd=initack pmiid=token",
            "cmd=init pmi_version=1 pmi_subversion=1",
            "cmd=get_maxes",
            "cmd=get_appnum",
            "cmd=get_my_kvsname",
            "cmd=get kvsname=" + kvs + " key=lacis-secret",
            "cmd=lacis_open count=1",
            "cmd=put kvsname=" + kvs + " key=0/hello value=pworld",
            "cmd=barrier_in",
            "cmd=get kvsname=" + kvs + " key=0/hello",
            "cmd=lacis_open count=0",
            "cmd=finalize");
  }

  @Test
  void aFenceFailsAsSoonAsTheLauncherTellsThatARankHasFailed() throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 3);
              peer.initialize();
              peer.answer("cmd=put_result rc=0 msg=success");
              // What is over before counts.
              peer.answer("cmd=barrier_out", "cmd=lacis_lost rank=2 why=pgone");
              peer.answer("cmd=get_result rc=0 msg=success value=0");
              peer.answer("cmd=put_result rc=0 msg=success");
              peer.drain();
            })) {
      Boot boot = launcher.connect(0, 3).handle();
      boot.fence(LONG);
      assertThat(lostRank(() -> boot.fence(LONG))).isEqualTo(2);
      assertThat(lostRank(boot::requireAll)).isEqualTo(2);
      assertThatThrownBy(() -> boot.fence(LONG)).hasMessageStartingWith("gone; nothing");
    }
  }

  /** Which rank something fails because of; -1 if it is none, -2 if it does not fail. */
  private static int lostRank(Runnable action) {
    try {
      action.run();
      return -2;
    } catch (BootException e) {
      return e.lostRank();
    }
  }

  @Test
  void withAnotherLauncherRankZeroDrawsTheSecret() throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.initialize("kvs_4711_0");
              peer.answer("cmd=put_result rc=0 msg=success");
              peer.answer("cmd=put_result rc=0 msg=success");
              peer.answer("cmd=barrier_out");
              received.addAll(peer.received.subList(5, 7));
              String job = received.get(0);
              String secret = received.get(1);
              peer.answer("cmd=get_result rc=0 value=" + job.substring(job.indexOf("value=") + 6));
              peer.answer(
                  "cmd=get_result rc=0 value=" + secret.substring(secret.indexOf("value=") + 6));
              peer.drain();
            })) {
      LauncherSession session = launcher.connect(0, 1);
      Boot boot = session.handle();
      assertThat(JobFiles.isJobId(boot.jobId())).isTrue();
      assertThat(boot.secret()).hasSize(32);
      assertThat(boot.description()).startsWith("PMI-1 at ");
      session.close();
    }
    assertThat(received.get(0)).contains("key=lacis-job");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "cmd=",
        "cmd=set size=1",
        "cmd=initack rc=0\ncmd=set size=x",
        "cmd=initack\n\n"
      })
  void garbageInsteadOfAGreetingIsRefused(String greeting) throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.answer(greeting);
              peer.drain();
            })) {
      assertThatThrownBy(() -> launcher.connect(0, 1)).isInstanceOf(BootException.class);
      assertThat(launcher.ending.said).isEmpty();
    }
  }

  @Test
  void aLauncherThatHangsUpDoesNotAcceptUs() throws Exception {
    try (ScriptedLauncher launcher = new ScriptedLauncher(ScriptedLauncher.Peer::receive)) {
      assertThatThrownBy(() -> launcher.connect(0, 1))
          .isInstanceOf(BootException.class)
          .hasMessageContaining("does not accept this process as rank 0");
      assertThat(launcher.ending.said).isEmpty();
    }
  }

  @Test
  void aLauncherThatIsNotThereIsNamed() throws Exception {
    ScriptedLauncher launcher = new ScriptedLauncher(peer -> {});
    launcher.close();
    assertThatThrownBy(() -> launcher.connect(0, 1))
        .isInstanceOf(BootException.class)
        .hasMessageContaining("cannot reach its launcher at 127.0.0.1:");
  }

  @Test
  void aLauncherOfAnotherMindAboutOurRankIsRefused() throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(1, 3);
              peer.drain();
            })) {
      assertThatThrownBy(() -> launcher.connect(0, 2))
          .isInstanceOf(BootException.class)
          .hasMessageContaining("rank 1 of 3");
    }
  }

  @Test
  void aLauncherThatIsLostEndsTheProcessEvenIfNobodyAsks() throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              await(connected);
            })) {
      launcher.connect(0, 1);
      assertThat(launcher.ending.said).isEmpty();
      connected.countDown();
      assertThat(launcher.ending.awaitLost()).isTrue();
      assertThat(launcher.ending.said).hasSize(1);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aLauncherThatIsLostDuringARequestFailsTheRequestToo() throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.initialize();
              peer.receive();
            })) {
      Boot boot = launcher.connect(0, 1).handle();
      assertThatThrownBy(() -> boot.get("x")).isInstanceOf(BootException.class);
      assertThat(launcher.ending.awaitLost()).isTrue();
      assertThatThrownBy(() -> boot.get("x")).isInstanceOf(BootException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "what?",
        "cmd=put_result rc=0",
        "cmd=get_result rc=0 msg=success",
        "cmd=get_result rc=zero value=p",
        "cmd=get_result rc=-1 msg=unknown_kvsname value=unknown",
        "cmd=get_result rc=0 value=x",
        "cmd=get_result rc=0 value=s3000000"
      })
  void aBadAnswerIsAnExceptionAndNoHang(String answer) throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.initialize();
              peer.answer(answer);
              peer.drain();
            })) {
      LauncherSession session = launcher.connect(0, 1);
      Boot boot = session.handle();
      assertThatThrownBy(() -> boot.get("x")).isInstanceOf(BootException.class);
      session.close();
    }
  }

  @Test
  void aLineWithoutEndIsCutOff() throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.initialize();
              peer.receive();
              peer.sendRaw(
                  "x"
                      .repeat(PmiLine.MAX_LENGTH + 100)
                      .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
              peer.drain();
            })) {
      Boot boot = launcher.connect(0, 1).handle();
      assertThatThrownBy(() -> boot.get("x"))
          .isInstanceOf(BootException.class)
          .hasMessageContaining("longer than");
    }
  }

  @Test
  void linesThatNobodyAskedForAreNotHoarded() throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              for (int i = 0; i < 1000; i++) {
                peer.send("cmd=barrier_out");
              }
              peer.drain();
            })) {
      assertThatThrownBy(() -> launcher.connect(0, 1).handle()).isInstanceOf(BootException.class);
    }
  }

  @Test
  void aLauncherThatDoesNotAnswerIsGivenUp() throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.drain();
            })) {
      LauncherSession session = launcher.connect(0, 1, SHORT);
      assertThatThrownBy(session::handle)
          .isInstanceOf(BootException.class)
          .hasMessageContaining("no response_to_init within 200 ms");
    }
  }

  @Test
  void aFenceThatDoesNotEndNamesTheRanksThatAreMissing() throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 3);
              peer.initialize();
              peer.answer("cmd=put_result rc=0 msg=success");
              peer.receive();
              peer.answer("cmd=missing ranks=1,2");
              peer.drain();
            })) {
      Boot boot = launcher.connect(0, 3).handle();
      assertThatThrownBy(() -> boot.fence(SHORT))
          .isInstanceOf(BootException.class)
          .hasMessageContaining("have not come: 1,2");
      assertThatThrownBy(() -> boot.fence(SHORT)).isInstanceOf(BootException.class);
    }
  }

  @Test
  void aProgramThatMayNotTalkToItsLauncherAnyMoreStillWatchesIt() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.answer("no PMI at all", "nor this");
              await(failed);
            })) {
      LauncherSession session = launcher.connect(0, 1);
      assertThatThrownBy(session::handle).isInstanceOf(BootException.class);
      assertThatThrownBy(session::handle).isInstanceOf(BootException.class);
      assertThat(launcher.ending.said).isEmpty();
      failed.countDown();
      assertThat(launcher.ending.awaitLost()).isTrue();
    }
  }

  @Test
  void anAbortTellsTheLauncherAndThenEndsTheProcess() throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.initialize();
              received.add(String.valueOf(peer.receive()));
            })) {
      launcher.connect(0, 1).handle().abort(5, "for a test");
      assertThat(received).containsExactly("cmd=abort exitcode=5");
      assertThat(launcher.ending.said).containsExactly("exit: 5");
    }
  }

  @Test
  void classesArriveAsOneBlock() throws Exception {
    byte[] block = new byte[100_000];
    new java.util.Random(1).nextBytes(block);
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.answer("cmd=classes length=" + block.length);
              peer.sendRaw(block);
              peer.initialize();
              peer.drain();
            })) {
      LauncherSession session = launcher.connect(0, 1);
      assertThat(session.launcher().classes()).isEqualTo(block);
      assertThat(session.handle().rank()).isZero();
      session.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cmd=classes length=-1",
        "cmd=classes length=999999999",
        "cmd=classes",
        "cmd=maxes"
      })
  void aBlockOfImpossibleLengthIsRefused(String answer) throws Exception {
    try (ScriptedLauncher launcher =
        new ScriptedLauncher(
            peer -> {
              peer.accept(0, 1);
              peer.answer(answer);
              peer.drain();
            })) {
      assertThatThrownBy(launcher.connect(0, 1).launcher()::classes)
          .isInstanceOf(BootException.class);
    }
  }
}
