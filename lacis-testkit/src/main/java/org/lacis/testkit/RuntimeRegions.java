package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lacis.Direction;
import org.lacis.ErrorKind;
import org.lacis.LacisException;
import org.lacis.PeerMemory;
import org.lacis.Region;
import org.lacis.RemoteRegion;
import org.lacis.Rights;

/** Memory of the runtime's, and regions within regions: what they let peers do, how they end. */
interface RuntimeRegions extends RuntimeSuite {

  @Test
  default void memoryIsZeroedAndAlignedAsAskedFor() {
    try (Job job = open(2)) {
      for (int round = 0; round < 2; round++) {
        for (int alignment = 1; alignment <= 4096; alignment *= 2) {
          try (Region small = job.rank(1).allocate(1);
              Region region = job.rank(1).allocate(100, alignment)) {
            assertThat(region.segment().address() % alignment).isZero();
            assertThat(region.segment().byteSize()).isEqualTo(100);
            assertThat(region.segment().mismatch(Talk.memory(100))).isEqualTo(-1);
            assertThat(move(job, Direction.OUT, region.remote(), Talk.filled(100, 3))).isNull();
            Pattern.check("what was put", region.segment(), 3);
            assertThat(small.segment().mismatch(Talk.memory(1))).isEqualTo(-1);
          }
        }
      }
      Refusal refusal = new Refusal(job);
      for (int alignment : new int[] {-64, 0, 3, 8192}) {
        refusal.ofArgument(
            () -> job.rank(1).allocate(8, alignment), "alignment", "1 to 4096", alignment);
      }
    }
  }

  @Test
  default void moreRegionsThanThereIsRoomForAreRefusedWithTheLimit() {
    try (Job job = open(2)) {
      MemorySegment memory = Talk.memory(8);
      List<Region> regions = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                while (regions.size() <= 65_536) {
                  regions.add(job.rank(1).register(memory, Rights.READ));
                }
              })
          .isInstanceOf(LacisException.class)
          .hasMessageContaining("a rank can have 65536");
      regions.forEach(Region::close);
      job.rank(1).register(memory, Rights.READ).close();
    }
  }

  @Test
  default void aSliceIsThatPartOfItsRegion() {
    try (Job job = open(2);
        Region whole = job.rank(1).allocate(100);
        Region slice = whole.slice(10, 20, Rights.READ_WRITE)) {
      assertThat(slice.segment().address()).isEqualTo(whole.segment().address() + 10);
      assertThat(slice.segment().byteSize()).isEqualTo(20);
      assertThat(slice.remote().length()).isEqualTo(20);
      assertThat(slice.remote().key()).isNotEqualTo(whole.remote().key());
      MemorySegment text = Talk.filled(20, 7);
      assertThat(move(job, Direction.OUT, slice.remote(), text)).isNull();
      Pattern.check("the part", whole.segment(), 10, 20, 7);
      assertThat(whole.segment().asSlice(0, 10).mismatch(Talk.memory(10))).isEqualTo(-1);
      assertThat(whole.segment().asSlice(30).mismatch(Talk.memory(70))).isEqualTo(-1);
      MemorySegment copy = Talk.memory(20);
      assertThat(move(job, Direction.IN, slice.remote(), copy)).isNull();
      Pattern.check("the copy", copy, 7);
    }
  }

  @Test
  default void theHolderOfASliceReachesNothingElse() {
    try (Job job = open(2);
        Region whole = job.rank(1).allocate(100);
        Region slice = whole.slice(40, 20, Rights.READ)) {
      RemoteRegion r = slice.remote();
      assertThat(move(job, Direction.IN, widened(r, 0, 20), Talk.memory(20))).isNull();
      for (long offset : new long[] {1, 20, 60, Long.MAX_VALUE - 100}) {
        assertThat(move(job, Direction.IN, widened(r, offset, 100), Talk.memory(20)))
            .isEqualTo(ErrorKind.NO_ACCESS);
      }
      assertThat(move(job, Direction.OUT, widened(r, 0, 20), Talk.filled(20, 1)))
          .isEqualTo(ErrorKind.NO_ACCESS);
      assertThat(whole.segment().mismatch(Talk.memory(100))).isEqualTo(-1);
    }
  }

  /** What somebody makes of a slice who wants more. */
  private static RemoteRegion widened(RemoteRegion r, long offset, long length) {
    return new RemoteRegion(r.rank(), r.job(), r.key(), offset, length, Rights.READ_WRITE);
  }

  @Test
  default void aSliceAllowsNoMoreThanItsRegion() {
    try (Job job = open(2)) {
      Refusal refusal = new Refusal(job);
      try (Region readable = job.rank(1).register(Talk.memory(100), Rights.READ);
          Region slice = readable.slice(0, 50, Rights.READ)) {
        refusal.ofArgument(() -> readable.slice(0, 1, Rights.WRITE), "READ", "WRITE");
        refusal.ofArgument(() -> readable.slice(0, 1, Rights.READ_WRITE), "READ", "READ_WRITE");
        refusal.ofRange(() -> readable.slice(90, 11, Rights.READ), 90, 11, 100);
        refusal.ofRange(() -> slice.slice(-1, 1, Rights.READ), -1, 1, 50);
        refusal.ofRange(() -> slice.slice(0, 51, Rights.READ), 0, 51, 50);
      }
    }
  }

  @Test
  default void aSliceEndsAloneOrWithItsRegion() {
    try (Job job = open(2)) {
      MemorySegment memory = Talk.memory(100);
      Region whole = job.rank(1).register(memory, Rights.READ_WRITE);
      Region one = whole.slice(0, 50, Rights.READ_WRITE);
      Region two = whole.slice(50, 50, Rights.READ_WRITE);
      Region within = two.slice(10, 10, Rights.READ_WRITE);
      one.close();
      assertThat(get(job, one)).isEqualTo(ErrorKind.NO_ACCESS);
      assertThat(get(job, two)).isNull();
      assertThat(get(job, whole)).isNull();
      whole.close();
      for (Region region : new Region[] {whole, one, two, within}) {
        assertThat(get(job, region)).isEqualTo(ErrorKind.NO_ACCESS);
        assertThatIllegalStateException()
            .isThrownBy(() -> region.slice(0, 1, Rights.READ))
            .withMessageContaining("closed");
        region.close();
      }
    }
  }

  /** Where a network has memory of peers mapped, it is theirs; elsewhere nobody gets any. */
  @Test
  default void mappedMemoryIsThePeers() {
    try (Job job = open(2)) {
      Region region = job.rank(1).allocate(100);
      RemoteRegion part = region.remote().slice(10, 20);
      PeerMemory memory = job.rank(0).map(part);
      PeerMemory own = job.rank(1).map(part);
      PeerMemory readOnly = job.rank(0).map(part.withRights(Rights.READ));
      assertThat(readOnly == null).isEqualTo(memory == null);
      if (memory == null || readOnly == null) {
        return;
      }
      assertThat(memory.enter()).isTrue();
      memory.segment().copyFrom(Talk.filled(20, 3));
      memory.leave();
      Pattern.check("what was stored", region.segment(), 10, 20, 3);
      Pattern.check("the same seen by its owner", Objects.requireNonNull(own).segment(), 3);
      assertThat(readOnly.segment().isReadOnly()).isTrue();
      Pattern.check("the same, not to be changed", readOnly.segment(), 3);
      region.close();
      assertThat(memory.enter()).isFalse();
      assertThat(job.rank(0).map(part)).isNull();
    }
  }

  @Test
  default void whoHasNotEnteredMappedMemoryCannotLeaveIt() {
    try (Job job = open(2)) {
      Region region = job.rank(1).allocate(100);
      PeerMemory memory = job.rank(0).map(region.remote());
      if (memory == null) {
        return;
      }
      Refusal refusal = new Refusal(job);
      refusal.ofState(memory::leave, "inside", "100 bytes", "enter");
      assertThat(memory.enter()).isTrue();
      assertThat(memory.enter()).isTrue();
      memory.leave();
      memory.leave();
      refusal.ofState(memory::leave, "inside");
      region.close();
      assertThat(memory.enter()).isFalse();
      refusal.ofState(memory::leave, "inside");
    }
  }

  @Test
  default void onlyWhatWasGivenIsMapped() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100);
        Region readable = region.slice(0, 50, Rights.READ)) {
      RemoteRegion r = readable.remote();
      assertThat(job.rank(0).map(widened(r, 0, 50))).as("with more rights").isNull();
      for (long offset : new long[] {1, 50, Long.MAX_VALUE - 100}) {
        assertThat(job.rank(0).map(new RemoteRegion(1, r.job(), r.key(), offset, 50, Rights.READ)))
            .isNull();
      }
      assertThat(job.rank(0).map(new RemoteRegion(1, r.job(), r.key() + 1, 0, 50, Rights.READ)))
          .isNull();
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(
          () -> job.rank(0).map(new RemoteRegion(1, r.job() + 1, r.key(), 0, 50, Rights.READ)),
          "another job");
      refusal.ofArgument(
          () -> job.rank(0).map(new RemoteRegion(2, r.job(), r.key(), 0, 50, Rights.READ)),
          "rank 2",
          "2");
    }
  }

  private static @Nullable ErrorKind get(Job job, Region region) {
    return move(job, Direction.IN, region.remote(), Talk.memory(8));
  }

  /** Puts or gets at the beginning, and answers why that failed; null if it did not. */
  private static @Nullable ErrorKind move(
      Job job, Direction direction, RemoteRegion remote, MemorySegment local) {
    Witness done = Witness.handler();
    job.finish(
        "a transfer",
        done,
        () ->
            job.rank(0)
                .post()
                .direction(direction)
                .remote(remote, 0)
                .buffer(local)
                .allowDone(false)
                .post(done.completion()));
    Outcome told = done.told();
    return told.error() == null ? null : told.kind();
  }
}
