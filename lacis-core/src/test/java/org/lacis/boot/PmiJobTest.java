package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client against the server: a job whose ranks are threads of this process. */
@Timeout(60)
class PmiJobTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private interface Rank {
    void run(LauncherSession session) throws Exception;
  }

  static final PmiServer.Listener NOBODY =
      new PmiServer.Listener() {
        @Override
        public void missed(int rank, int other, int millis, String why) {}

        @Override
        public void aborted(int rank, int code) {}

        @Override
        public void misbehaved(int rank, String why) {}

        @Override
        public void stuck() {}

        @Override
        public void finished(int rank) {}

        @Override
        public void hungUp(int rank) {}

        @Override
        public void stacks(int rank, String stacks, String report) {}
      };

  static LauncherSession connect(PmiServer server, int rank, int size) {
    PmiEnv env =
        PmiEnv.of(
            Map.of(
                PmiEnv.PORT, server.address(),
                PmiEnv.ID, server.token(rank),
                PmiEnv.RANK, Integer.toString(rank),
                PmiEnv.SIZE, Integer.toString(size)));
    return new LauncherSession(
        PmiLauncher.connect(env, PmiVersion.ONE, new ScriptedLauncher.Noted(), LONG));
  }

  /** Runs all ranks and throws what the first of them threw. */
  private static void job(int size, Rank program) throws Exception {
    for (Throwable thrown : outcomes(size, program)) {
      throw new AssertionError("a rank failed", thrown);
    }
  }

  private static List<Throwable> outcomes(int size, Rank program)
      throws IOException, InterruptedException {
    List<Throwable> thrown = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (PmiServer server = PmiServer.start(size, new byte[0], NOBODY)) {
      List<Future<?>> ranks = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        int rank = i;
        ranks.add(
            threads.submit(
                () -> {
                  LauncherSession session = connect(server, rank, size);
                  program.run(session);
                  return null;
                }));
      }
      for (Future<?> rank : ranks) {
        try {
          rank.get();
        } catch (ExecutionException e) {
          thrown.add(e.getCause());
        }
      }
    } finally {
      threads.shutdownNow();
      assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }
    return thrown;
  }

  @Test
  void everyRankSeesTheValuesOfEveryOther() throws Exception {
    job(
        8,
        session -> {
          Boot boot = session.handle();
          for (int round = 0; round < 5; round++) {
            boot.put("r" + round + "-" + boot.rank(), "value of " + boot.rank());
            boot.fence(LONG);
            for (int rank = 0; rank < boot.size(); rank++) {
              assertThat(boot.get("r" + round + "-" + rank)).isEqualTo("value of " + rank);
            }
          }
        });
  }

  @Test
  void everyRankHasTheSameIdAndSecret() throws Exception {
    job(
        3,
        session -> {
          Boot boot = session.handle();
          boot.put("s" + boot.rank(), boot.jobId() + HexFormat.of().formatHex(boot.secret()));
          boot.fence(LONG);
          assertThat(boot.get("s0"))
              .isEqualTo(boot.get("s1"))
              .isEqualTo(boot.get("s2"))
              .hasSize(32 + 64);
        });
  }

  @Test
  void bigValuesOfAnyCharactersArrive() throws Exception {
    String plain = "0123456789abcdef".repeat(6000);
    String wild = "\u00e4 \n\0\u20ac=".repeat(20_000);
    job(
        2,
        session -> {
          Boot boot = session.handle();
          if (boot.rank() == 0) {
            boot.put("plain", plain);
            boot.put("wild", wild);
            boot.put("largest", " ".repeat(Boot.MAX_VALUE));
          }
          boot.fence(LONG);
          assertThat(boot.get("plain")).isEqualTo(plain);
          assertThat(boot.get("wild")).isEqualTo(wild);
          assertThat(boot.get("largest")).hasSize(Boot.MAX_VALUE);
        });
  }

  @Test
  void handlesOfOneProcessHaveKeysOfTheirOwn() throws Exception {
    job(
        3,
        session -> {
          Boot first = session.handle();
          Boot second = session.handle();
          first.put("k" + first.rank(), "first");
          second.put("k" + first.rank(), "second");
          first.fence(LONG);
          second.fence(LONG);
          for (int rank = 0; rank < 3; rank++) {
            assertThat(first.get("k" + rank)).isEqualTo("first");
            assertThat(second.get("k" + rank)).isEqualTo("second");
          }
        });
  }

  @Test
  void aJobCanMeetAgainAfterAllHandlesWereClosed() throws Exception {
    job(
        2,
        session -> {
          for (int round = 0; round < 10; round++) {
            try (Boot boot = session.handle()) {
              boot.put("k" + boot.rank(), "round " + round);
              boot.fence(LONG);
              assertThat(boot.get("k" + (1 - boot.rank()))).isEqualTo("round " + round);
            }
          }
        });
  }

  @Test
  void aClosedHandleIsOfNoMoreUse() throws Exception {
    job(
        1,
        session -> {
          Boot boot = session.handle();
          boot.close();
          boot.close();
          assertThatThrownBy(() -> boot.put("k", "v")).isInstanceOf(IllegalStateException.class);
        });
  }

  @Test
  void fencesOfTwoHandlesAtOnceComeOneAfterAnother() throws Exception {
    job(
        1,
        session -> {
          List<Boot> handles = List.of(session.handle(), session.handle(), session.handle());
          try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<?>> done = new ArrayList<>();
            for (Boot boot : handles) {
              done.add(
                  threads.submit(
                      () -> {
                        for (int i = 0; i < 50; i++) {
                          boot.put("k" + i, "v" + i);
                          boot.fence(LONG);
                          assertThat(boot.get("k" + i)).isEqualTo("v" + i);
                        }
                      }));
            }
            for (Future<?> each : done) {
              each.get();
            }
          }
        });
  }

  @Test
  void fencesInADifferentOrderAreNoticed() throws Exception {
    List<Throwable> thrown =
        outcomes(
            2,
            session -> {
              Boot first = session.handle();
              Boot second = session.handle();
              (session.launcher().rank() == 0 ? first : second).fence(LONG);
            });
    assertThat(thrown).isNotEmpty();
    assertThat(thrown.getFirst())
        .isInstanceOf(BootException.class)
        .hasMessageContaining("in the same order");
  }

  @Test
  void aFenceThatSomeDoNotJoinNamesThem() throws Exception {
    try (PmiServer server = PmiServer.start(4, new byte[0], NOBODY)) {
      LauncherSession session = connect(server, 1, 4);
      Boot boot = session.handle();
      assertThatThrownBy(() -> boot.fence(Duration.ofMillis(300)))
          .isInstanceOf(BootException.class)
          .hasMessage("rank 1 waited 300 ms in a fence for ranks that have not come: 0,2,3");
      session.close();
    }
  }

  @Test
  void valuesAreAnsweredWhileAFenceIsWaitedFor() throws Exception {
    try (PmiServer server = PmiServer.start(2, new byte[0], NOBODY)) {
      LauncherSession session = connect(server, 0, 2);
      Boot waiting = session.handle();
      Boot other = session.handle();
      Thread thread = Thread.ofPlatform().start(() -> waiting.fence(LONG));
      other.put("k", "v");
      assertThat(other.get("k")).isEqualTo("v");
      Boot peer = connect(server, 1, 2).handle();
      peer.fence(LONG);
      thread.join(20_000);
      assertThat(thread.isAlive()).isFalse();
    }
  }

  @Test
  void aValueThatNobodyPutIsNamed() throws Exception {
    job(
        1,
        session ->
            assertThatThrownBy(() -> session.handle().get("absent"))
                .isInstanceOf(BootException.class)
                .hasMessageContaining("absent"));
  }
}
