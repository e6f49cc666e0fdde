package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.Status;
import org.lacis.testkit.Witness.OfHandler;

/** Receives without a buffer. */
interface RuntimeAnyLength extends RuntimeSuite {

  private static Post recv(Lacis lacis, int tag, Completion done) {
    return lacis.recv().from(0).tag(tag).anyLength().context(tag).post(done);
  }

  @ParameterizedTest
  @EnumSource(names = {"HANDLER", "QUEUE", "SYNCHRONIZER", "FUTURE"})
  default void aMessageOfAnyLengthIsLent(Witness.Kind ending) {
    try (Job job = open(2)) {
      Lacis receiver = job.rank(1);
      for (boolean early : new boolean[] {true, false}) {
        for (int size : OperationCase.sizes(job.rank(0))) {
          Witness received = Witness.of(ending, receiver);
          if (early) {
            job.insist("a receive", () -> recv(receiver, 8, received.completion()));
          }
          Witness sent = Talk.send(job, 0, 1, 8, size, 3);
          if (!early) {
            job.progressOn();
            job.insist("a receive", () -> recv(receiver, 8, received.completion()));
          }
          job.until("a message of " + size + " bytes", received::heard);
          job.until("its send", sent::heard);
          Outcome told = received.told();
          assertThat(told.error()).isNull();
          assertThat(told.rank()).isZero();
          assertThat(told.tag()).isEqualTo(8);
          assertThat(told.length()).isEqualTo(size);
          assertThat(told.context()).isEqualTo(8);
          Pattern.check("the message", told.payload(), 0, size, 3);
        }
      }
    }
  }

  @Test
  default void whatIsLentStaysUntilItsStatusIsClosed() {
    try (Job job = open(2);
        CompletionQueue queue = job.rank(1).newCompletionQueue(16)) {
      int[] sizes = {8, 1000, 100_000};
      Status[] kept = new Status[sizes.length];
      for (int i = 0; i < sizes.length; i++) {
        int tag = i;
        job.insist("a receive", () -> recv(job.rank(1), tag, queue));
        Witness sent = Talk.send(job, 0, 1, tag, sizes[i], tag);
        kept[i] = Status.create();
        Status status = kept[i];
        job.until("the message", () -> queue.pop(status));
        job.until("its send", sent::heard);
      }
      Talk.check(job, 0, 1);
      for (int i = 0; i < sizes.length; i++) {
        Pattern.check("what was kept", kept[i].payload(), i);
        kept[i].close();
      }
    }
  }

  @Test
  default void memoryOfLongMessagesIsThereForOthersAfterwards() {
    try (Job job = open(2, Job.OPTIONS.withSharedBytes(64 << 20))) {
      CompletionQueue queue = job.rank(1).newCompletionQueue();
      RemoteCompletion target = job.rank(1).register(queue);
      MemorySegment message = Talk.memory(9 << 20);
      List<Status> held = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        job.insist("an am", () -> job.rank(0).am(1, message, 0, target, Completion.NONE));
        Status status = Status.create();
        job.until("a message", () -> queue.pop(status));
        held.add(status);
      }
      held.forEach(Status::close);
      List<Region> others = Stream.generate(() -> job.rank(1).allocate(14 << 20)).limit(3).toList();
      others.forEach(Region::close);
      job.insist("another am", () -> job.rank(0).am(1, message, 0, target, Completion.NONE));
      try (Status status = Status.create()) {
        job.until("another message", () -> queue.pop(status));
        assertThat(status.failed()).isFalse();
      }
    }
  }

  @Test
  default void withoutMemoryForTheMessageBothSidesAreTold() {
    try (Job job = open(2)) {
      MemorySegment message = Talk.memory(Job.OPTIONS.sharedBytes());
      for (boolean early : new boolean[] {true, false}) {
        OfHandler received = Witness.handler();
        OfHandler sent = Witness.handler();
        if (early) {
          job.insist("a receive", () -> recv(job.rank(1), 4, received.completion()));
        }
        job.insist("a send", () -> job.rank(0).send(1, message, 4, sent.completion()));
        if (!early) {
          job.progressOn();
          job.insist("a receive", () -> recv(job.rank(1), 4, received.completion()));
        }
        job.until("the failure of the receive", received::heard);
        job.until("the failure of the send", sent::heard);
        assertThat(received.told().kind()).isEqualTo(ErrorKind.NO_MEMORY);
        assertThat(received.told().error())
            .hasMessageContaining(String.valueOf(message.byteSize()))
            .hasMessageContaining("sharedBytes");
        assertThat(sent.told().kind()).isEqualTo(ErrorKind.NO_MEMORY);
        Talk.check(job, 0, 1);
      }
    }
  }

  @Test
  default void withoutMemoryForAnActiveMessageItsSenderIsTold() {
    try (Job job = open(2)) {
      MemorySegment message = Talk.memory(Job.OPTIONS.sharedBytes());
      for (boolean early : new boolean[] {true, false}) {
        for (boolean list : new boolean[] {true, false}) {
          OfHandler arrived = Witness.handler();
          OfHandler sent = Witness.handler();
          RemoteCompletion before = job.rank(1).register(arrived.completion());
          RemoteCompletion target = early ? new RemoteCompletion(before.index() + 1) : before;
          job.insist(
              "an active message",
              () -> {
                Posting am = job.rank(0).am().to(1).target(target);
                return (list ? am.buffers(BufferList.of(message)) : am.buffer(message))
                    .post(sent.completion());
              });
          if (early) {
            job.progressOn();
            job.rank(1).register(arrived.completion());
          }
          job.until("the failure of the active message", sent::heard);
          assertThat(sent.told().kind()).isEqualTo(ErrorKind.NO_MEMORY);
          assertThat(sent.told().rank()).isEqualTo(1);
          job.progressOn();
          assertThat(arrived.heard()).isFalse();
          Talk.check(job, 0, 1);
        }
      }
    }
  }
}
