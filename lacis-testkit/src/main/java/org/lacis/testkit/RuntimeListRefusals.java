package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.Region;
import org.lacis.RemoteRegion;
import org.lacis.net.Memory;
import org.lacis.testkit.Witness.OfHandler;

/** Lists of buffers that do not fit, or cannot be posted. */
interface RuntimeListRefusals extends RuntimeSuite {
  int TAG = 31;

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
      Supplier<Post> send = () -> job.insist("a send", () -> send(job, list, sent.completion()));
      Post answer = Talk.meet(job, early, receive, send);
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
      MemorySegment all = Memory.all();
      refusal.ofArgument(() -> BufferList.of(all, buffer), "part 1 has 8", all.byteSize());
      try (Region region = job.rank(1).allocate(8)) {
        List<RemoteRegion> places = java.util.Arrays.asList(region.remote(), Refusal.nothing());
        refusal.ofNull("place 1", () -> lacis.put().remote(places));
      }
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

  private static Post send(Job job, BufferList list, Completion done) {
    return job.rank(0).send().to(1).buffers(list).tag(TAG).post(done);
  }
}
