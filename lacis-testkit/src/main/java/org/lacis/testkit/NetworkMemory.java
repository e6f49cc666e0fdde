package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lacis.net.NetContext;

/** Memory that a network sets aside. */
public interface NetworkMemory extends NetworkSuite {

  /** What is allocated is zeroed, aligned and no one else's. */
  @ByRanks
  default void allocatedMemoryIsZeroedAlignedAndOnesOwn(int ranks, RandomGenerator random) {
    try (var rig = new NetworkRig(open(ranks))) {
      NetContext context = rig.context(0);
      List<MemorySegment> pieces = new ArrayList<>();
      for (long alignment = 1; alignment <= 4096; alignment *= 2) {
        for (int i = 0; i < 3; i++) {
          long bytes = random.nextInt(1, 5000);
          long address = context.allocate(bytes, alignment);
          assertThat(address).as("%d bytes aligned to %d", bytes, alignment).isNotZero();
          assertThat(address % alignment).isZero();
          MemorySegment piece = context.view(address, bytes);
          assertThat(NetworkData.read(piece, 0, bytes)).containsOnly(0);
          piece.fill((byte) (pieces.size() + 1));
          pieces.add(piece);
        }
      }
      for (int i = 0; i < pieces.size(); i++) {
        assertThat(NetworkData.read(pieces.get(i), 0, pieces.get(i).byteSize()))
            .containsOnly(i + 1);
      }
    }
  }

  /** What is freed can be had again, zeroed. */
  @ByRanks
  default void freedMemoryCanBeHadAgainAndIsZeroed(int ranks) {
    long bytes = LocalFabric.SHARED_BYTES / 16;
    try (var rig = new NetworkRig(open(ranks))) {
      NetContext context = rig.context(rig.last());
      for (int i = 0; i < 100; i++) {
        long address = context.allocate(bytes, 64);
        assertThat(address).as("piece %d", i).isNotZero();
        MemorySegment piece = context.view(address, bytes);
        assertThat(piece.mismatch(MemorySegment.ofArray(new byte[(int) bytes]))).isEqualTo(-1);
        piece.fill((byte) -1);
        context.free(address, bytes);
      }
    }
  }

  /** When there is no more the answer is 0, and it is not the end. */
  @ByRanks
  default void memoryEndsWithZeroAndComesBackWithFree(int ranks) {
    int bytes = 100_000;
    try (var rig = new NetworkRig(open(ranks))) {
      NetContext context = rig.context(0);
      assertThat(context.allocate(Long.MAX_VALUE / 2, 64)).isZero();
      List<Long> pieces = new ArrayList<>();
      for (long address = context.allocate(bytes, 64);
          address != 0;
          address = context.allocate(bytes, 64)) {
        pieces.add(address);
        assertThat(pieces.size() * (long) bytes).isLessThanOrEqualTo(LocalFabric.SHARED_BYTES);
      }
      assertThat(pieces).isNotEmpty();
      for (int round = 0; round < 3; round++) {
        for (long address : pieces) {
          context.free(address, bytes);
        }
        pieces.replaceAll(address -> context.allocate(bytes, 64));
        assertThat(pieces).doesNotContain(0L).doesNotHaveDuplicates();
      }
      assertThat(rig.context(1).allocate(bytes, 64)).as("memory of another rank").isNotZero();
    }
  }

  /** A view can be read for as long as it is reachable, even if all ranks are closed. */
  @ByRanks
  default void aViewOutlivesTheContext(int ranks) {
    int length = 5000;
    MemorySegment own;
    MemorySegment received;
    try (var rig = new NetworkRig(open(ranks))) {
      long address = rig.newPacket(0, length);
      own = rig.context(0).view(address, length);
      NetworkData.fill(own, 0, NetworkData.bytes(3, length));
      rig.sink(1).keepsLeases = true;
      rig.insist("a packet", () -> rig.device(0).sendPacket(1, 1, 3, address, length));
      rig.untilArrived(1, 1);
      NetworkRecorder.Arrival arrival = rig.sink(1).arrivals.get(0);
      received = arrival.lease() == 0 ? own : rig.context(1).view(arrival.address(), length);
      assertThat(NetworkData.read(received, 0, length)).isEqualTo(NetworkData.bytes(3, length));
    }
    assertThat(NetworkData.read(own, 0, length)).hasSize(length);
    assertThat(NetworkData.read(received, 0, length)).hasSize(length);
  }
}
