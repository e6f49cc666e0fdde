package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.AtomicOp;
import org.lacis.Completion;
import org.lacis.Counters;
import org.lacis.Counters.Posts;
import org.lacis.Counters.Traffic;
import org.lacis.Device;
import org.lacis.Info;
import org.lacis.Lacis;
import org.lacis.MatchingOptions;
import org.lacis.PoolOptions;
import org.lacis.Post;
import org.lacis.QueueOptions;
import org.lacis.Region;
import org.lacis.Rights;

/** What devices count, and what objects say about themselves. */
interface RuntimeCounters extends RuntimeSuite {

  @Test
  default void messagesAreCountedByTheirProtocol() {
    try (Job job = open(2, Job.OPTIONS.withCounters(true))) {
      int inject = job.rank(0).injectLimit();
      int eager = job.rank(0).eagerLimit();
      for (int size : List.of(inject, eager, eager, eager + 1)) {
        Witness sent = Talk.send(job, 0, 1, 5, size, 1);
        Talk.receive(job, 1, 0, 5, size, 1);
        job.until("the end of a send", sent::heard);
      }
      Counters here = job.rank(0).device().counters();
      assertThat(here.injected()).isEqualTo(new Traffic(1, inject));
      assertThat(here.copied()).isEqualTo(new Traffic(2, 2L * eager));
      assertThat(here.zeroCopied()).isEqualTo(new Traffic(1, eager + 1));
      assertThat(here.posts()).isEqualTo(new Posts(4, 0, 0, 0, 0, 0));
      assertThat(here.completed()).isEqualTo(4);
      Counters there = job.rank(1).device().counters();
      assertThat(there.receivedInline()).isEqualTo(new Traffic(1, inject));
      assertThat(there.receivedInPackets()).isEqualTo(new Traffic(2, 2L * eager));
      assertThat(there.fetched()).isEqualTo(new Traffic(1, eager + 1));
      assertThat(there.posts()).isEqualTo(new Posts(0, 4, 0, 0, 0, 0));
      assertThat(there.completed()).isEqualTo(4);
      assertThat(there.failed()).isZero();
    }
  }

  @Test
  default void transfersAndActiveMessagesAreCounted() {
    try (Job job = open(2, Job.OPTIONS.withCounters(true));
        Region region = job.rank(1).allocate(100)) {
      Device device = job.rank(0).device();
      MemorySegment local = Talk.memory(100);
      for (int i = 0; i < 2; i++) {
        Witness put = Witness.handler();
        Post answer =
            job.insist("a put", () -> device.put(local, region.remote(), 0, put.completion()));
        job.await("a put", put, answer);
      }
      Witness got = Witness.handler();
      Post answer =
          job.insist("a get", () -> device.get(local, region.remote(), 0, got.completion()));
      job.await("a get", got, answer);
      Witness arrived = Witness.handler();
      var target = job.rank(1).register(arrived.completion());
      job.insist("an am", () -> device.am(1, Talk.memory(8), 0, target, Completion.NONE));
      job.until("an active message", arrived::heard);
      Witness added = Witness.handler();
      answer =
          job.insist(
              "an atomic",
              () -> device.atomic(AtomicOp.ADD, 1, region.remote(), 0, added.completion()));
      job.await("an atomic", added, answer);
      assertThat(device.counters().atomics()).isEqualTo(1);
      assertThat(device.counters().put()).isEqualTo(new Traffic(2, 200));
      assertThat(device.counters().got()).isEqualTo(new Traffic(1, 100));
      assertThat(device.counters().posts()).isEqualTo(new Posts(0, 0, 1, 2, 1, 1));
    }
  }

  @Test
  default void withoutTheOptionWhatIsDearIsNotCounted() {
    try (Job job = open(2)) {
      Talk.check(job, 0, 1);
      Counters counters = job.rank(0).device().counters();
      assertThat(counters.everything()).isFalse();
      assertThat(counters.asMap())
          .containsEntry("posts", "not counted")
          .containsEntry("completed", "not counted")
          .containsEntry("injected", "not counted");
      assertThat(job.rank(0).dump()).contains("counters: copied 1").doesNotContain("not counted");
      assertThat(counters.posts()).isEqualTo(new Posts(0, 0, 0, 0, 0, 0));
      assertThat(counters.completed()).isZero();
      assertThat(counters.injected()).isEqualTo(new Traffic(0, 0));
      assertThat(counters.copied().messages()).isEqualTo(1);
      assertThat(counters.zeroCopied().messages()).isEqualTo(1);
      assertThat(counters.polls()).isPositive().isGreaterThanOrEqualTo(counters.emptyPolls());
    }
  }

  @Test
  default void messagesThatWaitAreCounted() {
    try (Job job = open(2)) {
      Talk.send(job, 0, 1, 5, 8, 1);
      job.until("a message", () -> job.rank(1).matchingEngine().waitingMessages() == 1);
      assertThat(job.rank(1).device().counters().unexpected()).isEqualTo(1);
      Talk.receive(job, 1, 0, 5, 8, 1);
      job.rank(0).register(Completion.NONE);
      var early = job.rank(0).register(Completion.NONE);
      Witness there = Witness.handler();
      job.insist("an am", () -> job.rank(0).am(1, Talk.memory(8), 0, early, Completion.NONE));
      job.until("an early message", () -> job.rank(1).device().counters().early() == 1);
      job.rank(1).register(Completion.NONE);
      job.rank(1).register(there.completion());
      job.until("the early message", there::heard);
    }
  }

  @Test
  default void retriesAndTheBacklogAreCounted() {
    try (Job job = open(2)) {
      Lacis here = job.rank(0);
      var target = here.register(Completion.NONE);
      job.rank(1).register(Completion.NONE);
      MemorySegment message = Talk.memory(8);
      List<Post> answers = Talk.flood(() -> here.am(1, message, 0, target, Completion.NONE));
      long refusals = answers.stream().filter(Post::isRetry).count();
      assertThat(here.device().counters().retries().values().stream().mapToLong(n -> n).sum())
          .isEqualTo(refusals);
      assertThat(
              here.am()
                  .to(1)
                  .buffer(message)
                  .target(target)
                  .allowRetry(false)
                  .post(Completion.NONE))
          .isEqualTo(Post.POSTED);
      assertThat(here.device().counters().backlogged()).isEqualTo(1);
      assertThat(here.device().counters().asMap().keySet())
          .anyMatch(name -> name.startsWith("retry "));
    }
  }

  @Test
  default void everyObjectSaysItsName() {
    try (Job job = open(1)) {
      Lacis lacis = job.rank(0);
      check(lacis.info(), "runtime", "rank 0 of 1", "network", lacis.network());
      check(lacis.device().info(), "device", "default", "index", 0);
      check(lacis.newDevice("mine").info(), "device", "mine", "index", 1);
      check(lacis.newDevice().info(), "device", "#2", "pending", 0L);
      check(lacis.packetPool().info(), "packet pool", "default", "packets", 256);
      PoolOptions pool = PoolOptions.defaults().withPackets(16);
      check(lacis.newPacketPool("mine", pool).info(), "packet pool", "mine", "available", 16);
      check(lacis.newPacketPool(pool).info(), "packet pool", "#0", "closed", false);
      MatchingOptions matching = MatchingOptions.defaults().withBuckets(16);
      check(lacis.matchingEngine().info(), "matching engine", "default", "buckets", 1024);
      check(
          lacis.newMatchingEngine("mine", matching).info(),
          "matching engine",
          "mine",
          "buckets",
          16);
      MatchingOptions ordered = MatchingOptions.ordered().bins(32).maxReceives(100);
      Info tables = lacis.newMatchingEngine("tables", ordered).info();
      check(tables, "matching engine", "tables", "bins", 32);
      check(tables, "matching engine", "tables", "max receives", 100);
      check(tables, "matching engine", "tables", "threads", 0);
      check(
          lacis.newMatchingEngine(matching).info(),
          "matching engine",
          "#3",
          "waiting receives",
          0L);
      check(lacis.newCompletionQueue().info(), "completion queue", "#0", "capacity", 256);
      check(
          lacis.newCompletionQueue("mine", QueueOptions.growing(4)).info(),
          "completion queue",
          "mine",
          "length",
          0);
      check(lacis.newSynchronizer().info(), "synchronizer", "#0", "threshold", 1);
      check(lacis.newSynchronizer("mine", 3).info(), "synchronizer", "mine", "arrived", 0);
      check(lacis.newCounter().info(), "counter", "#0", "count", 0L);
      check(lacis.newCounter("mine").info(), "counter", "mine", "failures", 0L);
      check(lacis.newGraph("mine").info(), "graph", "mine", "nodes", 0);
      try (Region region = lacis.register(MemorySegment.ofArray(new byte[8]), Rights.READ)) {
        check(region.info(), "region", "#0", "bytes", 8L);
      }
      MemorySegment words = MemorySegment.ofArray(new byte[8]);
      try (Region region = lacis.register("words", words, Rights.READ_WRITE);
          Region part = region.slice(2, 4, Rights.READ)) {
        check(region.info(), "region", "words", "slices", 1);
        check(part.info(), "region", "words[2..6]", "rights", Rights.READ);
      }
      try (Region region = lacis.allocate("mine", 100, 1)) {
        check(region.info(), "region", "mine", "memory", "the runtime's");
        assertThat(region).hasToString("Region[mine, 100 bytes]");
      }
    }
  }

  private static void check(Info info, String kind, String name, String what, Object value) {
    assertThat(info.kind()).isEqualTo(kind);
    assertThat(info.name()).isEqualTo(name);
    assertThat(info.value(what)).isEqualTo(value);
    assertThat(info.toString()).startsWith(kind + " " + name + "\n").contains("  " + what + " ");
    assertThatThrownBy(() -> info.value("colour"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("colour");
  }
}
