package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.lacis.testkit.Refusal.nothing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.LacisException;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.Packet;
import org.lacis.PacketPool;
import org.lacis.PoolOptions;
import org.lacis.Posting;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.Rights;

/** Calls with wrong arguments: each is refused with a message that helps, and does no harm. */
interface RuntimeBadCalls extends RuntimeSuite {

  Completion DONE = Completion.NONE;

  @Test
  default void aRankThatDoesNotExistIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion target = job.rank(1).register(DONE);
      MemorySegment buffer = Talk.memory(8);
      Refusal refusal = new Refusal(job);
      for (int rank : new int[] {-1, 2, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        refusal.ofArgument(() -> lacis.send(rank, buffer, 0, DONE), "rank", "0 to 1", rank);
        refusal.ofArgument(() -> lacis.recv(rank, buffer, 0, DONE), "rank", "0 to 1", rank);
        refusal.ofArgument(() -> lacis.am(rank, buffer, 0, target, DONE), "rank", "0 to 1", rank);
        refusal.ofArgument(() -> lacis.send().to(rank), "rank", "0 to 1", rank);
        refusal.ofArgument(() -> lacis.recv().from(rank), "rank", "0 to 1", rank);
      }
    }
  }

  @Test
  default void aTagOutOfRangeIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(8)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion target = job.rank(1).register(DONE);
      MemorySegment buffer = Talk.memory(8);
      var remote = region.remote();
      Refusal refusal = new Refusal(job);
      for (int tag : new int[] {-1, Lacis.MAX_TAG + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        Object[] words = {"tag", tag, "0 to " + Lacis.MAX_TAG};
        refusal.ofArgument(() -> lacis.send(1, buffer, tag, DONE), words);
        refusal.ofArgument(() -> lacis.recv(1, buffer, tag, DONE), words);
        refusal.ofArgument(() -> lacis.am(1, buffer, tag, target, DONE), words);
        refusal.ofArgument(() -> lacis.put(buffer, remote, 0, tag, target, DONE), words);
        refusal.ofArgument(() -> lacis.get(buffer, remote, 0, tag, target, DONE), words);
        refusal.ofArgument(() -> lacis.send().tag(tag), words);
      }
    }
  }

  @Test
  default void aMissingBufferIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(8)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion target = job.rank(1).register(DONE);
      Refusal refusal = new Refusal(job);
      refusal.ofNull("buffer", () -> lacis.send(1, nothing(), 0, DONE));
      refusal.ofNull("buffer", () -> lacis.recv(1, nothing(), 0, DONE));
      refusal.ofNull("buffer", () -> lacis.am(1, nothing(), 0, target, DONE));
      refusal.ofNull("local", () -> lacis.put(nothing(), region.remote(), 0, DONE));
      refusal.ofNull("local", () -> lacis.get(nothing(), region.remote(), 0, DONE));
      refusal.ofNull("buffer", () -> lacis.send().buffer(nothing()));
      refusal.ofNull("buffer", () -> lacis.send().buffer(nothing(), 0, 0));
      refusal.ofNull("packet", () -> lacis.send().packet(nothing(), 0));
    }
  }

  @Test
  default void aMissingCompletionIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(8)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion target = job.rank(1).register(DONE);
      MemorySegment buffer = Talk.memory(8);
      Refusal refusal = new Refusal(job);
      refusal.ofNull("done", () -> lacis.send(1, buffer, 0, nothing()));
      refusal.ofNull("done", () -> lacis.recv(1, buffer, 0, nothing()));
      refusal.ofNull("done", () -> lacis.am(1, buffer, 0, target, nothing()));
      refusal.ofNull("done", () -> lacis.put(buffer, region.remote(), 0, nothing()));
      refusal.ofNull("done", () -> lacis.get(buffer, region.remote(), 0, nothing()));
      refusal.ofNull("done", () -> lacis.send().to(1).buffer(buffer).post(nothing()));
      refusal.ofNull("target", () -> lacis.am(1, buffer, 0, nothing(), DONE));
      refusal.ofNull("target", () -> lacis.am().target(nothing()));
      refusal.ofNull("completion", () -> lacis.register((Completion) nothing()));
    }
  }

  @Test
  default void anythingElseThatIsMissingIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Posting posting = lacis.send();
      Refusal refusal = new Refusal(job);
      refusal.ofNull("direction", () -> posting.direction(nothing()));
      refusal.ofNull("region", () -> posting.remote(nothing(), 0));
      refusal.ofNull("device", () -> posting.on(nothing()));
      refusal.ofNull("policy", () -> posting.matching((MatchingPolicy) nothing()));
      refusal.ofNull("matching", () -> posting.matching((MatchingEngine) nothing()));
      MatchingEngine engine = lacis.matchingEngine();
      MemorySegment buffer = Talk.memory(8);
      MatchingPolicy policy = MatchingPolicy.RANK_TAG;
      assertThatNullPointerException()
          .isThrownBy(() -> engine.probe(0, 0, nothing()))
          .withMessage("status");
      assertThatNullPointerException()
          .isThrownBy(() -> engine.claim(0, 0, nothing()))
          .withMessage("message");
      refusal.ofNull("policy", () -> lacis.send(1, buffer, 0, engine, nothing(), DONE));
      refusal.ofNull("policy", () -> lacis.recv(1, buffer, 0, engine, nothing(), DONE));
      refusal.ofNull("matching", () -> lacis.send(1, buffer, 0, nothing(), policy, DONE));
      refusal.ofNull("matching", () -> lacis.recv(1, buffer, 0, nothing(), policy, DONE));
      refusal.ofNull("done", () -> lacis.send(1, buffer, 0, engine, policy, nothing()));
      refusal.ofNull("done", () -> lacis.recv(1, buffer, 0, engine, policy, nothing()));
      refusal.ofNull("pool", () -> posting.pool(nothing()));
      refusal.ofNull("remote", () -> lacis.put(Talk.memory(8), nothing(), 0, DONE));
      refusal.ofNull("rights", () -> lacis.register(Talk.memory(8), nothing()));
    }
  }

  @Test
  default void aBufferOfAClosedArenaIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(8)) {
      Arena arena = Arena.ofConfined();
      MemorySegment buffer = arena.allocate(8);
      arena.close();
      Lacis lacis = job.rank(0);
      RemoteCompletion target = job.rank(1).register(DONE);
      Refusal refusal = new Refusal(job);
      refusal.ofState(() -> lacis.send(1, buffer, 0, DONE), "buffer", "closed");
      refusal.ofState(() -> lacis.recv(1, buffer, 0, DONE), "buffer", "closed");
      refusal.ofState(() -> lacis.am(1, buffer, 0, target, DONE), "buffer", "closed");
      refusal.ofState(() -> lacis.put(buffer, region.remote(), 0, DONE), "buffer", "closed");
      refusal.ofState(() -> lacis.get(buffer, region.remote(), 0, DONE), "buffer", "closed");
      refusal.ofState(() -> lacis.register(buffer, Rights.READ), "buffer", "closed");
    }
  }

  @Test
  default void writingToReadOnlyMemoryIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(8)) {
      MemorySegment buffer = Talk.memory(8).asReadOnly();
      Lacis lacis = job.rank(0);
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(() -> lacis.recv(1, buffer, 0, DONE), "buffer", "read-only");
      refusal.ofArgument(() -> lacis.get(buffer, region.remote(), 0, DONE), "buffer", "read-only");
      refusal.ofArgument(
          () -> lacis.register(buffer, Rights.READ_WRITE), "segment", "read-only", "READ_WRITE");
      lacis.register(buffer, Rights.READ).close();
      MemorySegment message = Talk.filled(8, 1).asReadOnly();
      job.insist("a send from read-only memory", () -> lacis.send(1, message, 0, DONE));
      Talk.receive(job, 1, 0, 0, 8, 1);
    }
  }

  @Test
  default void aPartThatIsNotInTheBufferIsRefused() {
    try (Job job = open(2)) {
      MemorySegment buffer = Talk.memory(100);
      Refusal refusal = new Refusal(job);
      long[][] parts = {
        {-1, 8},
        {0, -1},
        {0, 101},
        {100, 1},
        {93, 8},
        {Long.MAX_VALUE, 8},
        {8, Long.MAX_VALUE},
        {Long.MIN_VALUE, Long.MIN_VALUE}
      };
      for (long[] part : parts) {
        Object[] words = {part[0], part[1], "100"};
        refusal.ofRange(
            () -> job.rank(0).send().to(1).buffer(buffer, part[0], part[1]).post(DONE), words);
        refusal.ofRange(
            () -> job.rank(0).recv().from(1).buffer(buffer, part[0], part[1]).post(DONE), words);
      }
    }
  }

  @Test
  default void aPacketIsSentOrGivenUpOnce() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Refusal refusal = new Refusal(job);
      Packet closed = packet(lacis.packetPool());
      closed.close();
      refusal.ofState(closed::close, "packet", "sent or closed");
      refusal.ofState(closed::segment, "packet", "sent or closed");
      refusal.ofState(
          () -> lacis.send().to(1).packet(closed, 8).post(DONE), "packet", "sent or closed");
      Packet sent = packet(lacis.packetPool());
      Pattern.fill(sent.segment(), 0, 8, 1);
      job.insist("a packet", () -> lacis.send().to(1).packet(sent, 8).post(DONE));
      refusal.ofState(
          () -> lacis.send().to(1).packet(sent, 8).post(DONE), "packet", "sent or closed");
      refusal.ofState(sent::close, "packet", "sent or closed");
      Talk.receive(job, 1, 0, 0, 8, 1);
    }
  }

  private static Packet packet(PacketPool pool) {
    return Objects.requireNonNull(pool.get());
  }

  @Test
  default void moreThanAPacketHoldsIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      int most = lacis.packetPool().options().packetBytes();
      Packet packet = packet(lacis.packetPool());
      Refusal refusal = new Refusal(job);
      for (int length : new int[] {-1, most + 1, Integer.MAX_VALUE}) {
        refusal.ofRange(
            () -> lacis.send().to(1).packet(packet, length).post(DONE), "length", most, length);
      }
      packet.close();
    }
  }

  @Test
  default void whatBelongsToAnotherRuntimeIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Lacis other = job.rank(1);
      MemorySegment buffer = Talk.memory(8);
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(() -> lacis.send().on(other.device()), "device", "another runtime");
      refusal.ofArgument(
          () -> lacis.send().matching(other.matchingEngine()), "matching", "another runtime");
      MatchingEngine engine = other.matchingEngine();
      MatchingPolicy policy = MatchingPolicy.RANK_TAG;
      refusal.ofArgument(
          () -> lacis.send(1, buffer, 0, engine, policy, DONE), "matching", "another runtime");
      refusal.ofArgument(
          () -> lacis.recv(1, buffer, 0, engine, policy, DONE), "matching", "another runtime");
      refusal.ofArgument(() -> lacis.send().pool(other.packetPool()), "pool", "another runtime");
      Packet packet = packet(other.packetPool());
      refusal.ofArgument(
          () -> lacis.send().to(1).packet(packet, 8).post(DONE), "packet", "another runtime");
      packet.close();
      Talk.send(job, 1, 0, 0, 8, 1);
      job.insist("a receive", () -> lacis.recv(1, buffer, 0, DONE));
      job.checkIdle();
    }
  }

  @Test
  default void aCustomKeyWithoutAFunctionIsRefused() {
    try (Job job = open(2)) {
      MemorySegment buffer = Talk.memory(8);
      Refusal refusal = new Refusal(job);
      for (int i = 0; i < 10; i++) {
        refusal.ofArgument(
            () ->
                job.rank(0)
                    .recv()
                    .from(1)
                    .buffer(buffer)
                    .matching(MatchingPolicy.CUSTOM)
                    .post(DONE),
            "CUSTOM",
            "withKey");
        refusal.ofArgument(
            () ->
                job.rank(0).send().to(1).buffer(buffer).matching(MatchingPolicy.CUSTOM).post(DONE),
            "CUSTOM",
            "withKey");
        MatchingEngine engine = job.rank(0).matchingEngine();
        refusal.ofArgument(
            () -> job.rank(0).recv(1, buffer, 0, engine, MatchingPolicy.CUSTOM, DONE),
            "CUSTOM",
            "withKey");
        refusal.ofArgument(
            () -> job.rank(0).send(1, buffer, 0, engine, MatchingPolicy.CUSTOM, DONE),
            "CUSTOM",
            "withKey");
      }
    }
  }

  @Test
  default void sizesOutOfRangeAreRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Refusal refusal = new Refusal(job);
      for (int capacity : new int[] {Integer.MIN_VALUE, -2, 0, 1, 3, 1000, 1 << 30}) {
        refusal.ofArgument(
            () -> lacis.newCompletionQueue(capacity), "capacity", "power of two from 2", capacity);
      }
      for (int threshold : new int[] {Integer.MIN_VALUE, -1, 0}) {
        refusal.ofArgument(
            () -> lacis.newSynchronizer(threshold), "threshold", "at least 1", threshold);
      }
      for (long bytes : new long[] {Long.MIN_VALUE, -1, 0}) {
        refusal.ofArgument(() -> lacis.allocate(bytes), "bytes", "at least 1", bytes);
      }
    }
  }

  @Test
  default void moreMemoryThanThereIsIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Refusal refusal = new Refusal(job);
      for (long bytes : new long[] {1L << 30, 1L << 45, Long.MAX_VALUE}) {
        refusal.of(
            LacisException.class,
            () -> lacis.allocate(bytes),
            bytes,
            "sharedBytes",
            Job.OPTIONS.sharedBytes());
      }
      refusal.of(
          LacisException.class,
          () -> lacis.newPacketPool(new PoolOptions(1 << 20, 1 << 24)),
          1 << 20,
          1 << 24,
          "sharedBytes",
          Job.OPTIONS.sharedBytes());
      lacis.allocate(1000).close();
    }
  }

  @Test
  default void aRegistrationThatIsNoneCannotBeEnded() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion known = lacis.register(DONE);
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(() -> lacis.deregister(new RemoteCompletion(1)), "1");
      lacis.deregister(known);
      lacis.deregister(known);
    }
  }

  @Test
  default void defaultResourcesAreClosedWithTheirRuntimeOnly() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Refusal refusal = new Refusal(job);
      refusal.ofState(() -> lacis.device().close(), "default device", "runtime");
      refusal.ofState(() -> lacis.packetPool().close(), "default packet pool", "runtime");
      refusal.ofState(() -> lacis.matchingEngine().close(), "default matching engine", "runtime");
      lacis.newMatchingEngine(MatchingOptions.defaults()).close();
    }
  }
}
