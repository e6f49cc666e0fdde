package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.net.sim.SimFabric;

/** A rank dies while all meet, in a barrier or a fence: all others are told. */
class SimDeathInMeetingsTest {

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8, 16})
  void aBarrierFailsForAll(int ranks) {
    for (int dead = 0; dead < ranks; dead++) {
      SimFabric fabric = SimPeerDeathTest.fabric(ranks);
      try (Job job = SimPeerDeathTest.job(fabric)) {
        fabric.kill(dead);
        List<CommunicationException> failures = meeting(job, dead, Lacis::barrier);
        assertThat(failures).hasSize(ranks - 1);
        for (CommunicationException failure : failures) {
          assertThat(failure.kind()).isEqualTo(ErrorKind.PEER_GONE);
          assertThat(failure.rank()).isEqualTo(dead);
          assertThat(failure).hasMessageContaining("barrier").hasMessageContaining("rank " + dead);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void aBarrierUnderWayFailsForAll(int ranks) {
    checkUnderWay(ranks, Lacis::barrier);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void aGlobalFenceUnderWayFailsForAll(int ranks) {
    checkUnderWay(ranks, Lacis::globalFence);
  }

  private static void checkUnderWay(int ranks, Consumer<Lacis> meeting) {
    SimFabric fabric = SimPeerDeathTest.fabric(ranks);
    try (Job job = SimPeerDeathTest.job(fabric);
        Crew crew = new Crew()) {
      int dead = ranks - 1;
      crew.start(
          "killer",
          () -> {
            // Somebody has come, and cannot leave without this rank.
            Lacis last = job.rank(dead);
            Await.until("another rank in the meeting", () -> last.progress() > 0);
            fabric.kill(dead);
          });
      List<CommunicationException> failures = meeting(job, dead, meeting);
      assertThat(failures).hasSize(ranks - 1).allMatch(e -> e.rank() == dead);
      // All know by now: the next one fails too.
      assertThat(meeting(job, dead, meeting)).hasSize(ranks - 1);
    }
  }

  /** All but one rank enter a barrier or fence; what they are told. */
  private static List<CommunicationException> meeting(
      Job job, int absent, Consumer<Lacis> meeting) {
    var failures = new ConcurrentLinkedQueue<CommunicationException>();
    job.together(
        "a meeting without rank " + absent,
        lacis -> {
          if (lacis.rank() != absent) {
            try {
              meeting.accept(lacis);
            } catch (CommunicationException e) {
              failures.add(e);
            }
          }
          return lacis;
        });
    return List.copyOf(failures);
  }
}
