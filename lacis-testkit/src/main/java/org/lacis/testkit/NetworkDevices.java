package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.PeerEnd;
import org.lacis.testkit.NetworkRecorder.Arrival;

/** Several devices of a rank, devices that are closed, ranks that go. */
public interface NetworkDevices extends NetworkSuite {

  /** No bytes. */
  MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

  /** The k-th device of one rank talks with the k-th of every other. */
  @ByRanks
  default void theKthDeviceTalksWithTheKthOfOthers(int ranks) {
    int sets = 3;
    try (var first = new NetworkRig(open(ranks))) {
      List<NetworkRig> rigs = List.of(first, another(first), another(first));
      for (int k = 0; k < sets; k++) {
        for (int from = 0; from < ranks; from++) {
          for (int to = 0; to < ranks; to++) {
            rigs.get(k).send(from, to, k + 1, from, 8);
          }
        }
      }
      for (int k = 0; k < sets; k++) {
        long h0 = k + 1L;
        for (int to = 0; to < ranks; to++) {
          rigs.get(k).untilArrived(to, ranks);
          assertThat(rigs.get(k).sink(to).arrivals)
              .allMatch(a -> a.h0() == h0 && a.h1() == a.source() && a.unharmed());
        }
        rigs.get(k).pumpOn();
      }
      assertThat(rigs)
          .allMatch(rig -> rig.sinks.stream().allMatch(s -> s.arrivals.size() == ranks));
    }
  }

  /** Ranks of one machine are neighbours; those of one process have its cores together. */
  @ByRanks
  default void neighboursShareCores(int ranks) {
    try (var fabric = open(ranks)) {
      for (NetContext context : fabric.contexts()) {
        assertThat(context.neighbours()).isBetween(1, ranks);
        assertThat(context.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
      }
    }
  }

  /** A device that is full, or not polled, does not hold up another. */
  @ByRanks
  default void aDeviceThatIsFullDoesNotHoldUpAnother(int ranks) {
    try (var first = new NetworkRig(open(ranks))) {
      NetworkRig second = another(first);
      long flooded = NetworkRig.flood(0, h1 -> first.device(0).inject(1, 1, h1, NONE, 0, 0));
      for (int i = 0; i < 500; i++) {
        second.send(0, 1, 2, i, 8);
      }
      second.untilArrived(1, 500);
      assertThat(second.sink(1).arrivals).allMatch(Arrival::unharmed);
      first.untilArrived(1, (int) flooded);
    }
  }

  /** A transfer completes on the device it was posted on, which also carries its notification. */
  @ByRanks
  default void aTransferEndsOnItsOwnDevice(int ranks) {
    try (var first = new NetworkRig(open(ranks))) {
      NetworkRig second = another(first);
      MemorySegment local = MemorySegment.ofArray(NetworkData.bytes(1, 100_000));
      MemorySegment remote = Arena.ofAuto().allocate(100_000);
      long key = first.context(1).register(remote, 0, 100_000, NetContext.WRITE);
      assertThat(
              second.transfer(
                  0, "a put", c -> second.device(0).put(1, local, 0, 100_000, key, 0, 3, 4, c)))
          .isEqualTo(NetDevice.OK);
      second.untilArrived(1, 1);
      assertThat(remote.mismatch(local)).isEqualTo(-1);
      first.pumpOn();
      assertThat(first.sink(1).arrivals).isEmpty();
      assertThat(first.sink(0).completions).isEmpty();
    }
  }

  /** Posting on a closed device answers BUSY; other devices go on. */
  @ByRanks
  default void aClosedDeviceAnswersBusy(int ranks) {
    try (var first = new NetworkRig(open(ranks))) {
      NetworkRig second = another(first);
      MemorySegment remote = Arena.ofAuto().allocate(8);
      MemorySegment local = MemorySegment.ofArray(new byte[8]);
      long key = first.context(1).register(remote, 0, 8, NetContext.READ | NetContext.WRITE);
      long packet = first.newPacket(0, 100);
      NetDevice closed = first.device(0);
      closed.close();
      closed.close();
      for (int i = 0; i < 3; i++) {
        assertThat(closed.inject(1, 1, 1, NONE, 0, 0)).isEqualTo(NetDevice.BUSY);
        assertThat(closed.sendPacket(1, 1, 1, packet, 100)).isEqualTo(NetDevice.BUSY);
        assertThat(closed.put(1, local, 0, 8, key, 0, 1, 1, 1)).isEqualTo(NetDevice.BUSY);
        assertThat(closed.get(1, local, 0, 8, key, 0, 1, 1, 1)).isEqualTo(NetDevice.BUSY);
      }
      second.send(0, 1, 1, 1, 8);
      second.send(1, 0, 1, 1, 8);
      second.untilArrived(1, 1);
      second.untilArrived(0, 1);
      first.poll(1);
      assertThat(first.sink(1).arrivals).isEmpty();
    }
  }

  /**
   * After a rank has closed, what others do with it fails, and they are told once, after its last
   * message.
   */
  @ByRanks
  default void aRankThatClosesIsGoneForTheOthersAfterItsLastMessage(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int leaver = rig.last();
      MemorySegment local = MemorySegment.ofArray(new byte[8]);
      long key =
          rig.context(leaver)
              .register(Arena.ofAuto().allocate(8), 0, 8, NetContext.READ | NetContext.WRITE);
      for (int to = 0; to < leaver; to++) {
        for (int i = 0; i < 10; i++) {
          rig.send(leaver, to, 1, i, 8);
        }
      }
      int arrived = rig.sink(leaver).arrivals.size();
      rig.context(leaver).close();
      for (int to = 0; to < leaver; to++) {
        NetworkRecorder sink = rig.sink(to);
        int peer = to;
        Await.until(
            "news at rank " + to,
            () -> {
              rig.poll(peer);
              return sink.gone.contains(leaver);
            });
        // The recorder has checked that nothing comes after the news.
        assertThat(sink.arrivals).hasSize(10).allMatch(Arrival::unharmed);
        NetDevice device = rig.device(to);
        assertThat(device.inject(leaver, 1, 1, NONE, 0, 0)).isEqualTo(NetDevice.PEER_GONE);
        assertThat(device.sendPacket(leaver, 1, 1, rig.newPacket(to, 100), 100))
            .isEqualTo(NetDevice.PEER_GONE);
        assertThat(device.put(leaver, local, 0, 8, key, 0, 0, 0, 1)).isEqualTo(NetDevice.PEER_GONE);
        assertThat(device.get(leaver, local, 0, 8, key, 0, 0, 0, 1)).isEqualTo(NetDevice.PEER_GONE);
      }
      for (int to = 0; to < leaver; to++) {
        int peer = to;
        NetworkRig.postNow(() -> rig.device(peer).inject((peer + 1) % leaver, 1, 77, NONE, 0, 0));
      }
      for (int to = 0; to < leaver; to++) {
        NetworkRecorder sink = rig.sink(to);
        int peer = to;
        Await.until(
            "a message between those that stay",
            () -> {
              rig.poll(peer);
              return sink.arrivals.size() == 11;
            });
        assertThat(sink.gone).containsExactly(leaver);
        assertThat(sink.ends).containsEntry(leaver, PeerEnd.CLOSED);
      }
      assertThat(rig.sink(leaver).arrivals).hasSize(arrived);
    }
  }

  /** A rank that was given up is gone, nothing more comes from it, and it finds this one gone. */
  @ByRanks
  default void aRankThatIsGivenUpIsGone(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int lost = rig.last();
      rig.context(0).giveUp(lost);
      NetworkRecorder sink = rig.sink(0);
      Await.until(
          "news of rank " + lost + " at rank 0",
          () -> {
            rig.poll(0);
            return sink.gone.contains(lost);
          });
      assertThat(sink.ends).containsEntry(lost, PeerEnd.DIED);
      assertThat(rig.device(0).inject(lost, 1, 1, NONE, 0, 0)).isEqualTo(NetDevice.PEER_GONE);
      int arrived = sink.arrivals.size();
      Await.until(
          "news of rank 0 at rank " + lost,
          () -> {
            rig.device(lost).inject(0, 1, 1, NONE, 0, 0);
            rig.poll(lost);
            rig.poll(0);
            return rig.sink(lost).gone.contains(0);
          });
      assertThat(rig.sink(lost).ends.get(0)).isIn(PeerEnd.DIED, PeerEnd.GAVE_UP);
      assertThat(sink.arrivals).hasSize(arrived);
      assertThat(sink.gone).containsExactly(lost);
    }
  }

  /** Closing a context closes its devices first. */
  @ByRanks
  default void theDevicesOfAClosedContextAreClosed(int ranks) {
    try (var first = new NetworkRig(open(ranks))) {
      NetworkRig second = another(first);
      first.context(1).close();
      for (NetworkRig rig : List.of(first, second)) {
        assertThat(rig.device(1).inject(0, 1, 1, NONE, 0, 0)).isEqualTo(NetDevice.BUSY);
        assertThat(rig.device(1).inject(1, 1, 1, NONE, 0, 0)).isEqualTo(NetDevice.BUSY);
        assertThat(rig.poll(1)).isZero();
      }
    }
  }

  /** Transfers with a rank that closes end, one way or the other. */
  @ByRanks
  default void transfersWithARankThatClosesEnd(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int leaver = rig.last();
      MemorySegment local = MemorySegment.ofArray(new byte[1 << 16]);
      long key =
          rig.context(leaver)
              .register(
                  MemorySegment.ofArray(new byte[1 << 16]),
                  0,
                  1 << 16,
                  NetContext.READ | NetContext.WRITE);
      long next =
          NetworkRig.flood(
              0, c -> c == 20 ? NetDevice.FULL : pendingOnly(rig, leaver, local, key, c));
      rig.context(leaver).close();
      NetworkRecorder sink = rig.sink(0);
      Await.until(
          "the end of transfers with a rank that is gone",
          () -> {
            rig.poll(0);
            return sink.completions.size() == next && sink.gone.contains(leaver);
          });
    }
  }

  private static int pendingOnly(
      NetworkRig rig, int leaver, MemorySegment local, long key, long cookie) {
    int answer =
        cookie % 2 == 0
            ? rig.device(0).put(leaver, local, 0, 1 << 16, key, 0, 0, 0, cookie)
            : rig.device(0).get(leaver, local, 0, 1 << 16, key, 0, 0, 0, cookie);
    if (answer == NetDevice.OK) {
      rig.sink(0).completed(cookie, answer);
    }
    return answer;
  }

  private static NetworkRig another(NetworkRig rig) {
    return new NetworkRig(rig.fabric);
  }
}
