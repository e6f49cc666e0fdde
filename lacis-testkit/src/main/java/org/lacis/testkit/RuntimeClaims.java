package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lacis.Lacis.ANY_SOURCE;
import static org.lacis.Lacis.ANY_TAG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lacis.BufferList;
import org.lacis.ClaimedMessage;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.ReceiveHandle;
import org.lacis.Status;
import org.lacis.testkit.Witness.OfHandler;

/**
 * Messages that are looked at, or taken, before there is a receive; receives that are cancelled.
 */
interface RuntimeClaims extends RuntimeSuite {

  private static List<MatchingOptions> kinds() {
    List<MatchingOptions> kinds = new ArrayList<>(Ordered.KINDS);
    kinds.add(MatchingOptions.defaults().withBuckets(1));
    return kinds;
  }

  @Test
  default void aMessageThatWaitsIsFoundAndStays() {
    try (Job job = open(2);
        Status status = Status.create()) {
      for (MatchingOptions kind : kinds()) {
        Ordered talk = new Ordered(job, kind);
        MatchingEngine engine = talk.engine(1);
        for (int size : Talk.sizes(job.rank(0))) {
          assertThat(engine.probe(0, 4, status)).isFalse();
          talk.send(0, 1, 4, size, size);
          job.until("the message", () -> engine.probe(0, 4, status));
          assertThat(status.rank()).isZero();
          assertThat(status.tag()).isEqualTo(4);
          assertThat(status.length()).isEqualTo(size);
          assertThat(engine.probe(0, 5, status)).isFalse();
          if (kind.isOrdered()) {
            assertThat(engine.probe(ANY_SOURCE, ANY_TAG, status)).isTrue();
            assertThat(engine.probe(1, ANY_TAG, status)).isFalse();
          }
          talk.expect(talk.receive(1, 0, 4, size), 0, 4, size);
          assertThat(engine.probe(0, 4, status)).isFalse();
        }
      }
    }
  }

  @Test
  default void aMessageThatIsClaimedIsReceivedByWhoHasIt() {
    try (Job job = open(2)) {
      ClaimedMessage message = ClaimedMessage.create();
      for (MatchingOptions kind : kinds()) {
        Ordered talk = new Ordered(job, kind);
        MatchingEngine engine = talk.engine(1);
        for (int size : Talk.sizes(job.rank(0))) {
          talk.send(0, 1, 4, size, 1);
          talk.send(0, 1, 4, size, 2);
          talk.untilWaiting(1, 2);
          assertThat(engine.claim(0, 4, message)).isTrue();
          assertThat(message.rank()).isZero();
          assertThat(message.tag()).isEqualTo(4);
          assertThat(message.length()).isEqualTo(size);
          OfHandler second = talk.receive(1, 0, 4, size);
          job.until("the second message", second::heard);
          OfHandler first = Witness.handler();
          message.receive(Talk.memory(size), first.completion());
          assertThat(message.isEmpty()).isTrue();
          job.until("the first message", first::heard);
          if (kind.isOrdered()) {
            talk.expect(first, 0, 4, 1);
            talk.expect(second, 0, 4, 2);
          }
          assertThat(engine.claim(0, 4, message)).isFalse();
        }
      }
    }
  }

  @Test
  default void aListIsAsLongAsItsParts() {
    try (Job job = open(2);
        Status status = Status.create()) {
      Ordered talk = new Ordered(job, MatchingOptions.ordered());
      for (int part : new int[] {8, 50_000}) {
        BufferList list = BufferList.of(Talk.filled(part, 1), Talk.filled(part, 2));
        OfHandler sent = Witness.handler();
        Post answer =
            job.insist(
                "a send",
                () ->
                    job.rank(0)
                        .send()
                        .to(1)
                        .buffers(list)
                        .matching(talk.engine(0))
                        .allowDone(false)
                        .post(sent.completion()));
        job.until("the list", () -> talk.engine(1).probe(ANY_SOURCE, ANY_TAG, status));
        assertThat(status.length()).isEqualTo(2L * part);
        OfHandler received = talk.receive(1, 0, 0, 2 * part);
        job.until("the list", received::heard);
        job.await("the send", sent, answer);
      }
    }
  }

  /** One that was sent as a list, or as one buffer. */
  @Test
  default void aMessageThatIsClaimedIsReceivedIntoAList() {
    try (Job job = open(2)) {
      ClaimedMessage message = ClaimedMessage.create();
      for (MatchingOptions kind : kinds()) {
        Ordered talk = new Ordered(job, kind);
        for (int part : new int[] {8, 100, 50_000}) {
          for (boolean listed : new boolean[] {true, false}) {
            MemorySegment whole = Talk.filled(2L * part, 1);
            BufferList list = BufferList.of(whole.asSlice(0, part), whole.asSlice(part));
            OfHandler sent = Witness.handler();
            job.insist(
                "a send",
                () -> {
                  Posting send = job.rank(0).send().to(1).matching(talk.engine(0));
                  return (listed ? send.buffers(list) : send.buffer(whole))
                      .allowDone(false)
                      .post(sent.completion());
                });
            talk.untilWaiting(1, 1);
            assertThat(talk.engine(1).claim(0, 0, message)).isTrue();
            assertThat(message.length()).isEqualTo(2L * part);
            MemorySegment room = Talk.memory(2L * part);
            OfHandler received = Witness.handler();
            message.receive(
                BufferList.of(room.asSlice(0, part), room.asSlice(part)), received.completion());
            assertThat(message.isEmpty()).isTrue();
            job.until("the message", received::heard);
            assertThat(received.told().error()).isNull();
            assertThat(received.told().length()).isEqualTo(2L * part);
            Pattern.check("parts of " + part + " bytes", room, 1);
            job.until("the end of the send", sent::heard);
          }
        }
      }
    }
  }

  @Test
  default void aClaimedMessageMayBeDropped() {
    try (Job job = open(2)) {
      Ordered talk = new Ordered(job, MatchingOptions.ordered());
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment buffer = Talk.filled(size, 1);
        OfHandler sent = Witness.handler();
        Post answer =
            job.insist(
                "a send",
                () ->
                    job.rank(0)
                        .send()
                        .to(1)
                        .buffer(buffer)
                        .matching(talk.engine(0))
                        .post(sent.completion()));
        talk.untilWaiting(1, 1);
        try (ClaimedMessage message = ClaimedMessage.create()) {
          assertThat(talk.engine(1).claim(0, 0, message)).isTrue();
          new Refusal(job)
              .ofState(() -> talk.engine(1).claim(0, 0, message), "already", "receive it");
        }
        job.await("the send", sent, answer);
        if (answer.isPosted()) {
          assertThat(sent.told().kind()).isEqualTo(ErrorKind.CLOSED);
        }
        talk.send(0, 1, 0, size, 2);
        talk.expect(talk.receive(1, 0, 0, size), 0, 0, 2);
      }
    }
  }

  @Test
  default void aReceiveThatIsCancelledTakesNoMessage() {
    try (Job job = open(2)) {
      for (MatchingOptions kind : kinds()) {
        Ordered talk = new Ordered(job, kind);
        List<ReceiveHandle> handles = new ArrayList<>();
        List<OfHandler> receives = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          handles.add(ReceiveHandle.create());
          boolean any = kind.isOrdered() && i % 3 == 0;
          receives.add(talk.receive(1, any ? ANY_SOURCE : 0, 6, 8, handles.get(i)));
        }
        for (int i = 0; i < 20; i += 2) {
          assertThat(handles.get(i).cancel()).isTrue();
          CommunicationException error = Objects.requireNonNull(receives.get(i).told().error());
          assertThat(error.kind()).isEqualTo(ErrorKind.CANCELLED);
          assertThat(error.rank()).isEqualTo(kind.isOrdered() && i % 3 == 0 ? -1 : 0);
          assertThat(handles.get(i).cancel()).as("again").isFalse();
        }
        for (int i = 1; i < 20; i += 2) {
          talk.send(0, 1, 6, 8, i);
        }
        for (int i = 1; i < 20; i += 2) {
          job.until("a message for receive " + i, receives.get(i)::heard);
          if (kind.isOrdered()) {
            talk.expect(receives.get(i), 0, 6, i);
          }
          assertThat(handles.get(i).cancel()).as("after its message").isFalse();
        }
      }
      new Refusal(job)
          .ofArgument(
              () -> job.rank(0).send().to(1).handle(ReceiveHandle.create()).post(Completion.NONE),
              "receives");
    }
  }
}
