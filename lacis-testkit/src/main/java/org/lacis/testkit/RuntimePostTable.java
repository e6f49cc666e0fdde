package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Direction;
import org.lacis.Lacis;
import org.lacis.MatchingPolicy;
import org.lacis.Packet;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.testkit.Witness.OfHandler;

/**
 * Table 1 of the LCI paper: what an operation is follows from its direction, remote buffer and
 * remote completion.
 */
interface RuntimePostTable extends RuntimeSuite {

  /** Posts at rank 0 and waits for its end. */
  private static Outcome finish(Job job, UnaryOperator<Posting> parts) {
    OfHandler done = Witness.handler();
    job.finish(
        "a post",
        done,
        () -> parts.apply(job.rank(0).post()).allowDone(false).post(done.completion()));
    return done.told();
  }

  @Test
  default void outWithNeitherIsASend() {
    try (Job job = open(2)) {
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment buffer = Talk.memory(size);
        OfHandler received = Witness.handler();
        job.insist("a receive", () -> job.rank(1).recv(0, buffer, 4, received.completion()));
        MemorySegment message = Talk.filled(size, 1);
        finish(job, p -> p.direction(Direction.OUT).to(1).tag(4).buffer(message));
        job.until("the message", received::heard);
        Pattern.check("it", buffer, 1);
      }
    }
  }

  @Test
  default void outWithARemoteCompletionIsAnActiveMessage() {
    try (Job job = open(2)) {
      OfHandler target = Witness.handler();
      RemoteCompletion name = job.rank(1).register(target.completion());
      for (int size : Talk.sizes(job.rank(0))) {
        target.all().clear();
        MemorySegment message = Talk.filled(size, 2);
        finish(job, p -> p.target(name).direction(Direction.OUT).to(1).tag(4).buffer(message));
        job.until("the message", target::heard);
        assertThat(target.told().tag()).isEqualTo(4);
        Pattern.check("it", target.told().payload(), 2);
      }
    }
  }

  @Test
  default void outWithARemoteBufferIsAPut() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      MemorySegment local = Talk.filled(30, 3);
      finish(job, p -> p.buffer(local).direction(Direction.OUT).remote(region.remote(), 7));
      job.until("the data", () -> Pattern.mismatch(region.segment(), 7, 30, 3) < 0);
    }
  }

  @Test
  default void outWithBothIsAPutWithSignal() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      OfHandler target = Witness.handler();
      RemoteCompletion name = job.rank(1).register(target.completion());
      MemorySegment local = Talk.filled(30, 4);
      finish(
          job,
          p -> {
            p.direction(Direction.OUT).remote(region.remote(), 0).target(name);
            return p.buffer(local).tag(9);
          });
      job.until("the signal", target::heard);
      Pattern.check("the data", region.segment(), 0, 30, 4);
      assertThat(target.told().tag()).isEqualTo(9);
      assertThat(target.told().length()).isEqualTo(30);
    }
  }

  @Test
  default void inWithNeitherIsAReceive() {
    try (Job job = open(2)) {
      for (int size : Talk.sizes(job.rank(0))) {
        Witness sent = Talk.send(job, 1, 0, 6, size, 5);
        MemorySegment buffer = Talk.memory(size);
        Outcome received =
            finish(job, p -> p.from(1).direction(Direction.IN).buffer(buffer).tag(6));
        assertThat(received.rank()).isEqualTo(1);
        assertThat(received.length()).isEqualTo(size);
        Pattern.check("it", buffer, 5);
        job.until("the end of the send", sent::heard);
      }
    }
  }

  @Test
  default void inWithARemoteCompletionOnlyIsInvalid() {
    try (Job job = open(2)) {
      RemoteCompletion name = job.rank(1).register(Completion.NONE);
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(
          () ->
              job.rank(0)
                  .post()
                  .direction(Direction.IN)
                  .from(1)
                  .buffer(Talk.memory(8))
                  .target(name)
                  .post(Completion.NONE),
          "receive",
          "remote completion");
    }
  }

  @Test
  default void inWithARemoteBufferIsAGet() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      Pattern.fill(region.segment(), 60, 40, 6);
      MemorySegment local = Talk.memory(40);
      finish(job, p -> p.remote(region.remote(), 60).direction(Direction.IN).buffer(local));
      Pattern.check("the data", local, 6);
    }
  }

  @Test
  default void inWithBothIsAGetWithSignal() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      OfHandler target = Witness.handler();
      RemoteCompletion name = job.rank(1).register(target.completion());
      Pattern.fill(region.segment(), 7);
      MemorySegment local = Talk.memory(100);
      finish(
          job,
          p -> {
            p.direction(Direction.IN).remote(region.remote(), 0).target(name);
            return p.buffer(local).tag(8);
          });
      Pattern.check("the data", local, 7);
      job.until("the signal", target::heard);
      assertThat(target.told().tag()).isEqualTo(8);
      assertThat(target.told().length()).isEqualTo(100);
    }
  }

  @Test
  default void namedFormsRefuseWhatDoesNotFit() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion name = job.rank(1).register(Completion.NONE);
      MemorySegment buffer = Talk.memory(8);
      Refusal refusal = new Refusal(job);
      for (Posting p :
          List.of(
              lacis.send().to(1).buffer(buffer).target(name),
              lacis.send().to(1).buffer(buffer).remote(region.remote(), 0),
              lacis.send().to(1).buffer(buffer).direction(Direction.IN))) {
        refusal.ofArgument(() -> p.post(Completion.NONE), "send", "remote buffer", "target");
      }
      for (Posting p :
          List.of(
              lacis.recv().from(1).buffer(buffer).remote(region.remote(), 0),
              lacis.recv().from(1).buffer(buffer).target(name),
              lacis.recv().from(1).buffer(buffer).direction(Direction.OUT))) {
        refusal.ofArgument(() -> p.post(Completion.NONE), "recv", "a receive");
      }
      for (Posting p :
          List.of(
              lacis.am().to(1).buffer(buffer),
              lacis.am().to(1).buffer(buffer).target(name).remote(region.remote(), 0))) {
        refusal.ofArgument(() -> p.post(Completion.NONE), "am", "target", "remote buffer");
      }
      refusal.ofArgument(
          () -> lacis.put().to(1).buffer(buffer).post(Completion.NONE), "put", "remote buffer");
      refusal.ofArgument(
          () -> lacis.get().from(1).buffer(buffer).post(Completion.NONE), "get", "remote buffer");
    }
  }

  @Test
  default void aPostWithoutWhatItNeedsIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      Lacis lacis = job.rank(0);
      MemorySegment buffer = Talk.memory(8);
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(
          () -> lacis.post().to(1).buffer(buffer).post(Completion.NONE), "direction");
      refusal.ofArgument(() -> lacis.send().buffer(buffer).post(Completion.NONE), "send", "rank");
      refusal.ofArgument(
          () -> lacis.recv().buffer(buffer).post(Completion.NONE),
          "recv",
          "from",
          "ANY_SOURCE",
          "TAG_ONLY");
      refusal.ofArgument(() -> lacis.send().to(Lacis.ANY_SOURCE), -2, "for receives");
      refusal.ofArgument(
          () -> lacis.recv().from(1).post(Completion.NONE), "recv", "buffer", "NULL", "anyLength");
      refusal.ofArgument(
          () -> lacis.get().remote(region.remote(), 0).post(Completion.NONE), "get", "buffer");
      refusal.ofArgument(
          () -> lacis.put().remote(region.remote(), 0).post(Completion.NONE), "put", "buffer");
    }
  }

  @Test
  default void partsThatContradictEachOtherAreRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion name = job.rank(1).register(Completion.NONE);
      MemorySegment buffer = Talk.memory(8);
      Packet packet = Objects.requireNonNull(lacis.packetPool().get());
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(
          () -> lacis.send().to(1).buffer(buffer).packet(packet, 8).post(Completion.NONE),
          "buffer or a packet");
      refusal.ofArgument(
          () -> lacis.recv().from(1).packet(packet, 8).post(Completion.NONE), "receive", "packet");
      refusal.ofArgument(
          () -> lacis.put().remote(region.remote(), 0).packet(packet, 8).post(Completion.NONE),
          "put",
          "packet");
      refusal.ofArgument(
          () -> lacis.put().remote(region.remote(), 0).to(0).buffer(buffer).post(Completion.NONE),
          "remote region",
          "rank");
      refusal.ofArgument(
          () ->
              lacis
                  .am()
                  .to(1)
                  .target(name)
                  .buffer(buffer)
                  .matching(MatchingPolicy.RANK_ONLY)
                  .post(Completion.NONE),
          "matching",
          "sends and receives");
      packet.close();
    }
  }

  @Test
  default void aPostingIsForOnePost() {
    try (Job job = open(2)) {
      Posting posting = job.rank(0).send().to(1).buffer(Talk.filled(8, 8)).tag(3);
      Post answer = posting.post(Completion.NONE);
      Refusal refusal = new Refusal(job);
      refusal.ofState(() -> posting.post(Completion.NONE), "posted already");
      if (answer.isDone()) {
        Talk.receive(job, 1, 0, 3, 8, 8);
      }
    }
  }
}
