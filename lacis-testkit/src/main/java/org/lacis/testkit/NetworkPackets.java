package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.lacis.net.NetDevice;
import org.lacis.testkit.NetworkRecorder.Arrival;

/** Packets: sent in place, leased to the receiver, handed back to the sender. */
public interface NetworkPackets extends NetworkSuite {

  /** Packets of every size. */
  @ByRanks
  default void aPacketOfEverySizeArrivesUnharmedAndComesBack(int ranks) {
    int[] sizes = {
      0, 1, 7, 8, 9, 31, 32, 39, 40, 41, 48, 63, 64, 65, 127, 128, 1000, 4056, 4057, 4096, 8112,
      8113, 8192, 100_000
    };
    try (var rig = new NetworkRig(open(ranks))) {
      List<Long> sent = new ArrayList<>();
      for (int to : new int[] {rig.last(), 0}) {
        int before = rig.sink(to).arrivals.size();
        for (int size : sizes) {
          sent.add(sendNew(rig, 0, to, size, size));
        }
        rig.untilArrived(to, before + sizes.length);
      }
      for (NetworkRecorder sink : rig.sinks) {
        assertThat(sink.arrivals).allMatch(a -> a.bytes().byteSize() == a.h1() && a.unharmed());
      }
      assertThat(reclaim(rig, 0, sent.size())).containsExactlyInAnyOrderElementsOf(sent);
    }
  }

  /** What the network copies by itself is the caller's at once, and arrives with a lease. */
  @ByRanks
  default void whatTheNetworkCopiesIsFreeAtOnceAndArrivesAsAPacket(int ranks) {
    try (var rig = new NetworkRig(open(ranks));
        Arena arena = Arena.ofConfined()) {
      NetDevice device = rig.device(0);
      int limit = device.copyLimit(1);
      MemorySegment small = MemorySegment.ofArray(new byte[8]);
      assertThatThrownBy(() -> device.sendCopy(1, 1, 0, small, 0, limit + 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(limit + 1 + " bytes")
          .hasMessageContaining(String.valueOf(limit));
      if (limit == 0) {
        return;
      }
      assertThatThrownBy(() -> device.sendCopy(1, 1, 0, small, 1, 8))
          .isInstanceOf(IndexOutOfBoundsException.class);
      rig.sink(1).keepsLeases = true;
      int[] lengths = {0, 1, Math.min(8, limit), limit / 2, limit - 1, limit};
      for (int length : lengths) {
        byte[] bytes = NetworkData.bytes(length, length);
        for (MemorySegment source :
            List.of(MemorySegment.ofArray(new byte[length]), arena.allocate(limit))) {
          MemorySegment.copy(bytes, 0, source, JAVA_BYTE, 0, length);
          assertThat(rig.insist("a copy", () -> device.sendCopy(1, 1, length, source, 0, length)))
              .isEqualTo(NetDevice.OK);
          source.fill((byte) -1);
        }
      }
      rig.untilArrived(1, 2 * lengths.length);
      assertThat(rig.sink(1).arrivals)
          .allMatch(a -> a.lease() != 0 && a.bytes().byteSize() == a.h1() && a.unharmed());
      rig.sink(1).leased.forEach(a -> rig.context(1).release(a.lease()));
      rig.sink(1).leased.clear();
    }
  }

  /** A packet that came back is as good as new. */
  @ByRanks
  default void onePacketGoesAndComesBackManyTimes(int ranks) {
    int length = 512;
    try (var rig = new NetworkRig(open(ranks))) {
      long address = rig.newPacket(0, length);
      MemorySegment payload = rig.context(0).view(address, length);
      for (int i = 0; i < 200; i++) {
        long h1 = i;
        NetworkData.fill(payload, 0, NetworkData.bytes(h1, length));
        int to = 1 + i % (ranks - 1);
        assertThat(
                rig.insist("a packet", () -> rig.device(0).sendPacket(to, 1, h1, address, length)))
            .isEqualTo(NetDevice.OK);
        assertThat(reclaim(rig, 0, 1)).containsExactly(address);
      }
      rig.pumpOn();
      assertThat(rig.sinks.stream().mapToInt(s -> s.arrivals.size()).sum()).isEqualTo(200);
      assertThat(rig.sinks).allMatch(s -> s.arrivals.stream().allMatch(Arrival::unharmed));
    }
  }

  /** A leased payload is the receiver's until it says otherwise, whatever else goes on. */
  @ByRanks
  default void aLeasedPayloadStaysUntilItIsReleasedInAnyOrder(int ranks, RandomGenerator random) {
    int length = 600;
    int count = 24;
    try (var rig = new NetworkRig(open(ranks))) {
      NetworkRecorder sink = rig.sink(1);
      sink.keepsLeases = true;
      List<Long> sent = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        sent.add(sendNew(rig, 0, 1, i, length));
      }
      rig.untilArrived(1, count);
      List<Long> back = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        rig.send(0, 1, 1, 1000 + i, 8);
        // Whatever the sender has back it may overwrite: no leased payload may be hurt.
        rig.context(0).reclaim(a -> overwrite(rig, a, length, back));
      }
      rig.untilArrived(1, count + 100);
      List<Arrival> leased = new ArrayList<>(sink.leased);
      Collections.shuffle(leased, Random.from(random));
      for (Arrival arrival : leased) {
        assertThat(
                NetworkData.read(
                    rig.context(1).view(arrival.address(), arrival.bytes().byteSize()),
                    0,
                    arrival.bytes().byteSize()))
            .as("leased payload %d", arrival.h1())
            .isEqualTo(NetworkData.read(arrival.bytes(), 0, arrival.bytes().byteSize()));
        assertThat(arrival.unharmed()).isTrue();
        rig.context(1).release(arrival.lease());
        rig.pump();
        rig.context(0).reclaim(a -> overwrite(rig, a, length, back));
      }
      sink.leased.clear();
      rig.until(
          "the return of all packets",
          () -> {
            rig.context(0).reclaim(back::add);
            return back.size() >= count;
          });
      assertThat(back).containsExactlyInAnyOrderElementsOf(sent);
    }
  }

  private static void overwrite(NetworkRig rig, long address, int length, List<Long> back) {
    rig.context(0).view(address, length).fill((byte) 0x55);
    back.add(address);
  }

  /** A lease may end before the sink has returned. */
  @ByRanks
  default void aLeaseMayBeReleasedWithinTheSink(int ranks) {
    int count = 100;
    try (var rig = new NetworkRig(open(ranks))) {
      NetworkRecorder sink = rig.sink(1);
      sink.takes =
          arrival -> {
            if (arrival.lease() != 0) {
              rig.context(1).release(arrival.lease());
            }
            return true;
          };
      sink.keepsLeases = true;
      Map<Long, Integer> uses = new HashMap<>();
      List<Long> free = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        free.add(rig.newPacket(0, 100));
      }
      for (int i = 0; i < count; i++) {
        if (free.isEmpty()) {
          free.addAll(reclaim(rig, 0, 1));
        }
        long address = free.removeLast();
        uses.merge(address, 1, Integer::sum);
        send(rig, 0, 1, i, address, 100);
      }
      rig.untilArrived(1, count);
      assertThat(sink.arrivals).allMatch(Arrival::unharmed);
      assertThat(uses.keySet()).hasSize(4);
    }
  }

  /** Packets of several senders do not meet. */
  @ByRanks
  default void packetsGoBackToTheRankThatSentThem(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      Map<Integer, Long> sent = new HashMap<>();
      for (int from = 0; from < ranks; from++) {
        sent.put(from, sendNew(rig, from, (from + 1) % ranks, from, 300));
      }
      for (int from = 0; from < ranks; from++) {
        rig.untilArrived((from + 1) % ranks, 1);
        assertThat(rig.sink((from + 1) % ranks).arrivals.get(0).source()).isEqualTo(from);
        assertThat(reclaim(rig, from, 1)).containsExactly(sent.get(from));
        assertThat(rig.context(from).reclaim(a -> {})).isZero();
      }
    }
  }

  /** Fills a new packet with the bytes of {@code h1} and sends it; answers its address. */
  private static long sendNew(NetworkRig rig, int from, int to, long h1, int length) {
    long address = rig.newPacket(from, length);
    send(rig, from, to, h1, address, length);
    return address;
  }

  private static void send(NetworkRig rig, int from, int to, long h1, long address, int length) {
    NetworkData.fill(rig.context(from).view(address, length), 0, NetworkData.bytes(h1, length));
    assertThat(
            rig.insist("a packet", () -> rig.device(from).sendPacket(to, 1, h1, address, length)))
        .isEqualTo(NetDevice.OK);
  }

  /** Waits until a rank has so many packets back. */
  private static List<Long> reclaim(NetworkRig rig, int rank, int count) {
    List<Long> back = new ArrayList<>();
    rig.until(
        count + " packets back at rank " + rank,
        () -> {
          int before = back.size();
          assertThat(rig.context(rank).reclaim(back::add)).isEqualTo(back.size() - before);
          return back.size() >= count;
        });
    return back;
  }
}
