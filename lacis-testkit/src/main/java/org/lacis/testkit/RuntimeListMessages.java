package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.Status;
import org.lacis.testkit.ListCase.Parts;
import org.lacis.testkit.Witness.OfHandler;

/** Lists of buffers as active messages. */
interface RuntimeListMessages extends RuntimeSuite {
  int TAG = 31;

  @ParameterizedTest
  @EnumSource(names = {"HANDLER", "QUEUE", "SYNCHRONIZER", "FUTURE"})
  default void anActiveMessageThatIsAListArrivesInOnePiece(Witness.Kind ending) {
    try (Job job = open(2)) {
      for (ListCase c : ListCase.all(job.rank(0))) {
        Witness arrived = Witness.of(ending, job.rank(1));
        RemoteCompletion target = job.rank(1).register(arrived.completion());
        active(job, c, target, arrived);
      }
    }
  }

  @Test
  default void anActiveMessageThatIsAListWaitsForItsTarget() {
    try (Job job = open(2)) {
      int next = 0;
      for (ListCase c : ListCase.all(job.rank(0))) {
        OfHandler arrived = Witness.handler();
        RemoteCompletion target = new RemoteCompletion(next++);
        try (Parts from = c.allocate(job.rank(0), BufferKind.NATIVE, true, 0)) {
          OfHandler sent = Witness.handler();
          Post answer =
              job.insist(
                  "an active message",
                  () ->
                      job.rank(0)
                          .am()
                          .to(1)
                          .target(target)
                          .buffers(from.list())
                          .tag(TAG)
                          .post(sent.completion()));
          job.progressOn();
          assertThat(job.rank(1).register(arrived.completion())).isEqualTo(target);
          job.await("an active message", sent, answer);
          job.until("the arrival of " + c, arrived::heard);
        }
        c.checkTold(arrived.told(), 0, TAG);
        c.check(arrived.told().payload());
      }
    }
  }

  private static void active(Job job, ListCase c, RemoteCompletion target, Witness arrived) {
    try (Parts from = c.allocate(job.rank(0), BufferKind.CONFINED, true, 0)) {
      OfHandler sent = Witness.handler();
      job.finish(
          "an active message",
          sent,
          () ->
              job.rank(0)
                  .am()
                  .to(1)
                  .target(target)
                  .buffers(from.list())
                  .tag(TAG)
                  .allowDone(false)
                  .allowRetry(false)
                  .post(sent.completion()));
      job.until("the arrival of " + c, arrived::heard);
      c.checkTold(sent.told(), 1, TAG);
      c.checkTold(arrived.told(), 0, TAG);
      c.check(arrived.told().payload());
    }
  }

  @Test
  default void aListThatAFullQueueRefusesLeavesNoTraceInOtherMessages() {
    try (Job job = open(3);
        CompletionQueue queue = job.rank(1).newCompletionQueue(2);
        Status status = Status.create()) {
      RemoteCompletion full = job.rank(1).register(queue);
      OfHandler heard = Witness.handler();
      RemoteCompletion other = job.rank(1).register(heard.completion());
      BufferList list =
          BufferList.of(Talk.memory(8), Talk.memory(8)).withPiggyback(Talk.filled(5, 1));
      for (int i = 0; i < 3; i++) {
        job.insist(
            "a list",
            () -> job.rank(0).am().to(1).buffers(list).target(full).post(Completion.NONE));
      }
      job.until("the queue to be full", () -> queue.length() == 2);
      job.progressOn();
      job.insist("a message", () -> job.rank(2).am(1, Talk.memory(20), 0, other, Completion.NONE));
      job.until("a message past a full queue", heard::heard);
      assertThat(heard.told().parts()).containsExactly(20L);
      assertThat(heard.told().piggyback().byteSize()).isZero();
      for (int i = 0; i < 3; i++) {
        job.until("list " + i, () -> queue.pop(status));
        assertThat(status.parts()).isEqualTo(2);
      }
    }
  }
}
