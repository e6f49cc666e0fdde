package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Graph;
import org.lacis.Lacis;
import org.lacis.MatchingOptions;
import org.lacis.Post;
import org.lacis.RemoteRegion;
import org.lacis.collective.Algorithm;
import org.lacis.collective.Blocks;
import org.lacis.collective.Collective;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Collectives;
import org.lacis.collective.Group;
import org.lacis.collective.Reduction;

/** How collectives are called: blocking or not, with what completion, with what mistakes. */
interface CollectiveCalls extends RuntimeSuite {

  private static MemorySegment longs(long... values) {
    return MemorySegment.ofArray(values);
  }

  @Test
  default void blockingCallsWait() {
    try (Job job = open(3)) {
      job.together("blocking collectives", CollectiveCalls::callAll);
    }
  }

  private static boolean callAll(Lacis lacis) {
    int me = lacis.rank();
    try (var collectives = Collectives.of(lacis)) {
      for (int round = 0; round < 100; round++) {
        MemorySegment buffer = longs(me == 1 ? round : -1);
        collectives.broadcast(buffer, 1);
        assertThat(buffer.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(round);
        buffer.set(ValueLayout.JAVA_LONG, 0, me + 1);
        collectives.allreduce(buffer, Reduction.PRODUCT_LONG);
        assertThat(buffer.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(6);
        buffer.set(ValueLayout.JAVA_LONG, 0, me);
        MemorySegment result = longs(-1);
        collectives.reduce(buffer, result, Reduction.SUM_LONG, 2);
        assertThat(result.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(me == 2 ? 3 : -1);
        callBlocks(collectives, me);
        collectives.barrier();
      }
      return true;
    }
  }

  /** Every member has its number, three times. */
  private static void callBlocks(Collectives collectives, int me) {
    var mine = longs(me, me, me);
    var one = longs(me);
    var all = longs(0, 0, 0);
    collectives.alltoall(mine, all);
    check(all, 0, 1, 2);
    collectives.alltoall(mine, Blocks.equal(3, 8), all, Blocks.equal(3, 8));
    check(all, 0, 1, 2);
    collectives.allgather(one, all);
    check(all, 0, 1, 2);
    collectives.allgather(one, all, Blocks.of(8, 8, 8));
    check(all, 0, 1, 2);
    collectives.gather(one, all, 1);
    collectives.gather(one, all, Blocks.of(new long[] {8, 8, 8}, new long[] {16, 8, 0}), 2);
    check(all, me == 2 ? 2 : 0, 1, me == 2 ? 0 : 2);
    collectives.scatter(all, one, 2);
    check(one, 2 - me);
    collectives.scatter(all, Blocks.equal(3, 8), one, 2);
    check(one, 2 - me);
    collectives.reduceScatter(mine, one, Reduction.SUM_LONG);
    check(one, 3);
    collectives.reduceScatter(mine, Blocks.equal(3, 8), one, Reduction.MAX_LONG);
    check(one, 2);
    collectives.scan(mine, mine, Reduction.SUM_LONG);
    check(mine, me * (me + 1) / 2, me * (me + 1) / 2, me * (me + 1) / 2);
    one.set(ValueLayout.JAVA_LONG, 0, 7);
    collectives.exclusiveScan(one, one, Reduction.SUM_LONG);
    check(one, me == 0 ? 7 : 7 * me);
  }

  private static void check(MemorySegment buffer, long... expected) {
    assertThat(buffer.toArray(ValueLayout.JAVA_LONG)).isEqualTo(expected);
  }

  @Test
  default void anObjectIsTestedAwaitedOrSignals() {
    try (Job job = open(2);
        Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults())) {
      List<Collective<Algorithm.Barrier>> barrier =
          List.of(ensemble.member(0).newBarrier(), ensemble.member(1).newBarrier());
      assertThat(barrier.get(0).algorithm()).isEqualTo(Algorithm.Barrier.DISSEMINATION);
      assertThat(barrier.get(0).test()).isFalse();
      AtomicInteger ends = new AtomicInteger();
      Completion count = status -> ends.incrementAndGet();
      assertThat(barrier.get(0).start(count)).isEqualTo(Post.POSTED);
      assertThat(barrier.get(0).await(Duration.ofMillis(1))).isFalse();
      assertThatThrownBy(() -> barrier.get(0).start())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("running");
      assertThat(ends).hasValue(0);
      barrier.get(1).start(count);
      ensemble.await(barrier);
      job.until("both signals", () -> ends.get() == 2);
      barrier.get(0).await();
    }
  }

  @Test
  default void aCollectiveCanBeANodeOfAGraph() {
    try (Job job = open(2);
        Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults())) {
      long[][] values = {{1}, {2}};
      List<Graph> graphs = new ArrayList<>();
      for (int member = 0; member < 2; member++) {
        long[] value = values[member];
        MemorySegment buffer = longs(value);
        Graph graph = job.rank(member).newGraph("twice");
        var sum =
            graph.post(
                "sum", ensemble.member(member).newAllreduce(buffer, buffer, Reduction.SUM_LONG));
        graph.call("double", () -> value[0] *= 2).after(sum);
        graphs.add(graph);
      }
      graphs.forEach(Graph::start);
      job.until("the graphs", () -> graphs.stream().allMatch(Graph::test));
      assertThat(values).isDeepEqualTo(new long[][] {{6}, {6}});
    }
  }

  @Test
  default void collectivesRunOnTheDeviceAndEngineThatIsNamed() {
    try (Job job = open(3)) {
      var devices = job.newDevices();
      var engines = job.newMatchingEngines(MatchingOptions.defaults());
      job.together(
          "collectives on a device",
          lacis -> {
            int me = lacis.rank();
            var options =
                CollectiveOptions.defaults()
                    .withDevice(devices.get(me))
                    .withMatching(engines.get(me));
            try (var collectives = Collectives.of(lacis, Group.all(lacis), options)) {
              MemorySegment buffer = longs(me);
              collectives.allreduce(buffer, Reduction.MAX_LONG);
              collectives.barrier();
              return buffer.get(ValueLayout.JAVA_LONG, 0);
            }
          });
    }
  }

  @Test
  default void mistakesAreToldAtTheCall() {
    try (Job job = open(3)) {
      Lacis lacis = job.rank(0);
      try (Ensemble two = Ensemble.of(job, Group.of(2, 0), CollectiveOptions.defaults());
          Ensemble apart = Ensemble.of(job, Group.of(1, 2), CollectiveOptions.defaults())) {
        Collectives c = two.member(1);
        refused("root must be a member of the group, 0 to 1, but is 2")
            .by(() -> c.newBroadcast(longs(1), 2));
        refused("out has 16 bytes, but must have as many as in: 8")
            .by(() -> c.newAllreduce(longs(1), longs(1, 2), Reduction.SUM_LONG));
        refused("in has 7 bytes, but must be whole elements of 8 for sum of long")
            .by(() -> c.reduce(Talk.memory(7), Talk.memory(7), Reduction.SUM_LONG, 0));
        refused("out is read-only")
            .by(() -> c.newAllreduce(longs(1), longs(1).asReadOnly(), Reduction.SUM_LONG));
        MemorySegment both = longs(1, 2, 3);
        refused("in and out overlap")
            .by(() -> c.newAllreduce(both.asSlice(0, 16), both.asSlice(8, 16), Reduction.SUM_LONG));
        refused("out has 8 bytes, but must have 8 for each of 2 members")
            .by(() -> c.newAllgather(longs(1), longs(1)));
        refused("there are 3 blocks for 2 members")
            .by(() -> c.newGather(longs(1), longs(1), Blocks.equal(3, 8), 1));
        refused("out has 8 bytes, but the blocks end at 16")
            .by(() -> c.newGather(longs(1), longs(1), Blocks.equal(2, 8), 1));
        refused("in has 8 bytes, but the block of member 1 has 16")
            .by(() -> c.newGather(longs(1), longs(1), Blocks.of(8, 16), 0));
        refused("in has 7 bytes, which is no multiple of 2 members")
            .by(() -> c.newAlltoall(Talk.memory(7), Talk.memory(7)));
        refused("block 0 has length 1 and offset -1")
            .by(() -> Blocks.of(new long[] {1}, new long[] {-1}));
        refused("count must not be negative, but is -1").by(() -> Blocks.equal(-1, 8));
        refused("block 1 has length 1 and offset 9223372036854775807")
            .by(() -> Blocks.of(Long.MAX_VALUE, 1, 1));
        refused("all blocks together, must be less than 2^63")
            .by(() -> Blocks.of(new long[] {Long.MAX_VALUE, 1}, new long[] {0, 0}));
        assertThat(apart.group.contains(0)).isFalse();
      }
      refused("member 1 of Group[0, 3] is no rank of this job of 3")
          .by(() -> Collectives.of(lacis, Group.of(0, 3)));
      refused("the default matching engine")
          .by(
              () ->
                  Collectives.of(
                      lacis,
                      Group.of(0),
                      CollectiveOptions.defaults().withMatching(lacis.matchingEngine())));
    }
  }

  @Test
  default void memoryThatCannotBeUsedIsRefusedAndDoesNotHarmTheGroup() {
    try (Job job = open(2)) {
      Arena closed = Arena.ofShared();
      MemorySegment gone = closed.allocate(16);
      closed.close();
      MemorySegment elsewhere =
          CompletableFuture.supplyAsync(() -> Arena.ofConfined().allocate(16)).join();
      job.together(
          "collectives beside calls that are refused",
          lacis -> {
            try (var c = Collectives.of(lacis)) {
              if (lacis.rank() == 0) {
                refuse(c, gone, IllegalStateException.class, " belongs to an arena that is closed");
                refuse(c, elsewhere, IllegalArgumentException.class, " confined to another thread");
                refuse(c, Refusal.nothing(), NullPointerException.class, "");
              }
              MemorySegment sum = longs(lacis.rank() + 1);
              c.allreduce(sum, Reduction.SUM_LONG);
              check(sum, 3);
            }
            return lacis;
          });
    }
  }

  /** Calls with a bad buffer at the root, in every place. */
  private static void refuse(
      Collectives c, MemorySegment bad, Class<? extends RuntimeException> type, String why) {
    MemorySegment two = longs(0, 0);
    Blocks blocks = Blocks.equal(2, 8);
    Map<String, List<ThrowingCallable>> calls =
        Map.of(
            "buffer",
            List.of(() -> c.broadcast(bad, 0), () -> c.newBroadcast(bad, 0)),
            "in",
            List.of(
                () -> c.allreduce(bad, Reduction.SUM_LONG),
                () -> c.newAllreduce(bad, two, Reduction.SUM_LONG),
                () -> c.reduce(bad, two, Reduction.SUM_LONG, 0),
                () -> c.reduce(bad, two, Reduction.SUM_LONG, 1),
                () -> c.gather(bad, two, 0),
                () -> c.scatter(bad, two, 0),
                () -> c.allgather(bad, two),
                () -> c.alltoall(bad, two),
                () -> c.alltoall(bad, blocks, two, blocks),
                () -> c.reduceScatter(bad, two, Reduction.SUM_LONG),
                () -> c.scan(bad, two, Reduction.SUM_LONG)),
            "out",
            List.of(
                () -> c.newAllreduce(two, bad, Reduction.SUM_LONG),
                () -> c.reduce(two, bad, Reduction.SUM_LONG, 0),
                () -> c.gather(two, bad, 0),
                () -> c.scatter(two, bad, 1),
                () -> c.allgather(two, bad),
                () -> c.alltoall(two, bad),
                () -> c.alltoall(two, blocks, bad, blocks),
                () -> c.reduceScatter(two, bad, Reduction.SUM_LONG),
                () -> c.exclusiveScan(two, bad, Reduction.SUM_LONG)));
    calls.forEach(
        (name, all) ->
            all.forEach(
                call ->
                    assertThatThrownBy(call)
                        .isInstanceOf(type)
                        .hasMessageStartingWith(name)
                        .hasMessageContaining(why)));
  }

  @Test
  default void whoIsNotAMemberIsTold() {
    try (Job job = open(2)) {
      for (Lacis lacis : job.ranks()) {
        try (var c = Collectives.of(lacis, Group.of(1), CollectiveOptions.defaults())) {
          if (lacis.rank() == 1) {
            c.barrier();
          } else {
            assertThatThrownBy(c::barrier)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("rank 0 is not a member of Group[1]");
          }
        }
      }
    }
  }

  private static Refused refused(String message) {
    return call ->
        assertThatThrownBy(call)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(message);
  }

  /** A call that is refused. */
  interface Refused {
    void by(ThrowingCallable call);
  }

  @Test
  default void everybodyIsToldTheRegionsOfAll() {
    try (Job job = open(3)) {
      job.together(
          "an exchange of regions",
          lacis -> {
            try (var region = lacis.allocate(64);
                var collectives = Collectives.of(lacis, Group.of(2, 0, 1))) {
              RemoteRegion[] regions = collectives.exchange(region);
              assertThat(regions).extracting(RemoteRegion::rank).containsExactly(2, 0, 1);
              assertThat(regions[collectives.member()]).isEqualTo(region.remote());
              var done = lacis.newSynchronizer("written");
              for (RemoteRegion remote : regions) {
                done.await(
                    lacis
                        .put()
                        .buffer(longs(7))
                        .remote(remote, 8L * lacis.rank())
                        .postBlocking(done));
              }
              collectives.barrier();
              check(region.segment().asSlice(0, 24), 7, 7, 7);
              collectives.barrier();
            }
            return lacis;
          });
    }
  }
}
