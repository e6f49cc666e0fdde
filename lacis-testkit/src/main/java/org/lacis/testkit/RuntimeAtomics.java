package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.lacis.AtomicOp;
import org.lacis.AtomicPosting;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Device;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.testkit.Witness.OfHandler;

/** Atomic operations on words of a peer: what they do, answer, tell, and refuse. */
interface RuntimeAtomics extends RuntimeSuite {

  /** Registered memory of rank 1 of every kind that has words. */
  private static List<Region> regions(Job job) {
    Lacis owner = job.rank(1);
    return List.of(
        owner.allocate(64),
        owner.register(Talk.memory(64), Rights.READ_WRITE),
        owner.register(Arena.ofConfined().allocate(64, 8), Rights.READ_WRITE),
        owner.register(MemorySegment.ofArray(new long[8]), Rights.READ_WRITE));
  }

  private static long after(AtomicOp op, long before, long operand) {
    return switch (op) {
      case ADD -> before + operand;
      case SWAP -> operand;
      case AND -> before & operand;
      case OR -> before | operand;
      case XOR -> before ^ operand;
    };
  }

  @Test
  default void everyOperationInEveryFormChangesTheWord() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      for (Region region : regions(job)) {
        RemoteRegion remote = region.remote();
        MemorySegment fetched = Talk.memory(8);
        long value = 0;
        for (AtomicOp op : AtomicOp.values()) {
          long operand = 0x1234_5678_9abc_def0L + op.ordinal();
          Witness done = Witness.handler();
          job.finish(
              "an atomic", done, () -> lacis.atomic(op, operand, remote, 8, done.completion()));
          value = after(op, value, operand);
          assertThat(region.segment().get(JAVA_LONG, 8)).as("%s", op).isEqualTo(value);

          Witness read = Witness.handler();
          job.finish(
              "an atomic",
              read,
              () -> lacis.atomic(op, ~operand, fetched, remote, 8, read.completion()));
          assertThat(fetched.get(JAVA_LONG, 0)).as("fetched by %s", op).isEqualTo(value);
          value = after(op, value, ~operand);
          assertThat(region.segment().get(JAVA_LONG, 8)).as("%s", op).isEqualTo(value);

          Outcome told = fluent(job, p -> p.apply(op, operand).remote(remote, 8));
          assertThat(told.payload().get(JAVA_LONG.withByteAlignment(1), 0)).isEqualTo(value);
          assertThat(told.length()).isEqualTo(8);
          value = after(op, value, operand);
          assertThat(region.segment().get(JAVA_LONG, 8)).as("%s", op).isEqualTo(value);
        }
        assertThat(region.segment().get(JAVA_LONG, 0)).isZero();
        assertThat(region.segment().get(JAVA_LONG, 16)).isZero();
        region.close();
      }
    }
  }

  /** Posts with a completion that is always signalled, and answers what it was told. */
  private static Outcome fluent(Job job, Function<AtomicPosting, AtomicPosting> how) {
    OfHandler done = Witness.handler();
    job.finish(
        "an atomic",
        done,
        () ->
            how.apply(job.rank(0).atomic())
                .allowDone(false)
                .context("mine")
                .post(done.completion()));
    assertThat(done.told().rank()).isEqualTo(1);
    assertThat(done.told().context()).isEqualTo("mine");
    return done.told();
  }

  @Test
  default void aWordMayHave32Bits() {
    try (Job job = open(2)) {
      for (Region region : regions(job)) {
        RemoteRegion remote = region.remote();
        MemorySegment memory = region.segment();
        memory.set(JAVA_INT, 0, 7);
        memory.set(JAVA_INT, 4, -1);
        memory.set(JAVA_INT, 8, 9);
        MemorySegment fetched = Talk.memory(4);
        int value = -1;
        for (AtomicOp op : AtomicOp.values()) {
          long operand = 0x1234_5678_9abc_def0L;
          Outcome told =
              fluent(job, p -> p.apply(op, operand).bits(32).remote(remote, 4).fetched(fetched));
          assertThat(told.length()).isEqualTo(4);
          assertThat(told.buffer()).isEqualTo(fetched);
          assertThat(fetched.get(JAVA_INT, 0)).isEqualTo(value);
          value = (int) after(op, value, operand);
          assertThat(memory.get(JAVA_INT, 4)).as("%s", op).isEqualTo(value);
        }
        int before = value;
        Outcome told = fluent(job, p -> p.compareAndSwap(before, 5).bits(32).remote(remote, 4));
        assertThat(told.payload().get(JAVA_INT.withByteAlignment(1), 0)).isEqualTo(before);
        assertThat(memory.get(JAVA_INT, 4)).isEqualTo(5);
        assertThat(memory.get(JAVA_INT, 0)).isEqualTo(7);
        assertThat(memory.get(JAVA_INT, 8)).isEqualTo(9);
        region.close();
      }
    }
  }

  @Test
  default void compareAndSwapWritesWhatWasExpectedOnly() {
    try (Job job = open(2)) {
      for (Region region : regions(job)) {
        MemorySegment fetched = Talk.memory(8);
        region.segment().set(JAVA_LONG, 0, 100);
        for (long[] step : new long[][] {{99, 1, 100}, {100, 2, 2}, {100, 3, 2}, {2, -4, -4}}) {
          long before = region.segment().get(JAVA_LONG, 0);
          Witness done = Witness.of(Witness.Kind.SYNCHRONIZER, job.rank(0));
          job.finish(
              "a compare-and-swap",
              done,
              () ->
                  job.rank(0)
                      .compareAndSwap(
                          step[0], step[1], fetched, region.remote(), 0, done.completion()));
          assertThat(fetched.get(JAVA_LONG, 0)).isEqualTo(before);
          assertThat(region.segment().get(JAVA_LONG, 0)).isEqualTo(step[2]);
        }
        region.close();
      }
    }
  }

  @Test
  default void aCompareAndSwapThatFetchesNothingIsAlwaysSignalled() {
    try (Job job = open(2)) {
      for (Region region : regions(job)) {
        region.segment().set(JAVA_LONG, 0, 100);
        for (long[] step : new long[][] {{99, 1, 100}, {100, 2, 2}}) {
          long before = region.segment().get(JAVA_LONG, 0);
          OfHandler done = Witness.handler();
          Post answer =
              job.insist(
                  "a compare-and-swap",
                  () ->
                      job.rank(0)
                          .atomic()
                          .compareAndSwap(step[0], step[1])
                          .remote(region.remote(), 0)
                          .allowDone(true)
                          .post(done.completion()));
          assertThat(answer).isEqualTo(Post.POSTED);
          job.await("a compare-and-swap", done, answer);
          assertThat(done.told().payload().get(JAVA_LONG.withByteAlignment(1), 0))
              .isEqualTo(before);
          assertThat(region.segment().get(JAVA_LONG, 0)).isEqualTo(step[2]);
        }
        region.close();
      }
    }
  }

  @Test
  default void everyCompletionObjectGetsWhatWasFetched() {
    try (Job job = open(2)) {
      for (Region region : regions(job)) {
        long value = 0;
        for (Witness.Kind kind : Witness.Kind.values()) {
          Witness done = Witness.of(kind, job.rank(0));
          job.finish(
              "an atomic",
              done,
              () ->
                  job.rank(0)
                      .atomic()
                      .apply(AtomicOp.ADD, 3)
                      .remote(region.remote(), 0)
                      .allowDone(false)
                      .post(done.completion()));
          if (kind.tells()) {
            assertThat(done.told().payload().get(JAVA_LONG.withByteAlignment(1), 0))
                .as("%s", kind)
                .isEqualTo(value);
          }
          value += 3;
        }
        assertThat(region.segment().get(JAVA_LONG, 0)).isEqualTo(value);
        region.close();
      }
    }
  }

  @Test
  default void anAtomicSignalsItsTarget() {
    try (Job job = open(2)) {
      Device other = job.newDevices().getFirst();
      OfHandler told = Witness.handler();
      RemoteCompletion target = job.rank(1).register(told.completion());
      int count = 0;
      for (Region region : regions(job)) {
        for (Device device : List.of(job.rank(0).device(), other)) {
          fluent(
              job,
              p ->
                  p.apply(AtomicOp.ADD, 1)
                      .remote(region.remote(), 0)
                      .target(target)
                      .tag(12)
                      .on(device));
          int expected = ++count;
          job.until("the signal of an atomic", () -> told.all().size() == expected);
          assertThat(told.all().getLast().rank()).isZero();
          assertThat(told.all().getLast().tag()).isEqualTo(12);
          assertThat(told.all().getLast().length()).isEqualTo(8);
        }
        assertThat(region.segment().get(JAVA_LONG, 0)).isEqualTo(2);
        region.close();
      }
    }
  }

  @Test
  default void atomicsThatMayNotBeRetriedComplete() {
    try (Job job = open(2)) {
      int each = 1500;
      Counter done = job.rank(0).newCounter();
      Counter told = job.rank(1).newCounter();
      RemoteCompletion target = job.rank(1).register(told);
      List<Region> regions = regions(job);
      for (Region region : regions) {
        for (int i = 0; i < each; i++) {
          Post answer =
              job.rank(0)
                  .atomic()
                  .apply(AtomicOp.ADD, 1)
                  .remote(region.remote(), 0)
                  .target(target)
                  .allowDone(false)
                  .allowRetry(false)
                  .post(done);
          assertThat(answer).isEqualTo(Post.POSTED);
        }
      }
      long all = (long) each * regions.size();
      job.until("all atomics", () -> done.count() == all && told.count() == all);
      for (Region region : regions) {
        assertThat(region.segment().get(JAVA_LONG, 0)).isEqualTo(each);
        region.close();
      }
    }
  }

  @Test
  default void anAtomicThatMakesNoSenseIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(64);
        Region readable = job.rank(1).register(Talk.memory(64), Rights.READ);
        Region writable = job.rank(1).register(Talk.memory(64), Rights.WRITE)) {
      Lacis lacis = job.rank(0);
      RemoteRegion remote = region.remote();
      MemorySegment word = Talk.memory(8);
      Completion done = Completion.NONE;
      AtomicOp add = AtomicOp.ADD;
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(() -> lacis.atomic(add, 1, remote, 4, done), "offset", 4, "8 bytes");
      refusal.ofArgument(
          () -> lacis.atomic(add, 1, remote.slice(4, 60), 8, done), "offset", 8, "starts at 4");
      refusal.ofArgument(
          () -> lacis.atomic().apply(add, 1).bits(32).remote(remote, 2).post(done), "offset", 2);
      for (long offset : new long[] {-8, 64, 1L << 40}) {
        refusal.ofRange(() -> lacis.atomic(add, 1, remote, offset, done), offset, 8, 64);
      }
      refusal.ofArgument(() -> lacis.atomic(add, 1, readable.remote(), 0, done), "READ");
      refusal.ofState(() -> lacis.atomic().apply(add, 1).compareAndSwap(1, 2), "once");
      refusal.ofState(() -> lacis.atomic().compareAndSwap(1, 2).apply(add, 1), "once");
      refusal.ofArgument(() -> lacis.atomic(add, 1, writable.remote(), 0, done), "WRITE");
      refusal.ofArgument(
          () -> lacis.atomic(add, 1, Talk.memory(4), remote, 0, done), "fetched", 8, 4);
      refusal.ofArgument(
          () -> lacis.compareAndSwap(1, 2, word.asReadOnly(), remote, 0, done), "read-only");
      refusal.ofArgument(() -> lacis.atomic().bits(16), "bits", 16, "32 or 64");
      refusal.ofArgument(() -> lacis.atomic().remote(remote, 0).post(done), "compareAndSwap");
      refusal.ofArgument(() -> lacis.atomic().apply(add, 1).post(done), "remote");
      refusal.ofNull("op", () -> lacis.atomic(Refusal.nothing(), 1, remote, 0, done));
      refusal.ofNull("remote", () -> lacis.atomic(add, 1, Refusal.nothing(), 0, done));
      refusal.ofNull("fetched", () -> lacis.atomic(add, 1, Refusal.nothing(), remote, 0, done));
      refusal.ofNull("done", () -> lacis.atomic(add, 1, remote, 0, Refusal.nothing()));
      AtomicPosting posted = lacis.atomic().apply(add, 0).remote(remote, 0);
      job.insist("an atomic", () -> lacis.atomic().apply(add, 0).remote(remote, 0).post(done));
      posted.post(done);
      refusal.ofState(() -> posted.bits(32), "posted already");
      assertThat(region.segment().mismatch(Talk.memory(64))).isEqualTo(-1);
    }
  }

  @Test
  default void anAtomicOnWhatIsNoLongerThereFails() {
    try (Job job = open(2)) {
      OfHandler told = Witness.handler();
      RemoteCompletion target = job.rank(1).register(told.completion());
      for (Region region : regions(job)) {
        region.close();
        Outcome failure =
            fluent(job, p -> p.apply(AtomicOp.ADD, 1).remote(region.remote(), 0).target(target));
        assertThat(failure.kind()).isEqualTo(ErrorKind.NO_ACCESS);
        assertThat(failure.length()).isZero();
      }
      job.progressOn();
      assertThat(told.all()).isEmpty();
    }
  }

  @Test
  default void anAtomicOnMemoryThatIsNotAlignedFails() {
    try (Job job = open(2)) {
      List<Region> regions = new ArrayList<>();
      regions.add(job.rank(1).register(Talk.memory(65).asSlice(1, 64), Rights.READ_WRITE));
      regions.add(job.rank(1).register(MemorySegment.ofArray(new byte[64]), Rights.READ_WRITE));
      for (Region region : regions) {
        Outcome told = fluent(job, p -> p.apply(AtomicOp.ADD, 1).remote(region.remote(), 0));
        assertThat(told.kind()).isEqualTo(ErrorKind.NO_ACCESS);
        assertThat(told.error()).isNotNull().hasMessageContaining("not aligned to its words");
        assertThat(region.segment().mismatch(Talk.memory(64))).isEqualTo(-1);
        region.close();
      }
    }
  }
}
