package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.RemoteCompletion;
import org.lacis.Status;
import org.lacis.testkit.BufferKind.Buffer;
import org.lacis.testkit.ListCase.Parts;
import org.lacis.testkit.Witness.OfHandler;

/** Lists of buffers: gathered, scattered, and what comes of lists that do not fit. */
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
      if (early) {
        receive.run();
      }
      Post answer = job.insist("a send", () -> send(job, from.list(), sent.completion()));
      if (!early) {
        job.progressOn();
        receive.run();
      }
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
      if (early) {
        receive.run();
      }
      Witness sent = Talk.send(job, 0, 1, TAG, c.total(), 5);
      if (!early) {
        job.progressOn();
        receive.run();
      }
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

  @ParameterizedTest
  @ValueSource(ints = {10, 3000, 100_000})
  default void aListThatDoesNotFitFailsAtTheReceiverAndSaysWhy(int size) {
    try (Job job = open(2)) {
      BufferList sent = list(size, 2 * size, size).withPiggyback(Talk.filled(9, 1));
      int all = 4 * size;
      refused(job, sent, list(size, 2 * size), "has 3 parts", "list has 2");
      refused(job, sent, list(size, size, size, size), "has 3 parts", "list has 4");
      refused(
          job,
          sent,
          list(size, 2 * size - 1, size),
          "part 1 of",
          2 * size + " bytes",
          "has " + (2 * size - 1));
      refused(
          job,
          sent,
          list(size, 2 * size, size).withPiggyback(Talk.memory(8)),
          "the piggyback of",
          "9 bytes",
          "has 8");
      refused(
          job,
          sent,
          p -> p.buffer(Talk.memory(all - 1)),
          ErrorKind.TRUNCATED,
          all + " bytes",
          "has " + (all - 1));
      refused(
          job,
          BufferList.of(Talk.memory(all)),
          list(size, 2 * size, size),
          "has 1 parts",
          "list has 3");
    }
  }

  @Test
  default void aReceiveOfWhoseListOneArenaWasClosedFails() {
    try (Job job = open(2)) {
      for (int size : new int[] {10, 100_000}) {
        for (boolean asList : new boolean[] {true, false}) {
          Arena arena = Arena.ofShared();
          BufferList to = BufferList.of(Talk.memory(size), arena.allocate(size));
          OfHandler received = Witness.handler();
          job.insist(
              "a receive",
              () -> job.rank(1).recv().from(0).tag(TAG).buffers(to).post(received.completion()));
          arena.close();
          OfHandler sent = Witness.handler();
          BufferList from = asList ? list(size, size) : list(2 * size);
          job.finish(
              "a send",
              sent,
              () ->
                  (asList
                          ? job.rank(0).send().buffers(from)
                          : job.rank(0).send().buffer(from.part(0)))
                      .to(1)
                      .tag(TAG)
                      .allowDone(false)
                      .post(sent.completion()));
          job.until("the failure", received::heard);
          assertThat(received.told().kind()).isEqualTo(ErrorKind.CLOSED);
          assertThat(sent.told().error()).isNull();
          Talk.check(job, 0, 1);
        }
      }
    }
  }

  private static BufferList list(int... lengths) {
    MemorySegment[] parts = new MemorySegment[lengths.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Talk.memory(lengths[i]);
    }
    return BufferList.of(parts);
  }

  private static void refused(Job job, BufferList list, BufferList into, String... words) {
    refused(job, list, p -> p.buffers(into), ErrorKind.TRUNCATED, words);
  }

  private static void refused(
      Job job, BufferList list, Function<Posting, Posting> into, ErrorKind kind, String... words) {
    for (boolean early : new boolean[] {true, false}) {
      OfHandler received = Witness.handler();
      OfHandler sent = Witness.handler();
      Runnable receive =
          () ->
              job.insist(
                  "a receive",
                  () ->
                      into.apply(job.rank(1).recv().from(0).tag(TAG).context("mine"))
                          .post(received.completion()));
      if (early) {
        receive.run();
      }
      Post answer = job.insist("a send", () -> send(job, list, sent.completion()));
      if (!early) {
        job.progressOn();
        receive.run();
      }
      job.until("the failure of a receive", received::heard);
      job.await("the send, which notices nothing", sent, answer);
      Outcome failure = received.told();
      assertThat(failure.kind()).isEqualTo(kind);
      assertThat(failure.context()).isEqualTo("mine");
      assertThat(failure.rank()).isZero();
      for (String word : words) {
        assertThat(failure.error()).hasMessageContaining(word).hasMessageContaining("tag " + TAG);
      }
      if (answer.isPosted()) {
        assertThat(sent.told().error()).isNull();
      }
      Talk.check(job, 0, 1);
    }
  }

  @Test
  default void aListThatCannotBePostedIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Refusal refusal = new Refusal(job);
      MemorySegment buffer = Talk.memory(8);
      MemorySegment[] many = new MemorySegment[BufferList.MAX_PARTS + 1];
      java.util.Arrays.fill(many, buffer);
      refusal.ofArgument(() -> BufferList.of(many), BufferList.MAX_PARTS, many.length);
      refusal.ofNull("part 1", () -> BufferList.of(buffer, Refusal.nothing()));
      refusal.ofNull("piggyback", () -> BufferList.of().withPiggyback(Refusal.nothing()));
      refusal.ofNull("list", () -> lacis.send().buffers(Refusal.nothing()));
      int most = lacis.piggybackLimit(1);
      BufferList tooMuch = BufferList.of(buffer).withPiggyback(Talk.memory(most + 1));
      refusal.ofArgument(() -> send(job, tooMuch, Completion.NONE), "piggyback", most + 1, most);
      for (int parts : new int[] {-1, BufferList.MAX_PARTS + 1}) {
        refusal.ofArgument(() -> lacis.piggybackLimit(parts), "parts", parts, "0 to 64");
      }
      BufferList readOnly = BufferList.of(buffer, buffer.asReadOnly());
      refusal.ofArgument(
          () -> lacis.recv().from(1).buffers(readOnly).post(Completion.NONE),
          "part 1",
          "read-only");
      Arena arena = Arena.ofConfined();
      BufferList closed = BufferList.of(buffer).withPiggyback(arena.allocate(8));
      arena.close();
      refusal.ofState(() -> send(job, closed, Completion.NONE), "piggyback", "closed");
      MemorySegment foreign = job.together("memory", _ -> Arena.ofConfined().allocate(8)).get(0);
      BufferList confined = BufferList.of(buffer, foreign);
      refusal.of(
          WrongThreadException.class,
          () -> send(job, confined, Completion.NONE),
          "part 1",
          "confined");
    }
  }
}
