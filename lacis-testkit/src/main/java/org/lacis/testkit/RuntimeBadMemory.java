package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Rights;

/**
 * Memory that is too short, not allowed or no longer there: the calls are refused, or their
 * completions say why.
 */
@ExtendWith(Seeded.class)
interface RuntimeBadMemory extends RuntimeSuite {

  @Test
  default void aReceiveThatIsTooShortFailsAndSaysBothLengths() {
    try (Job job = open(2)) {
      for (boolean expected : new boolean[] {true, false}) {
        for (int size : OperationCase.sizes(job.rank(0))) {
          if (size > 0) {
            tooShort(job, size, expected);
          }
        }
      }
    }
  }

  private static void tooShort(Job job, int size, boolean expected) {
    MemorySegment buffer = Talk.memory(size);
    Witness received = Witness.handler();
    Runnable receive =
        () ->
            job.insist(
                "a receive",
                () ->
                    job.rank(1)
                        .recv()
                        .from(0)
                        .tag(12)
                        .buffer(buffer, 0, size - 1)
                        .context("mine")
                        .post(received.completion()));
    if (expected) {
      receive.run();
    }
    Witness sent = Talk.send(job, 0, 1, 12, size, 1);
    if (!expected) {
      job.progressOn();
      receive.run();
    }
    job.until("the failure of a receive", received::heard);
    Outcome failure = received.told();
    assertThat(failure.kind()).as("%d bytes", size).isEqualTo(ErrorKind.TRUNCATED);
    assertThat(failure.error()).isNotNull();
    assertThat(failure.error())
        .hasMessageContaining(size + " bytes")
        .hasMessageContaining(String.valueOf(size - 1))
        .hasMessageContaining("tag 12")
        .hasMessageContaining("rank 0");
    assertThat(failure.rank()).isZero();
    assertThat(failure.context()).isEqualTo("mine");
    job.until("the send, which notices nothing", sent::heard);
    assertThat(sent.told().error()).isNull();
    assertThat(sent.told().length()).isEqualTo(size);
    Talk.check(job, 0, 1);
  }

  @Test
  default void aReceiveWhoseArenaWasClosedFails() {
    try (Job job = open(2)) {
      for (int size : OperationCase.sizes(job.rank(0))) {
        Arena arena = Arena.ofShared();
        MemorySegment buffer = arena.allocate(size);
        Witness received = Witness.of(Witness.Kind.SYNCHRONIZER, job.rank(1));
        job.insist("a receive", () -> job.rank(1).recv(0, buffer, 3, received.completion()));
        arena.close();
        Witness sent = Talk.send(job, 0, 1, 3, size, 1);
        job.until("the failure of a receive", received::heard);
        assertThat(received.told().kind()).isEqualTo(ErrorKind.CLOSED);
        assertThat(received.told().error()).isNotNull().hasMessageContaining("arena");
        job.until("the send", sent::heard);
        assertThat(sent.told().error()).isNull();
        Talk.check(job, 0, 1);
      }
    }
  }

  @Test
  default void aTransferOutsideOfTheRegionIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      Lacis lacis = job.rank(0);
      RemoteRegion remote = region.remote();
      Refusal refusal = new Refusal(job);
      MemorySegment buffer = Talk.memory(8);
      for (long offset : new long[] {-1, 93, 100, 101, Long.MAX_VALUE, Long.MIN_VALUE}) {
        refusal.ofRange(() -> lacis.put(buffer, remote, offset, Completion.NONE), offset, 8, 100);
        refusal.ofRange(() -> lacis.get(buffer, remote, offset, Completion.NONE), offset, 8, 100);
      }
      refusal.ofRange(
          () -> lacis.put(Talk.memory(101), remote, 0, Completion.NONE), "offset 0", 101, 100);
      refusal.ofRange(
          () -> lacis.put(buffer, remote.slice(10, 7), 0, Completion.NONE), "offset 0", 8, 7);
      refusal.ofRange(() -> remote.slice(90, 11), 90, 11, 100);
      refusal.ofRange(() -> remote.slice(-1, 1), -1, 1, 100);
    }
  }

  @Test
  default void aTransferThatTheRightsForbidIsRefused() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      MemorySegment memory = Talk.memory(100);
      MemorySegment buffer = Talk.memory(8);
      Refusal refusal = new Refusal(job);
      try (Region readable = job.rank(1).register(memory, Rights.READ);
          Region writable = job.rank(1).register(memory, Rights.WRITE)) {
        refusal.ofArgument(
            () -> lacis.put(buffer, readable.remote(), 0, Completion.NONE), "READ", "put");
        refusal.ofArgument(
            () -> lacis.get(buffer, writable.remote(), 0, Completion.NONE), "WRITE", "get");
      }
    }
  }

  @Test
  default void rightsThatWereForgedDoNotHelp() {
    try (Job job = open(2)) {
      MemorySegment memory = Talk.filled(100, 1);
      try (Region readable = job.rank(1).register(memory, Rights.READ);
          Region writable = job.rank(1).register(memory, Rights.WRITE)) {
        assertThat(put(job, forged(readable.remote(), Rights.READ_WRITE), 8).kind())
            .isEqualTo(ErrorKind.NO_ACCESS);
        assertThat(get(job, forged(writable.remote(), Rights.READ_WRITE), 8).kind())
            .isEqualTo(ErrorKind.NO_ACCESS);
        Pattern.check("the memory", memory, 1);
        Talk.check(job, 0, 1);
      }
    }
  }

  private static RemoteRegion forged(RemoteRegion r, Rights rights) {
    return new RemoteRegion(r.rank(), r.job(), r.key(), r.offset(), r.length(), rights);
  }

  private static RemoteRegion forged(RemoteRegion r, long key, long offset, long length) {
    return new RemoteRegion(r.rank(), r.job(), key, offset, length, r.rights());
  }

  /** What becomes of a put of so many bytes at the beginning. */
  private static Outcome put(Job job, RemoteRegion remote, int size) {
    Witness done = Witness.handler();
    MemorySegment local = Talk.filled(size, 99);
    job.finish(
        "a put",
        done,
        () ->
            job.rank(0)
                .put()
                .remote(remote, 0)
                .buffer(local)
                .allowDone(false)
                .post(done.completion()));
    return done.told();
  }

  private static Outcome get(Job job, RemoteRegion remote, int size) {
    Witness done = Witness.handler();
    MemorySegment local = Talk.memory(size);
    job.finish(
        "a get",
        done,
        () ->
            job.rank(0)
                .get()
                .remote(remote, 0)
                .buffer(local)
                .allowDone(false)
                .post(done.completion()));
    return done.told();
  }

  @Test
  default void aRegionOfAnotherJobIsRefused() {
    try (Job one = open(2);
        Job two = open(2);
        Region region = two.rank(1).allocate(100)) {
      Refusal refusal = new Refusal(one);
      MemorySegment buffer = Talk.memory(8);
      refusal.ofArgument(
          () -> one.rank(0).put(buffer, region.remote(), 0, Completion.NONE),
          "remote region",
          "another job",
          Long.toHexString(region.remote().job()));
      refusal.ofArgument(
          () -> one.rank(0).get(buffer, region.remote(), 0, Completion.NONE),
          "remote region",
          "another job");
    }
  }

  @Test
  default void aRegionOfARankThatDoesNotExistIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      RemoteRegion r = region.remote();
      Refusal refusal = new Refusal(job);
      RemoteRegion nobodys = new RemoteRegion(2, r.job(), r.key(), 0, 100, r.rights());
      refusal.ofArgument(
          () -> job.rank(0).put(Talk.memory(8), nobodys, 0, Completion.NONE), "rank", 2, "0 to 1");
    }
  }

  @Test
  default void aRegionThatWasClosedCannotBeReached() {
    try (Job job = open(2)) {
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment memory = Talk.filled(size, 5);
        Region region = job.rank(1).register(memory, Rights.READ_WRITE);
        RemoteRegion remote = region.remote();
        assertThat(get(job, remote, size).error()).isNull();
        region.close();
        region.close();
        assertThat(put(job, remote, size).kind()).isEqualTo(ErrorKind.NO_ACCESS);
        Outcome failure = get(job, remote, size);
        assertThat(failure.kind()).isEqualTo(ErrorKind.NO_ACCESS);
        assertThat(failure.error()).isNotNull().hasMessageContaining("rank 1");
        Pattern.check("memory that was taken back", memory, 5);
        Talk.check(job, 0, 1);
      }
    }
  }

  @Test
  default void aTransferThatFailsSignalsNobodyThere() {
    try (Job job = open(2)) {
      Witness.OfHandler told = Witness.handler();
      RemoteCompletion target = job.rank(1).register(told.completion());
      Region region = job.rank(1).allocate(100);
      RemoteRegion remote = region.remote();
      region.close();
      Witness done = Witness.handler();
      job.finish(
          "a put",
          done,
          () -> job.rank(0).put(Talk.memory(8), remote, 0, 1, target, done.completion()));
      assertThat(done.told().kind()).isEqualTo(ErrorKind.NO_ACCESS);
      job.progressOn();
      assertThat(told.all()).isEmpty();
    }
  }

  @Test
  default void keysOffsetsAndLengthsThatWereGuessedReachNothing(RandomGenerator random) {
    try (Job job = open(2)) {
      MemorySegment memory = Talk.filled(4096, 5);
      try (Region region = job.rank(1).register(memory.asSlice(1024, 1024), Rights.READ_WRITE)) {
        RemoteRegion r = region.remote();
        List<RemoteRegion> wrong =
            List.of(
                forged(r, r.key() + 1, 0, 1024),
                forged(r, r.key() ^ Long.MIN_VALUE, 0, 1024),
                forged(r, random.nextLong(), 0, 1024),
                forged(r, 1, 0, 1024),
                forged(r, r.key(), 1017, 1024),
                forged(r, r.key(), 1024, 1024),
                forged(r, r.key(), Long.MAX_VALUE, 1024),
                forged(r, r.key(), Long.MAX_VALUE - 4, Long.MAX_VALUE));
        for (RemoteRegion w : wrong) {
          assertThat(put(job, w, 8).kind()).as("put to %s", w).isEqualTo(ErrorKind.NO_ACCESS);
          assertThat(get(job, w, 8).kind()).as("get from %s", w).isEqualTo(ErrorKind.NO_ACCESS);
        }
        assertThat(put(job, forged(r, r.key(), 0, 4096), 1025).kind())
            .isEqualTo(ErrorKind.NO_ACCESS);
        Pattern.check("the memory", memory, 5);
        Talk.check(job, 0, 1);
      }
    }
  }
}
