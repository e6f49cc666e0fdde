package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lacis.Lacis.ANY_SOURCE;
import static org.lacis.Lacis.ANY_TAG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingHints;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.testkit.Witness.OfHandler;

/** Matching by MPI's rules. */
interface RuntimeOrdered extends RuntimeSuite {

  @Test
  default void receivesMayLeaveSenderAndTagOpen() {
    try (Job job = open(3)) {
      for (MatchingOptions kind : Ordered.KINDS) {
        Ordered talk = new Ordered(job, kind);
        for (int size : Talk.sizes(job.rank(0))) {
          for (boolean expected : new boolean[] {true, false}) {
            for (int[] open : new int[][] {{2, ANY_TAG}, {ANY_SOURCE, 7}, {ANY_SOURCE, ANY_TAG}}) {
              OfHandler received = expected ? talk.receive(1, open[0], open[1], size) : null;
              talk.send(2, 1, 7, size, size);
              if (received == null) {
                talk.untilWaiting(1, 1);
                received = talk.receive(1, open[0], open[1], size);
              }
              talk.expect(received, 2, 7, size);
            }
          }
        }
      }
    }
  }

  @Test
  default void theReceivePostedFirstTakesTheMessageWhateverItLeavesOpen() {
    try (Job job = open(2)) {
      for (MatchingOptions kind : Ordered.KINDS) {
        Ordered talk = new Ordered(job, kind);
        int[][] keys = {{0, ANY_TAG}, {0, 5}, {ANY_SOURCE, ANY_TAG}, {ANY_SOURCE, 5}};
        List<OfHandler> receives = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          int[] key = keys[(i + i / 4) % 4];
          receives.add(talk.receive(1, key[0], key[1], 8));
        }
        assertThat(talk.engine(1).waitingReceives()).isEqualTo(20);
        for (int i = 0; i < 20; i++) {
          talk.send(0, 1, 5, 8, i);
          talk.expect(receives.get(i), 0, 5, i);
        }
      }
    }
  }

  @Test
  default void receivesThatFindTheTableFullComeBackToIt() {
    try (Job job = open(2)) {
      for (int threads = 0; threads < 3; threads++) {
        Ordered talk =
            new Ordered(job, MatchingOptions.ordered().bins(4).maxReceives(8).threads(threads));
        List<OfHandler> receives = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          receives.add(talk.receive(1, 0, i % 2 == 0 ? ANY_TAG : 5, 8));
        }
        job.until("the receives", () -> talk.engine(1).waitingReceives() == 20);
        // None of them is for this one: now they have to be found, and go into the table.
        talk.send(1, 1, 9, 8, 99);
        job.until("the message", () -> talk.engine(1).waitingMessages() == 1);
        assertThat(talk.info(1, "table full")).isEqualTo(12);
        assertThat(talk.info(1, "back in table")).isZero();
        for (int i = 0; i < 20; i++) {
          talk.send(0, 1, 5, 8, i);
          talk.expect(receives.get(i), 0, 5, i);
        }
        assertThat(talk.info(1, "back in table")).isEqualTo(12);
        talk.expect(talk.receive(1, 1, 9, 8), 1, 9, 99);
      }
    }
  }

  @Test
  default void theDefaultEngineMayBeAnOrderedOne() {
    try (Job job = open(2, Job.OPTIONS.withMatching(MatchingOptions.ordered()))) {
      Talk.check(job, 0, 1);
      for (int size : Talk.sizes(job.rank(0))) {
        OfHandler received = Witness.handler();
        MemorySegment buffer = Talk.memory(size);
        job.insist(
            "a receive",
            () -> job.rank(1).recv(ANY_SOURCE, buffer, ANY_TAG, received.completion()));
        Witness sent = Talk.send(job, 0, 1, 3, size, size);
        job.until("the message, and its send", () -> received.heard() && sent.heard());
        assertThat(received.told().tag()).isEqualTo(3);
        Pattern.check("it", buffer, size);
      }
    }
  }

  @Test
  default void withHintsMessagesStillArrive() {
    try (Job job = open(2)) {
      for (MatchingHints hints :
          List.of(
              MatchingHints.NONE.withNoAnySource(),
              MatchingHints.NONE.withNoAnyTag(),
              MatchingHints.NONE.withNoAnySource().withNoAnyTag().withAllowOvertaking(),
              MatchingHints.NONE.withAllowOvertaking())) {
        Ordered talk = new Ordered(job, MatchingOptions.ordered().hints(hints));
        for (int size : Talk.sizes(job.rank(0))) {
          talk.send(0, 1, 1, size, 1);
          talk.untilWaiting(1, 1);
          OfHandler one = talk.receive(1, 0, 1, size);
          OfHandler two =
              talk.receive(
                  1, hints.noAnySource() ? 0 : ANY_SOURCE, hints.noAnyTag() ? 2 : ANY_TAG, size);
          talk.send(0, 1, 2, size, 2);
          job.until("both", () -> one.heard() && two.heard());
          assertThat(one.told().tag() + two.told().tag()).isEqualTo(3);
        }
      }
    }
  }

  @Test
  default void aClosedEngineFailsItsReceivesAndIsGone() {
    try (Job job = open(2)) {
      MatchingEngine engine = job.rank(1).newMatchingEngine(MatchingOptions.ordered());
      OfHandler received = Witness.handler();
      job.insist(
          "a receive",
          () ->
              job.rank(1)
                  .recv()
                  .from(ANY_SOURCE)
                  .buffer(Talk.memory(8))
                  .matching(engine)
                  .post(received.completion()));
      engine.close();
      assertThat(received.told().kind()).isEqualTo(ErrorKind.CLOSED);
      new Refusal(job)
          .ofState(
              () ->
                  job.rank(1)
                      .recv()
                      .from(0)
                      .buffer(Talk.memory(8))
                      .matching(engine)
                      .post(Completion.NONE),
              "closed");
    }
  }

  @Test
  default void whatAnEngineDoesNotKnowIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      MemorySegment buffer = Talk.memory(8);
      MatchingEngine ordered = lacis.newMatchingEngine(MatchingOptions.ordered());
      MatchingEngine hinted =
          lacis.newMatchingEngine(
              MatchingOptions.list().hints(MatchingHints.NONE.withNoAnySource().withNoAnyTag()));
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(
          () -> lacis.recv(ANY_SOURCE, buffer, 0, Completion.NONE), "ANY_SOURCE", "ordered()");
      refusal.ofArgument(
          () -> lacis.recv().from(0).tag(ANY_TAG).buffer(buffer).post(Completion.NONE),
          "ANY_TAG",
          "ordered()");
      refusal.ofArgument(
          () -> lacis.recv().from(ANY_SOURCE).buffer(buffer).matching(hinted).post(x -> {}),
          "ANY_SOURCE",
          "noAnySource");
      refusal.ofArgument(
          () -> lacis.recv().from(1).tag(ANY_TAG).buffer(buffer).matching(hinted).post(x -> {}),
          "ANY_TAG",
          "noAnyTag");
      refusal.ofArgument(
          () ->
              lacis
                  .recv()
                  .from(1)
                  .buffer(buffer)
                  .matching(ordered)
                  .matching(MatchingPolicy.RANK_ONLY)
                  .post(x -> {}),
          "policy",
          "RANK_TAG",
          "RANK_ONLY",
          "ordered",
          "ANY_TAG");
      refusal.ofArgument(
          () -> lacis.send(1, buffer, 0, ordered, MatchingPolicy.TAG_ONLY, x -> {}),
          "policy",
          "RANK_TAG",
          "TAG_ONLY");
      refusal.ofArgument(
          () -> lacis.send(1, buffer, ANY_TAG, ordered, MatchingPolicy.RANK_TAG, x -> {}),
          "tag",
          "ANY_TAG",
          "receives");
      refusal.ofArgument(
          () -> lacis.send().to(1).tag(ANY_TAG).matching(ordered).post(x -> {}), "ANY_TAG");
      refusal.ofArgument(() -> lacis.send().to(ANY_SOURCE), "rank", ANY_SOURCE);
      refusal.ofArgument(
          () -> lacis.send().from(ANY_SOURCE).matching(ordered).post(x -> {}), "receives");
    }
  }
}
