package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.TagSequence;
import org.lacis.testkit.Witness.OfHandler;

/** Which send meets which receive. */
interface RuntimeMatching extends RuntimeSuite {

  /** Tags 10 to 19 are all the same to it, whoever sends. */
  MatchingOptions BY_TENS =
      MatchingOptions.defaults().withBuckets(64).withKey((rank, tag) -> tag / 10);

  @Test
  default void theTagDecides() {
    try (Job job = open(2)) {
      for (int size : Talk.sizes(job.rank(0))) {
        OfHandler one = receive(job, 0, 1, MatchingPolicy.RANK_TAG, size);
        OfHandler two = receive(job, 0, 2, MatchingPolicy.RANK_TAG, size);
        Witness second = Talk.send(job, 0, 1, 2, size, 2);
        job.until("tag 2", two::heard);
        assertThat(one.heard()).isFalse();
        Pattern.check("tag 2", two.told().payload(), 2);
        Witness first = Talk.send(job, 0, 1, 1, size, 1);
        job.until("tag 1", one::heard);
        Pattern.check("tag 1", one.told().payload(), 1);
        job.until("both sends", () -> first.heard() && second.heard());
      }
    }
  }

  @Test
  default void theSenderDecides() {
    try (Job job = open(3)) {
      for (int size : Talk.sizes(job.rank(0))) {
        OfHandler fromZero = receive(job, 0, 5, MatchingPolicy.RANK_TAG, size);
        OfHandler fromTwo = receive(job, 2, 5, MatchingPolicy.RANK_TAG, size);
        Talk.send(job, 2, 1, 5, size, 2);
        job.until("the message of rank 2", fromTwo::heard);
        assertThat(fromZero.heard()).isFalse();
        assertThat(fromTwo.told().rank()).isEqualTo(2);
        Talk.send(job, 0, 1, 5, size, 1);
        job.until("the message of rank 0", fromZero::heard);
        Pattern.check("rank 0", fromZero.told().payload(), 1);
      }
    }
  }

  @Test
  default void byRankOnlyAnyTagIsTaken() {
    try (Job job = open(2)) {
      for (int size : Talk.sizes(job.rank(0))) {
        OfHandler received = receive(job, 0, 99, MatchingPolicy.RANK_ONLY, size);
        send(job, 0, 12345, MatchingPolicy.RANK_ONLY, size);
        job.until("a message of any tag", received::heard);
        assertThat(received.told().tag()).isEqualTo(12345);
        assertThat(received.told().rank()).isZero();
      }
    }
  }

  @Test
  default void byTagOnlyAnySenderIsTaken() {
    try (Job job = open(3)) {
      for (int size : Talk.sizes(job.rank(0))) {
        OfHandler received =
            Talk.receive(
                job, 1, size, options -> options.tag(44).matching(MatchingPolicy.TAG_ONLY));
        send(job, 2, 44, MatchingPolicy.TAG_ONLY, size);
        job.until("a message of any rank", received::heard);
        assertThat(received.told().rank()).isEqualTo(2);
        assertThat(received.told().tag()).isEqualTo(44);
        OfHandler another = receive(job, Lacis.ANY_SOURCE, 45, MatchingPolicy.TAG_ONLY, size);
        send(job, 0, 45, MatchingPolicy.TAG_ONLY, size);
        job.until("another message of any rank", another::heard);
        assertThat(another.told().rank()).isZero();
      }
    }
  }

  @Test
  default void aMessageWithoutAKeyIsDroppedAndNothingElse() {
    try (Job job = open(2);
        LacisLog log = new LacisLog()) {
      boolean[] thrown = new boolean[1];
      MatchingOptions options =
          MatchingOptions.defaults()
              .withKey(
                  (rank, tag) -> {
                    if (tag == 5 && thrown[0]) {
                      throw new IllegalStateException("no key for " + tag);
                    }
                    return tag;
                  });
      List<MatchingEngine> engines = job.newMatchingEngines(options);
      Lacis lacis = job.rank(0);
      Counter sent = lacis.newCounter();
      MemorySegment large = Talk.memory(lacis.eagerLimit() + 1);
      thrown[0] = true;
      for (MemorySegment message : List.of(Talk.memory(8), large)) {
        job.insist(
            "a send",
            () ->
                lacis
                    .send()
                    .to(1)
                    .buffer(message)
                    .tag(5)
                    .matching(engines.get(0))
                    .matching(MatchingPolicy.CUSTOM)
                    .allowDone(false)
                    .post(sent));
      }
      job.until("both to be dropped", () -> log.messages().size() == 2 && sent.count() == 2);
      assertThat(log.messages()).allMatch(line -> line.contains("no key for 5"));
      assertThat(sent.failures()).as("the long one").isEqualTo(1);
      Talk.send(job, 0, 1, 6, 8, 6);
      Counter received = job.rank(1).newCounter();
      job.insist("a receive", () -> job.rank(1).recv(0, Talk.memory(8), 6, received));
      job.until("another message", () -> received.count() == 1);
    }
  }

  @Test
  default void aKeyOfTheUsersOwnDecides() {
    try (Job job = open(3)) {
      List<MatchingEngine> engines = job.newMatchingEngines(BY_TENS);
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment buffer = Talk.memory(size);
        OfHandler received = Witness.handler();
        job.insist(
            "a receive",
            () ->
                job.rank(1)
                    .recv()
                    .from(0)
                    .tag(20)
                    .matching(MatchingPolicy.CUSTOM)
                    .matching(engines.get(1))
                    .buffer(buffer)
                    .post(received.completion()));
        MemorySegment message = Talk.filled(size, 27);
        job.insist(
            "a send",
            () ->
                job.rank(2)
                    .send()
                    .to(1)
                    .tag(27)
                    .matching(MatchingPolicy.CUSTOM)
                    .matching(engines.get(2))
                    .buffer(message)
                    .post(Completion.NONE));
        job.until("a message with an equal key", received::heard);
        assertThat(received.told().tag()).isEqualTo(27);
        assertThat(received.told().rank()).isEqualTo(2);
        Pattern.check("it", buffer, 27);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void differentPoliciesNeverMeet(MatchingPolicy sent) {
    try (Job job = open(2, Job.OPTIONS.withMatching(BY_TENS))) {
      // Keys are chosen so that they are equal but for the policy: rank 0, tag 0.
      for (int size : Talk.sizes(job.rank(0))) {
        send(job, 0, 0, sent, size);
        List<OfHandler> others = new ArrayList<>();
        for (MatchingPolicy policy : MatchingPolicy.values()) {
          if (policy != sent) {
            others.add(receive(job, 0, 0, policy, size));
          }
        }
        job.until("the message to wait", () -> job.rank(1).matchingEngine().waitingMessages() == 1);
        job.progressOn();
        assertThat(others).noneMatch(OfHandler::heard);
        assertThat(job.rank(1).matchingEngine().waitingReceives()).isEqualTo(3);
        OfHandler same = receive(job, 0, 0, sent, size);
        job.until("the message", same::heard);
        for (MatchingPolicy policy : MatchingPolicy.values()) {
          if (policy != sent) {
            send(job, 0, 0, policy, size);
          }
        }
        job.until("the other messages", () -> others.stream().allMatch(OfHandler::heard));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void callsOnOneLineNameEngineAndPolicyToo(MatchingPolicy policy) {
    try (Job job = open(2)) {
      List<MatchingEngine> engines = job.newMatchingEngines(BY_TENS);
      int from = policy == MatchingPolicy.TAG_ONLY ? Lacis.ANY_SOURCE : 0;
      for (int size : Talk.sizes(job.rank(0))) {
        for (boolean expected : new boolean[] {true, false}) {
          MemorySegment message = Talk.filled(size, size);
          OfHandler received = expected ? receive(job, engines, from, 14, policy, size) : null;
          job.insist(
              "a send",
              () -> job.rank(0).send(1, message, 14, engines.get(0), policy, Completion.NONE));
          if (received == null) {
            job.until("the message to wait", () -> engines.get(1).waitingMessages() == 1);
            received = receive(job, engines, from, 14, policy, size);
          }
          job.until("the message", received::heard);
          assertThat(received.told().rank()).isZero();
          assertThat(received.told().tag()).isEqualTo(14);
          Pattern.check("it", received.told().payload(), size);
        }
      }
    }
  }

  @Test
  default void callsOnOneLineLeaveOpenWhatAnOrderedEngineAllows() {
    try (Job job = open(2)) {
      for (MatchingOptions kind : Ordered.KINDS) {
        List<MatchingEngine> engines = job.newMatchingEngines(kind);
        MatchingPolicy policy = MatchingPolicy.RANK_TAG;
        OfHandler any = receive(job, engines, Lacis.ANY_SOURCE, Lacis.ANY_TAG, policy, 8);
        OfHandler exact = receive(job, engines, 0, 7, policy, 8);
        for (int i = 0; i < 2; i++) {
          MemorySegment message = Talk.filled(8, i);
          job.insist(
              "a send",
              () -> job.rank(0).send(1, message, 7, engines.get(0), policy, Completion.NONE));
        }
        job.until("both messages", () -> any.heard() && exact.heard());
        Pattern.check("the one posted first", any.told().payload(), 0);
        Pattern.check("the other", exact.told().payload(), 1);
      }
    }
  }

  @Test
  default void enginesDoNotMeet() {
    try (Job job = open(2)) {
      List<MatchingEngine> one = job.newMatchingEngines(MatchingOptions.defaults());
      List<MatchingEngine> two = job.newMatchingEngines(MatchingOptions.defaults());
      for (int size : Talk.sizes(job.rank(0))) {
        OfHandler inDefault = receive(job, 0, 1, MatchingPolicy.RANK_TAG, size);
        OfHandler inOne = receive(job, one.get(1), size);
        OfHandler inTwo = receive(job, two.get(1), size);
        assertThat(one.get(1).waitingReceives()).isEqualTo(1);
        send(job, two.get(0), size, 2);
        job.until("the message of engine 2", inTwo::heard);
        Pattern.check("engine 2", inTwo.told().payload(), 2);
        send(job, one.get(0), size, 1);
        job.until("the message of engine 1", inOne::heard);
        Pattern.check("engine 1", inOne.told().payload(), 1);
        assertThat(inDefault.heard()).isFalse();
        Talk.send(job, 0, 1, 1, size, 3);
        job.until("the message of the default engine", inDefault::heard);
      }
    }
  }

  @Test
  default void manyMessagesOfOneKeyAllArriveOnce() {
    try (Job job = open(2, Job.OPTIONS.withMatching(MatchingOptions.defaults().withBuckets(1)))) {
      int count = 300;
      OfHandler received = Witness.handler();
      for (int i = 0; i < count; i++) {
        if (i % 3 == 0) {
          Talk.send(job, 0, 1, 4, 8, i);
        }
        MemorySegment buffer = Talk.memory(8);
        job.insist("a receive", () -> job.rank(1).recv(0, buffer, 4, received.completion()));
        if (i % 3 != 0) {
          Talk.send(job, 0, 1, 4, 8, i);
        }
      }
      job.until("all messages", () -> received.all().size() == count);
      List<Long> sent =
          IntStream.range(0, count).mapToObj(i -> Talk.filled(8, i).get(JAVA_LONG, 0)).toList();
      assertThat(received.all())
          .map(o -> o.payload().get(JAVA_LONG_UNALIGNED, 0))
          .containsExactlyInAnyOrderElementsOf(sent);
    }
  }

  private static OfHandler receive(Job job, int from, int tag, MatchingPolicy policy, int size) {
    return Talk.receive(job, 1, size, options -> options.from(from).tag(tag).matching(policy));
  }

  private static OfHandler receive(
      Job job, List<MatchingEngine> engines, int from, int tag, MatchingPolicy policy, int size) {
    OfHandler received = Witness.handler();
    MemorySegment buffer = Talk.memory(size);
    job.insist(
        "a receive",
        () -> job.rank(1).recv(from, buffer, tag, engines.get(1), policy, received.completion()));
    return received;
  }

  private static OfHandler receive(Job job, MatchingEngine engine, int size) {
    return Talk.receive(job, 1, size, options -> options.from(0).tag(1).matching(engine));
  }

  private static void send(Job job, int from, int tag, MatchingPolicy policy, int size) {
    MemorySegment message = Talk.filled(size, tag);
    job.insist(
        "a send",
        () ->
            job.rank(from)
                .send()
                .to(1)
                .tag(tag)
                .matching(policy)
                .buffer(message)
                .post(Completion.NONE));
  }

  private static void send(Job job, MatchingEngine engine, int size, long number) {
    MemorySegment message = Talk.filled(size, number);
    job.insist(
        "a send",
        () ->
            job.rank(0).send().to(1).tag(1).matching(engine).buffer(message).post(Completion.NONE));
  }

  /** Whatever overtakes what on the way: the k-th receive gets the k-th message. */
  @Test
  default void numberedTagsKeepTheOrder() {
    int count = 300;
    try (Job job = open(2)) {
      for (int size : List.of(8, 1000, 100_000)) {
        TagSequence sent = new TagSequence(3, 1 << 20);
        TagSequence received = new TagSequence(3, 1 << 20);
        int messages = size > 1000 ? 20 : count;
        MemorySegment[] into = new MemorySegment[messages];
        int[] done = {0};
        for (int i = 0; i < messages; i++) {
          MemorySegment out = Talk.filled(size, i);
          job.insist("a send", () -> job.rank(0).send(1, out, sent.tag(), Completion.NONE));
          sent.advance();
          into[i] = Talk.memory(size);
          MemorySegment in = into[i];
          job.insist(
              "a receive", () -> job.rank(1).recv(0, in, received.tag(), status -> done[0]++));
          received.advance();
        }
        job.until("all messages", () -> done[0] == messages);
        for (int i = 0; i < messages; i++) {
          Pattern.check("message " + i, into[i], i);
        }
        job.until("all sends", () -> job.rank(0).device().isDrained());
      }
    }
  }
}
