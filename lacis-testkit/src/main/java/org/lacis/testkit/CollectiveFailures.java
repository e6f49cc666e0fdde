package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Status;
import org.lacis.collective.Blocks;
import org.lacis.collective.Collective;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Collectives;
import org.lacis.collective.Reduction;
import org.lacis.testkit.CollectiveTrial.Shape;

/** One member fails, and all of them hear of it. */
interface CollectiveFailures extends RuntimeSuite {

  /** Keeps the failure. */
  final class Ending implements Completion {
    boolean ended;
    @Nullable CommunicationException error;

    @Override
    public void signal(Status status) {
      ended = true;
      error = status.error();
    }
  }

  @ParameterizedTest
  @EnumSource(CollectiveKind.class)
  default void ifAMemberGoesAllOthersEnd(CollectiveKind kind) {
    int gone = 3;
    for (int elements : new int[] {1, 5000}) {
      try (Job job = open(7)) {
        job.leaveUnfinished();
        Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults());
        Shape shape = new Shape(kind, elements, gone, false, Reduction.SUM_LONG);
        var trial = new CollectiveTrial(ensemble, shape, Seeds.random("a member goes"));
        List<Ending> endings = new ArrayList<>();
        for (int member = 0; member < 7; member++) {
          Ending ending = new Ending();
          if (member != gone) {
            trial.built.get(member).start(ending);
            endings.add(ending);
          }
        }
        job.progressOn();
        job.close(gone);
        job.until("the end of " + shape, () -> endings.stream().allMatch(e -> e.ended));
        for (Ending ending : endings) {
          // Who only sends to others may be done before.
          CommunicationException error = ending.error;
          if (error != null && error.kind() != ErrorKind.CLOSED) {
            assertThat(error.rank()).isEqualTo(gone);
            assertThat(error.kind()).isEqualTo(ErrorKind.PEER_GONE);
          } else if (error != null) {
            assertGivenUp(error.getMessage());
          }
        }
        checkBroken(job, ensemble, trial);
      }
    }
  }

  /** Whoever starts it again misses one that is gone, or is told by somebody who does. */
  private static void checkBroken(Job job, Ensemble ensemble, CollectiveTrial trial) {
    int gone = trial.shape.root();
    job.until("the end of rank " + gone, () -> job.isGone(gone));
    for (int member = 0; member < ensemble.size(); member++) {
      if (member != gone && !isBroken(ensemble.member(member))) {
        startAgain(trial.built.get(member));
      }
    }
    for (int member = 0; member < ensemble.size(); member++) {
      if (member != gone) {
        Collectives collectives = ensemble.member(member);
        job.until("the news of who is gone", () -> isBroken(collectives));
        assertThatThrownBy(trial.built.get(member)::start)
            .isInstanceOfSatisfying(
                CommunicationException.class,
                error -> {
                  if (error.kind() == ErrorKind.CLOSED) {
                    assertGivenUp(error.getMessage());
                  } else {
                    assertThat(error).hasMessageContaining("rank " + gone + " is gone");
                  }
                });
      }
    }
  }

  /** Messages may overtake each other: that another has given up is noticed before its notice. */
  private static void assertGivenUp(String message) {
    assertThat(message).contains("has closed the matching engine");
  }

  /** Starts one that may find at once that somebody is gone. */
  private static void startAgain(Collective<?> collective) {
    try {
      collective.start();
    } catch (CommunicationException e) {
      assertThat(e.kind()).isIn(ErrorKind.PEER_GONE, ErrorKind.CLOSED);
    }
  }

  /** Members make progress now and then, and close their runtime as soon as they are done. */
  @ParameterizedTest
  @EnumSource(CollectiveKind.class)
  default void aMemberThatHasDoneItsPartMayClose(CollectiveKind kind) {
    int size = 5;
    var random = Seeds.random("members close when they are done");
    for (int elements : new int[] {1, 5000}) {
      try (Job job = open(size)) {
        Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults());
        Shape shape = new Shape(kind, elements, random.nextInt(size), false, Reduction.SUM_LONG);
        var trial = new CollectiveTrial(ensemble, shape, random);
        List<Ending> endings = new ArrayList<>();
        List<Integer> inside = new ArrayList<>();
        for (int member = 0; member < size; member++) {
          endings.add(new Ending());
          inside.add(member);
          trial.fill(member, 0);
          trial.built.get(member).start(endings.get(member));
        }
        Await.until(
            "the end of " + shape,
            Job.LIMIT,
            () -> {
              int member = inside.get(random.nextInt(inside.size()));
              for (int i = random.nextInt(8); i >= 0; i--) {
                job.rank(member).progress();
              }
              if (endings.get(member).ended) {
                assertThat(endings.get(member).error).isNull();
                trial.check(member, 0);
                inside.removeIf(other -> other == member);
                job.close(member);
              }
            },
            inside::isEmpty);
      }
    }
  }

  private static boolean isBroken(Collectives collectives) {
    try {
      collectives.newBarrier().close();
      return false;
    } catch (CommunicationException e) {
      return true;
    }
  }

  @Test
  default void ifAMemberFailsAllOthersEnd() {
    try (Job job = open(6)) {
      job.leaveUnfinished();
      Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults());
      List<Ending> endings = new ArrayList<>();
      for (int member = 0; member < 6; member++) {
        Reduction reduction = member == 4 ? failing() : Reduction.SUM_LONG;
        Ending ending = new Ending();
        endings.add(ending);
        MemorySegment buffer = Talk.memory(8);
        ensemble.member(member).newAllreduce(buffer, buffer, reduction).start(ending);
      }
      job.until("the end at every member", () -> endings.stream().allMatch(e -> e.ended));
      List<CommunicationException> errors = new ArrayList<>();
      for (Ending ending : endings) {
        if (ending.error != null) {
          errors.add(ending.error);
        }
      }
      assertThat(errors)
          .isNotEmpty()
          .allSatisfy(error -> assertThat(error).hasMessageContaining("cannot be added"));
      assertThatThrownBy(() -> ensemble.member(0).newBarrier())
          .hasMessageContaining("rank 4 has failed")
          .hasMessageContaining("cannot be added");
    }
  }

  private static Reduction failing() {
    return Reduction.of(
        "broken",
        8,
        true,
        (left, right, result) -> {
          throw new IllegalStateException("cannot be added");
        });
  }

  @Test
  default void membersInDifferentCollectivesAreTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults());
      var sent = ensemble.member(0).newBroadcast(Talk.memory(8), 0);
      var received = ensemble.member(1).newScan(Talk.memory(8), Talk.memory(8), Reduction.SUM_LONG);
      Ending ending = new Ending();
      sent.start();
      received.start(ending);
      job.until("the end of the scan", () -> ending.ended);
      assertMismatch(ending, "rank 0 is in broadcast, rank 1 in scan");
      assertThatThrownBy(received::test).hasMessageContaining("scan has failed: rank 0");
      job.until("the news of it", () -> isBroken(ensemble.member(0)));
    }
  }

  @Test
  default void blocksThatAreShorterThanTheReceiverSaysAreTold() {
    for (int elements : new int[] {2, 5000}) {
      try (Job job = open(2)) {
        job.leaveUnfinished();
        Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults());
        long bytes = 8L * elements;
        MemorySegment[] buffers = new MemorySegment[4];
        Arrays.setAll(buffers, i -> Talk.memory(2 * bytes));
        Blocks equal = Blocks.equal(2, bytes);
        var one =
            ensemble.member(0).newAlltoall(buffers[0], Blocks.of(bytes, 8), buffers[1], equal);
        var other = ensemble.member(1).newAlltoall(buffers[2], equal, buffers[3], equal);
        Ending ending = new Ending();
        one.start();
        other.start(ending);
        job.until("the end of the exchange", () -> ending.ended);
        assertMismatch(ending, "rank 0 has sent 8 bytes, but rank 1 expects " + bytes);
      }
    }
  }

  @Test
  default void aMemberThatComesAfterAFailureIsToldInItsFirstCall() {
    try (Job job = open(3)) {
      job.leaveUnfinished();
      Collectives root = Collectives.of(job.rank(0));
      Collectives other = Collectives.of(job.rank(1));
      Ending ending = new Ending();
      root.newGather(Talk.memory(8), Talk.memory(24), 0).start(ending);
      other.newGather(Talk.memory(16), MemorySegment.NULL, 0).start();
      job.until("the end of the gather", () -> ending.ended);
      CommunicationException error = Objects.requireNonNull(ending.error);
      assertThat(error.kind()).isEqualTo(ErrorKind.MISMATCH);
      assertThat(error)
          .hasMessageContaining("rank 1 has sent more, but rank 0 expects 8 of it")
          .hasMessageContaining("agree about lengths in gather");
      job.until("the news of it", () -> isBroken(other));
      Collectives late = Collectives.of(job.rank(2));
      job.until("the news for who is late", () -> isBroken(late));
      assertThatThrownBy(late::barrier)
          .isInstanceOf(CommunicationException.class)
          .hasMessageContaining("cannot be used any more: rank 0 has failed");
    }
  }

  /** One of the others has not begun: it is told as well. */
  @Test
  default void ifAMemberClosesItsCollectivesInTheMiddleAllOthersEnd() {
    int leaver = 3;
    int late = 4;
    for (int elements : new int[] {1, 5000}) {
      try (Job job = open(5)) {
        job.leaveUnfinished();
        Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults());
        List<Ending> endings = new ArrayList<>();
        for (int member = 0; member < late; member++) {
          Ending ending = new Ending();
          endings.add(ending);
          MemorySegment buffer = Talk.memory(8L * elements);
          ensemble.member(member).newAllreduce(buffer, buffer, Reduction.SUM_LONG).start(ending);
        }
        job.progressOn();
        ensemble.member(leaver).close();
        job.until("the end at every member", () -> endings.stream().allMatch(e -> e.ended));
        for (Ending ending : endings) {
          CommunicationException error = Objects.requireNonNull(ending.error);
          assertThat(error.kind()).isEqualTo(ErrorKind.CLOSED);
        }
        for (int member = 0; member < ensemble.size(); member++) {
          Collectives collectives = ensemble.member(member);
          job.until("the news", () -> isBroken(collectives));
        }
        assertThatThrownBy(() -> ensemble.member(late).newBarrier()).hasMessageContaining("closed");
      }
    }
  }

  /** It has done its part, or has none: others go on. */
  @Test
  default void aMemberThatClosesItsCollectivesBetweenThemHarmsNobody() {
    try (Job job = open(3)) {
      Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults());
      MemorySegment buffer = Talk.memory(8);
      var sent = ensemble.member(0).newGather(buffer, MemorySegment.NULL, 2);
      var other = ensemble.member(1).newGather(buffer, MemorySegment.NULL, 2);
      var root = ensemble.member(2).newGather(buffer, Talk.memory(24), 2);
      sent.start();
      job.until("the end at one", sent::test);
      ensemble.member(0).close();
      job.progressOn();
      other.start();
      root.start();
      job.until("the end at the others", () -> other.test() && root.test());
      assertThat(isBroken(ensemble.member(1))).isFalse();
      assertThat(isBroken(ensemble.member(2))).isFalse();
    }
  }

  @Test
  default void ifABufferIsClosedInTheMiddleAllMembersAreTold() {
    try (Job job = open(4)) {
      job.leaveUnfinished();
      Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults());
      Ending ending = new Ending();
      try (Arena arena = Arena.ofShared()) {
        MemorySegment gathered = arena.allocate(32);
        ensemble.member(1).newGather(Talk.memory(8), gathered, 1).start(ending);
        job.progressOn();
      }
      ensemble.member(0).newGather(Talk.memory(8), MemorySegment.NULL, 1).start();
      job.until("the end at the root", () -> ending.ended);
      CommunicationException error = Objects.requireNonNull(ending.error);
      assertThat(error).hasMessageContaining("arena was closed");
      for (int member = 0; member < ensemble.size(); member++) {
        Collectives collectives = ensemble.member(member);
        job.until("the news", () -> isBroken(collectives));
      }
    }
  }

  private static void assertMismatch(Ending ending, String message) {
    CommunicationException error = Objects.requireNonNull(ending.error);
    assertThat(error).hasMessageContaining(message);
    assertThat(error.kind()).isEqualTo(ErrorKind.MISMATCH);
    assertThat(error.rank()).isZero();
  }
}
