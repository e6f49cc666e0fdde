package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.testkit.BufferKind.Buffer;
import org.lacis.testkit.ListCase.Parts;
import org.lacis.testkit.Witness.OfHandler;

/** Lists of buffers: gathered and scattered. */
interface RuntimeLists extends RuntimeSuite {

  int TAG = 31;

  /** What the receiver does with a list. */
  enum Into {
    LIST,
    LONGER_LIST,
    LIST_WITHOUT_PIGGYBACK,
    BUFFER,
    NOTHING
  }

  @ParameterizedTest
  @EnumSource
  default void aListIsReceived(Into into) {
    try (Job job = open(2)) {
      for (ListCase c : ListCase.all(job.rank(0))) {
        for (BufferKind memory : BufferKind.values()) {
          for (boolean early : new boolean[] {true, false}) {
            try {
              sendAndReceive(job, c, memory, into, early);
            } catch (RuntimeException e) {
              throw new AssertionError(c + " in " + memory + " memory", e);
            }
          }
        }
      }
    }
  }

  private static void sendAndReceive(
      Job job, ListCase c, BufferKind memory, Into into, boolean early) {
    Lacis receiver = job.rank(1);
    OfHandler received = Witness.handler();
    OfHandler sent = Witness.handler();
    int longer = into == Into.LONGER_LIST ? 3 : 0;
    try (Parts from = c.allocate(job.rank(0), memory, true, 0);
        Parts to = c.allocate(receiver, memory, false, longer);
        Buffer whole = memory.allocate(receiver, c.total())) {
      Function<Posting, Posting> local =
          p ->
              switch (into) {
                case LIST, LONGER_LIST -> p.buffers(to.list());
                case LIST_WITHOUT_PIGGYBACK -> p.buffers(bare(to.list()));
                case BUFFER -> p.buffer(whole.segment());
                case NOTHING -> p.anyLength();
              };
      Runnable receive =
          () ->
              job.insist(
                  "a receive",
                  () ->
                      local
                          .apply(receiver.recv().from(0).tag(TAG).context(c))
                          .post(received.completion()));
      Supplier<Post> send =
          () -> job.insist("a send", () -> send(job, from.list(), sent.completion()));
      Post answer = Talk.meet(job, early, receive, send);
      job.await(c + ": send", sent, answer);
      job.until("the arrival of " + c, received::heard);
      Outcome told = received.told();
      c.checkTold(told, 0, TAG);
      assertThat(told.context()).isSameAs(c);
      switch (into) {
        case LIST, LONGER_LIST -> c.check(to.list());
        case LIST_WITHOUT_PIGGYBACK -> c.check(bare(to.list()));
        case BUFFER -> c.check(whole.segment());
        case NOTHING -> c.check(told.payload());
      }
      if (answer.isPosted()) {
        c.checkTold(sent.told(), 1, TAG);
      }
    }
  }

  private static BufferList bare(BufferList list) {
    MemorySegment[] parts = new MemorySegment[list.count()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = list.part(i);
    }
    return BufferList.of(parts);
  }

  private static Post send(Job job, BufferList list, Completion done) {
    return job.rank(0).send().to(1).buffers(list).tag(TAG).post(done);
  }

  @Test
  default void oneBufferFillsTheListOfItsReceiveInOrder() {
    try (Job job = open(2)) {
      for (ListCase c : ListCase.all(job.rank(0))) {
        for (boolean early : new boolean[] {true, false}) {
          for (int longer : new int[] {0, 5}) {
            fill(job, c, early, longer);
          }
        }
      }
    }
  }

  private static void fill(Job job, ListCase c, boolean early, int longer) {
    OfHandler received = Witness.handler();
    try (Parts to = c.allocate(job.rank(1), BufferKind.NATIVE, false, longer)) {
      Runnable receive =
          () ->
              job.insist(
                  "a receive",
                  () ->
                      job.rank(1)
                          .recv()
                          .from(0)
                          .tag(TAG)
                          .buffers(to.list())
                          .post(received.completion()));
      Witness sent = Talk.meet(job, early, receive, () -> Talk.send(job, 0, 1, TAG, c.total(), 5));
      job.until("the message", received::heard);
      job.until("the send", sent::heard);
      Outcome told = received.told();
      assertThat(told.error()).isNull();
      assertThat(told.parts()).as("the message was one buffer").containsExactly((long) c.total());
      assertThat(told.piggyback().byteSize()).isZero();
      MemorySegment all = Talk.memory(c.total());
      long at = 0;
      for (int i = 0; i < c.lengths().size(); i++) {
        long bytes = Math.min(c.total() - at, to.list().part(i).byteSize());
        MemorySegment.copy(to.list().part(i), 0, all, at, bytes);
        at += bytes;
      }
      Pattern.check(c.toString(), all, 5);
    }
  }

  @Test
  default void aPiggybackMayBeUsedAgainAtOnce() {
    try (Job job = open(2)) {
      ListCase c = new ListCase(List.of(100_000, 100_000), 100);
      try (Parts from = c.allocate(job.rank(0), BufferKind.NATIVE, true, 0);
          Parts to = c.allocate(job.rank(1), BufferKind.NATIVE, false, 0)) {
        OfHandler sent = Witness.handler();
        OfHandler received = Witness.handler();
        job.insist("a send", () -> send(job, from.list(), sent.completion()));
        Pattern.fill(from.buffers().getLast().segment(), 7);
        job.insist(
            "a receive",
            () ->
                job.rank(1).recv().from(0).tag(TAG).buffers(to.list()).post(received.completion()));
        job.until("the message", received::heard);
        job.until("the send", sent::heard);
        c.check(to.list());
      }
    }
  }
}
