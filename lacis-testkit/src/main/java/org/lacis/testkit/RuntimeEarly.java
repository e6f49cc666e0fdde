package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.Completion;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.testkit.Witness.OfHandler;

/** Messages that come before anybody waits for them. */
interface RuntimeEarly extends RuntimeSuite {

  @Test
  default void aMessageWaitsForItsReceive() {
    try (Job job = open(2)) {
      for (int size : OperationCase.sizes(job.rank(0))) {
        Witness sent = Talk.send(job, 0, 1, 6, size, size);
        job.until(
            "a message of " + size + " bytes without receive",
            () -> job.rank(1).matchingEngine().waitingMessages() == 1);
        job.progressOn();
        // Others come by and must not disturb it.
        Talk.check(job, 0, 1);
        Outcome received = Talk.receive(job, 1, 0, 6, size, size);
        assertThat(received.length()).isEqualTo(size);
        assertThat(received.rank()).isZero();
        assertThat(received.tag()).isEqualTo(6);
        job.until("the end of the send", sent::heard);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void aMessageWaitsUnderEveryPolicy(MatchingPolicy policy) {
    var byTag = MatchingOptions.defaults().withBuckets(16).withKey((rank, tag) -> tag);
    try (Job job = open(2, Job.OPTIONS.withMatching(byTag))) {
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment message = Talk.filled(size, 3);
        job.insist(
            "a send",
            () ->
                job.rank(0)
                    .send()
                    .to(1)
                    .tag(3)
                    .matching(policy)
                    .buffer(message)
                    .post(Completion.NONE));
        job.until("the message to wait", () -> job.rank(1).matchingEngine().waitingMessages() == 1);
        OfHandler received = Witness.handler();
        MemorySegment buffer = Talk.memory(size);
        job.insist(
            "a receive",
            () ->
                job.rank(1)
                    .recv()
                    .from(0)
                    .tag(3)
                    .matching(policy)
                    .buffer(buffer)
                    .post(received.completion()));
        job.until("the message", received::heard);
        Pattern.check("the message", buffer, 3);
      }
    }
  }

  @Test
  default void manyMessagesOfAllProtocolsWaitAtOnce() {
    try (Job job = open(2)) {
      List<Integer> sizes = OperationCase.sizes(job.rank(0));
      int count = 10 * sizes.size();
      List<Witness> sends = new ArrayList<>();
      for (int tag = 0; tag < count; tag++) {
        sends.add(Talk.send(job, 0, 1, tag, sizes.get(tag % sizes.size()), tag));
      }
      job.until(
          "all messages to wait", () -> job.rank(1).matchingEngine().waitingMessages() == count);
      for (int tag = count - 1; tag >= 0; tag--) {
        Talk.receive(job, 1, 0, tag, sizes.get(tag % sizes.size()), tag);
      }
      job.until("all sends", () -> sends.stream().allMatch(Witness::heard));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void anActiveMessageWaitsForItsTarget(Witness.Kind kind) {
    try (Job job = open(2)) {
      int index = 0;
      for (int size : OperationCase.sizes(job.rank(0))) {
        RemoteCompletion later = new RemoteCompletion(index++);
        MemorySegment message = Talk.filled(size, size);
        job.insist(
            "an active message", () -> job.rank(0).am(1, message, 7, later, Completion.NONE));
        job.progressOn();
        Talk.check(job, 0, 1);
        Witness target = Witness.of(kind, job.rank(1));
        assertThat(job.rank(1).register(target.completion())).isEqualTo(later);
        job.until("a message of " + size + " bytes that came early", target::heard);
        if (kind.tells()) {
          assertThat(target.told().rank()).isZero();
          assertThat(target.told().tag()).isEqualTo(7);
          assertThat(target.told().length()).isEqualTo(size);
          Pattern.check("an early message", target.told().payload(), size);
        }
        job.checkIdle();
      }
    }
  }

  @Test
  default void signalsOfPutsAndGetsWaitForTheirTarget() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      RemoteCompletion later = new RemoteCompletion(0);
      Witness put = Witness.handler();
      Witness got = Witness.handler();
      job.finish(
          "a put",
          put,
          () ->
              job.rank(0).put(Talk.filled(40, 4), region.remote(), 0, 1, later, put.completion()));
      job.finish(
          "a get",
          got,
          () -> job.rank(0).get(Talk.memory(50), region.remote(), 0, 2, later, got.completion()));
      job.progressOn();
      OfHandler target = Witness.handler();
      job.rank(1).register(target.completion());
      job.until("both signals", () -> target.all().size() == 2);
      assertThat(target.all()).extracting(Outcome::tag).containsExactlyInAnyOrder(1, 2);
      assertThat(target.all()).extracting(Outcome::length).containsExactlyInAnyOrder(40L, 50L);
      assertThat(target.all()).extracting(Outcome::buffer).containsOnlyNulls();
    }
  }

  @Test
  default void messagesForManyTargetsThatComeEarlyAreNotMixedUp() {
    try (Job job = open(2)) {
      int targets = 40;
      for (int i = 0; i < 2 * targets; i++) {
        int number = i % targets;
        MemorySegment message = Talk.filled(8, number);
        job.insist(
            "an active message",
            () ->
                job.rank(0).am(1, message, number, new RemoteCompletion(number), Completion.NONE));
      }
      job.progressOn();
      for (int i = 0; i < targets; i++) {
        OfHandler target = Witness.handler();
        job.rank(1).register(target.completion());
        job.until("two messages for target " + i, () -> target.all().size() == 2);
        assertThat(target.all()).extracting(Outcome::tag).containsOnly(i);
      }
    }
  }

  @Test
  default void aMessageWaitsForItsMatchingEngine() {
    try (Job job = open(2)) {
      for (int size : OperationCase.sizes(job.rank(0))) {
        MatchingEngine here = job.rank(0).newMatchingEngine(MatchingOptions.defaults());
        MemorySegment message = Talk.filled(size, size);
        Witness sent = Witness.handler();
        job.insist(
            "a send",
            () ->
                job.rank(0)
                    .send()
                    .to(1)
                    .tag(2)
                    .matching(here)
                    .buffer(message)
                    .allowDone(false)
                    .post(sent.completion()));
        job.progressOn();
        MatchingEngine there = job.rank(1).newMatchingEngine(MatchingOptions.defaults());
        OfHandler received = Witness.handler();
        MemorySegment buffer = Talk.memory(size);
        job.insist(
            "a receive",
            () ->
                job.rank(1)
                    .recv()
                    .from(0)
                    .tag(2)
                    .matching(there)
                    .buffer(buffer)
                    .post(received.completion()));
        job.until("a message of " + size + " bytes", () -> received.heard() && sent.heard());
        Pattern.check("a message that came before its engine", buffer, size);
        assertThat(there.waitingMessages()).isZero();
      }
    }
  }
}
