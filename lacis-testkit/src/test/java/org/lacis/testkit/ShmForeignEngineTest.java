package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingHints;
import org.lacis.MatchingOptions;

/** Ranks that make an engine of different kinds are told so. */
class ShmForeignEngineTest {
  private static final int TAG = 77;

  private static MatchingOptions options(String kind) {
    return switch (kind) {
      case "hash" -> MatchingOptions.defaults().withBuckets(16);
      case "list" -> MatchingOptions.list();
      case "ordered" -> MatchingOptions.ordered();
      default -> MatchingOptions.ordered().hints(MatchingHints.NONE.withAllowOvertaking());
    };
  }

  /** Of two, since the first one of a sender that does not count looks right. */
  @ParameterizedTest
  @ValueSource(
      strings = {"hash ordered", "hash list", "ordered hash", "list hash", "overtaking ordered"})
  void aMessageOfAnotherKindOfEngineIsWarnedOf(String kinds) {
    try (LacisLog log = new LacisLog();
        Job job = ShmJobs.open(2, Job.OPTIONS)) {
      job.leaveUnfinished();
      MatchingEngine here = engine(job.rank(0), kinds.split(" ")[0]);
      MatchingEngine there = engine(job.rank(1), kinds.split(" ")[1]);
      for (int i = 0; i < 2; i++) {
        job.rank(0)
            .send()
            .to(1)
            .tag(TAG)
            .buffer(Talk.memory(8))
            .matching(here)
            .postBlocking(Completion.NONE);
      }
      job.until("a warning", () -> !log.messages().isEmpty());
      assertThat(log.messages().getFirst())
          .contains("rank 1 drops a message from rank 0 with the tag " + TAG)
          .contains("another kind", "mine", "kind " + there.options().kind());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hash ordered", "ordered hash"})
  void aLongMessageFails(String kinds) {
    try (LacisLog log = new LacisLog();
        Job job = ShmJobs.open(2, Job.OPTIONS)) {
      job.leaveUnfinished();
      MatchingEngine here = engine(job.rank(0), kinds.split(" ")[0]);
      engine(job.rank(1), kinds.split(" ")[1]);
      Witness sent = Witness.handler();
      job.rank(0)
          .send()
          .to(1)
          .tag(TAG)
          .buffer(Talk.memory(job.rank(0).eagerLimit() + 1))
          .matching(here)
          .postBlocking(sent.completion());
      job.until("the end of the send", sent::heard);
      assertThat(sent.told().error())
          .isNotNull()
          .extracting(CommunicationException::kind)
          .isEqualTo(ErrorKind.CLOSED);
      assertThat(log.messages()).singleElement().asString().contains("another kind");
    }
  }

  /** The same kind with other tables is none. */
  @ParameterizedTest
  @ValueSource(strings = {"list ordered", "ordered list"})
  void listsAndTablesGoTogether(String kinds) {
    try (LacisLog log = new LacisLog();
        Job job = ShmJobs.open(2, Job.OPTIONS)) {
      List<MatchingEngine> engines =
          List.of(
              engine(job.rank(0), kinds.split(" ")[0]), engine(job.rank(1), kinds.split(" ")[1]));
      Witness received = Witness.handler();
      job.rank(0)
          .send()
          .to(1)
          .tag(TAG)
          .buffer(Talk.memory(8))
          .matching(engines.get(0))
          .postBlocking(Completion.NONE);
      job.rank(1)
          .recv()
          .from(0)
          .tag(TAG)
          .buffer(Talk.memory(8))
          .matching(engines.get(1))
          .postBlocking(received.completion());
      job.until("the message", received::heard);
      assertThat(log.messages()).isEmpty();
    }
  }

  private static MatchingEngine engine(Lacis rank, String kind) {
    return rank.newMatchingEngine("mine", options(kind));
  }
}
