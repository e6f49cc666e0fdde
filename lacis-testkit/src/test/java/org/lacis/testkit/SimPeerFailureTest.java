package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.PeerFailure;
import org.lacis.collective.Collectives;
import org.lacis.collective.Group;
import org.lacis.collective.Reduction;
import org.lacis.net.sim.SimFabric;
import org.lacis.net.sim.SimOptions;

/** What a program is told of ranks that fail, and how it goes on. */
class SimPeerFailureTest {

  private final SimFabric fabric = SimFabric.create(SimOptions.defaults().withRanks(4));

  private Job open() {
    Job job = SimJobs.open(fabric, Job.OPTIONS);
    job.leaveUnfinished();
    return job;
  }

  private static List<PeerFailure> told(Lacis lacis) {
    List<PeerFailure> told = new ArrayList<>();
    lacis.onPeerFailure(told::add);
    return told;
  }

  @Test
  void theHandlerIsToldOfEachRankOnceWhateverTheDevices() {
    try (Job job = open()) {
      job.newDevices();
      List<PeerFailure> told = told(job.rank(0));
      fabric.kill(2);
      job.progressOn();
      assertThat(told).hasSize(1);
      fabric.kill(3);
      job.progressOn();
      assertThat(told).extracting(PeerFailure::rank).containsExactly(2, 3);
      assertThat(told)
          .allMatch(failure -> failure.reason() == PeerFailure.Reason.DIED)
          .allMatch(failure -> failure.message().startsWith("rank " + failure.rank() + " is gone"));
    }
  }

  @Test
  void aHandlerThatComesLateIsToldAtOnceAndNoFailureTwice() {
    try (Job job = open()) {
      fabric.kill(1);
      job.progressOn();
      assertThat(told(job.rank(0))).extracting(PeerFailure::rank).containsExactly(1);
      List<PeerFailure> second = told(job.rank(0));
      job.progressOn();
      assertThat(second).isEmpty();
    }
  }

  @Test
  void aRankThatClosesHasNotFailed() {
    try (Job job = open()) {
      List<PeerFailure> told = told(job.rank(0));
      job.close(3);
      job.until("the end of rank 3", () -> job.rank(0).isGone(3));
      assertThat(told).isEmpty();
      assertThat(job.rank(0).hasFailed(3)).isFalse();
      assertThat(job.rank(0).dump()).contains("\ngone: rank 3\n");
      assertThatThrownBy(
              () -> job.rank(0).send(3, MemorySegment.ofArray(new byte[1]), 0, Completion.NONE))
          .hasMessageContaining("rank 3 is gone: it has died or closed its runtime");
    }
  }

  @Test
  void collectivesThatOnlyWaitForFailuresAreNotPending() {
    try (Job job = open()) {
      job.together("collectives of all", Collectives::of);
      assertThat(job.rank(0).device().pending()).isZero();
      assertThat(job.rank(0).device().isDrained()).isTrue();
    }
  }

  @Test
  void whoIsGoneCanBeAsked() {
    try (Job job = open()) {
      List<Boolean> within = new ArrayList<>();
      job.rank(0).onPeerFailure(failure -> within.add(job.rank(0).isGone(failure.rank())));
      assertThat(job.rank(0).isGone(2)).isFalse();
      fabric.kill(2);
      job.progressOn();
      assertThat(within).containsExactly(true);
      assertThat(job.rank(0).isGone(2)).isTrue();
      assertThat(job.rank(0).hasFailed(2)).isTrue();
      assertThat(job.rank(0).hasFailed(1)).isFalse();
      assertThat(job.rank(0).isGone(0)).isFalse();
      assertThat(job.rank(0).isGone(1)).isFalse();
      assertThatThrownBy(() -> job.rank(0).isGone(4))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("rank must be 0 to 3, but is 4");
      assertThatThrownBy(() -> job.rank(0).hasFailed(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("rank must be 0 to 3, but is -1");
    }
  }

  @Test
  void aHandlerMayPostAndWhatItThrowsIsLogged() {
    try (Job job = open();
        var log = new LacisLog()) {
      var ear = Witness.handler();
      job.rank(1).recv(0, Talk.memory(8), 5, ear.completion());
      job.rank(0)
          .onPeerFailure(
              failure -> {
                job.rank(0).send(1, Talk.memory(8), 5, Completion.NONE);
                throw new IllegalStateException("thrown on purpose");
              });
      fabric.kill(2);
      job.until("the message of the handler", ear::heard);
      assertThat(log.messages()).anyMatch(line -> line.contains("thrown on purpose"));
    }
  }

  @Test
  void survivorsGoOnInAGroupOfTheirOwn() {
    try (Job job = open()) {
      List<Collectives> all = job.together("collectives of all", Collectives::of);
      fabric.kill(2);
      job.progressOn();
      assertThatThrownBy(all.get(0)::barrier)
          .isInstanceOfSatisfying(
              CommunicationException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(ErrorKind.PEER_GONE);
                assertThat(e.rank()).isEqualTo(2);
              });
      assertThatThrownBy(job.rank(0)::barrier).hasMessageContaining("rank 2 is gone");
      assertThatThrownBy(job.rank(3)::globalFence).hasMessageContaining("rank 2 is gone");
      List<Long> sums =
          job.together(
              "the sum of those that are left",
              lacis -> {
                if (lacis.rank() == 2) {
                  return 4L;
                }
                long[] sum = {lacis.rank()};
                Collectives.of(lacis, Group.of(0, 1, 3))
                    .allreduce(MemorySegment.ofArray(sum), Reduction.SUM_LONG);
                return sum[0];
              });
      assertThat(sums).containsOnly(4L);
    }
  }

  @Test
  void aHandlerIsAskedFor() {
    try (Job job = open()) {
      assertThatThrownBy(() -> job.rank(0).onPeerFailure(null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("handler");
    }
  }
}
