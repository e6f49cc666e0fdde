package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lacis.MatchingPolicy.RANK_TAG;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Device;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Rights;

/** Fences: what was started with nobody to hear of its end has ended nevertheless. */
interface RuntimeFences extends RuntimeSuite {

  int LONG = 100_000;

  @Test
  default void aFenceMakesTheBuffersOfSendsFree() {
    try (Job job = open(2)) {
      job.together(
          "sends whose buffer is used again",
          lacis -> {
            MemorySegment buffer = Talk.memory(LONG);
            for (int i = 0; i < 5; i++) {
              if (lacis.rank() == 0) {
                Pattern.fill(buffer, i);
                insist(lacis, () -> lacis.send(1, buffer, 0, Completion.NONE).isRetry());
                lacis.fence();
                assertThat(lacis.device().isDrained()).isTrue();
                buffer.fill((byte) 0);
                lacis.barrier();
              } else {
                var received = lacis.newCounter();
                insist(lacis, () -> lacis.recv(0, buffer, 0, received).isRetry());
                received.await(1);
                Pattern.check("message " + i, buffer, i);
                lacis.barrier();
              }
            }
            return lacis;
          });
    }
  }

  @Test
  default void aFenceDoesNotWaitForReceivesNorForLaterSends() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      lacis.recv(1, Talk.memory(8), 0, Completion.NONE);
      lacis.fence();
      assertThat(lacis.device().fence(Duration.ZERO)).isTrue();
      assertThat(lacis.device().isDrained()).isTrue();
      assertThat(lacis.device().pending()).isEqualTo(1);
      Talk.send(job, 1, 0, 0, 8, 1);
      job.until("the message", () -> lacis.device().pending() == 0);
    }
  }

  @Test
  default void aFenceGivesUpAfterItsLimit() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      MemorySegment message = Talk.filled(LONG, 3);
      job.insist("a send", () -> lacis.send(1, message, 3, Completion.NONE));
      // Nobody receives it.
      assertThat(lacis.fence(Duration.ofMillis(20))).isFalse();
      assertThat(lacis.device().fence(Duration.ofMillis(1))).isFalse();
      assertThat(lacis.device().isDrained()).isFalse();
      Device other = job.newDevices().get(0);
      assertThat(other.fence(Duration.ofMillis(1))).as("of another device").isTrue();
      Talk.receive(job, 1, 0, 3, LONG, 3);
      job.until("the end of the send", () -> lacis.device().isDrained());
      assertThat(lacis.fence(Duration.ofMillis(1))).isTrue();
    }
  }

  @Test
  default void aHandlerMustNotWaitForAFence() {
    try (Job job = open(2)) {
      List<AtomicReference<Throwable>> thrown = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        boolean global = i == 1;
        AtomicReference<Throwable> seen = new AtomicReference<>();
        thrown.add(seen);
        Lacis lacis = job.rank(1);
        MemorySegment message = Talk.filled(LONG, 3);
        job.insist("a send", () -> lacis.send(0, message, 3, Completion.NONE));
        RemoteCompletion target =
            lacis.register(
                (Handler)
                    status -> {
                      try {
                        if (global) {
                          lacis.globalFence();
                        } else {
                          lacis.fence();
                        }
                      } catch (IllegalStateException e) {
                        seen.set(e);
                      }
                    });
        job.insist(
            "a message", () -> job.rank(0).am(1, Talk.memory(8), 0, target, Completion.NONE));
        job.until("the refusal", () -> seen.get() != null);
        Talk.receive(job, 0, 1, 3, LONG, 3);
        job.until("the end of the send", () -> lacis.device().isDrained());
      }
      assertThat(thrown).allMatch(t -> String.valueOf(t.get()).contains("handler"));
    }
  }

  /**
   * Every rank puts, gets and sends to all others, by two devices; after the fence all is there.
   */
  @Test
  default void aGlobalFenceCompletesEverythingEverywhere() {
    int ranks = 3;
    int rounds = 4;
    int messages = 40;
    try (Job job = open(ranks)) {
      job.newDevices();
      List<AtomicLong> sums = new ArrayList<>();
      List<RemoteRegion> regions = new ArrayList<>();
      List<Region> opened = new ArrayList<>();
      List<RemoteCompletion> targets = new ArrayList<>();
      for (Lacis lacis : job.ranks()) {
        AtomicLong sum = new AtomicLong();
        sums.add(sum);
        targets.add(lacis.register((Handler) status -> sum.addAndGet(status.longAt(0))));
        Region region = lacis.register(Talk.memory(8L * ranks), Rights.READ_WRITE);
        opened.add(region);
        regions.add(region.remote());
      }
      job.together(
          "fences",
          lacis -> {
            for (int round = 1; round <= rounds; round++) {
              all(lacis, targets, regions, messages, round);
              lacis.globalFence();
              long expected = (long) round * (round + 1) / 2 * messages * 2 * ranks;
              assertThat(sums.get(lacis.rank()).get()).as("round " + round).isEqualTo(expected);
              MemorySegment here = opened.get(lacis.rank()).segment();
              for (int peer = 0; peer < ranks; peer++) {
                assertThat(here.get(JAVA_LONG, 8L * peer)).isEqualTo(100L * round + peer);
              }
              lacis.barrier();
            }
            return lacis;
          });
      opened.forEach(Region::close);
    }
  }

  private static void all(
      Lacis lacis,
      List<RemoteCompletion> targets,
      List<RemoteRegion> regions,
      int messages,
      int round) {
    MemorySegment small = Talk.memory(8);
    MemorySegment large = Talk.memory(LONG);
    small.set(JAVA_LONG, 0, round);
    large.set(JAVA_LONG, 0, round);
    MemorySegment word = Talk.memory(8);
    word.set(JAVA_LONG, 0, 100L * round + lacis.rank());
    for (int peer = 0; peer < lacis.size(); peer++) {
      int to = peer;
      RemoteCompletion adds = targets.get(to);
      for (int i = 0; i < messages; i++) {
        MemorySegment message = i % 8 == 0 ? large : small;
        insist(lacis, () -> lacis.am(to, message, 0, adds, Completion.NONE).isRetry());
        insist(lacis, () -> lacis.am(to, small, 0, adds, Completion.NONE).isRetry());
      }
      long place = 8L * lacis.rank();
      insist(lacis, () -> lacis.put(word, regions.get(to), place, Completion.NONE).isRetry());
    }
  }

  private static void insist(Lacis lacis, BooleanSupplier retry) {
    Await.until("room", Job.LIMIT, lacis::progress, () -> !retry.getAsBoolean());
  }

  /** Messages may be with a matching thread when the marks have come. */
  @Test
  default void aGlobalFenceCompletesReceivesOfMatchingThreads() {
    int messages = 50;
    try (Job job = open(2)) {
      List<MatchingEngine> engines = job.newMatchingEngines(MatchingOptions.ordered().threads(2));
      Counter received = job.rank(1).newCounter();
      for (int round = 1; round <= 20; round++) {
        for (int i = 0; i < messages; i++) {
          int tag = i;
          job.insist(
              "a receive",
              () -> job.rank(1).recv(0, Talk.memory(8), tag, engines.get(1), RANK_TAG, received));
        }
        for (int i = 0; i < messages; i++) {
          int tag = i;
          job.insist(
              "a send",
              () ->
                  job.rank(0)
                      .send(1, Talk.memory(8), tag, engines.get(0), RANK_TAG, Completion.NONE));
        }
        long expected = (long) round * messages;
        job.together(
            "fences",
            lacis -> {
              lacis.globalFence();
              assertThat(received.count()).isEqualTo(expected);
              return lacis;
            });
      }
    }
  }

  @Test
  default void closedRuntimesAndDevicesHaveNoFences() {
    try (Job job = open(1)) {
      Lacis lacis = job.rank(0);
      lacis.globalFence();
      Device device = lacis.newDevice();
      device.fence();
      device.close();
      assertThatThrownBy(device::fence).isInstanceOf(IllegalStateException.class);
      job.close(0);
      assertThatThrownBy(lacis::fence).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(lacis::globalFence).isInstanceOf(IllegalStateException.class);
    }
  }
}
