package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.testkit.NetworkRecorder.Arrival;

/** Sinks that answer false, and ways that are full: nothing is lost, and nobody else suffers. */
public interface NetworkRefusals extends NetworkSuite {

  /** A message that is refused is offered again, with nothing of its source before it. */
  @ByRanks
  default void aRefusedMessageStaysInFrontOfThoseBehindIt(int ranks) {
    int count = 20;
    try (var rig = new NetworkRig(open(ranks))) {
      NetworkRecorder sink = rig.sink(1);
      sink.takes = arrival -> arrival.source() != 0;
      for (int i = 0; i < count; i++) {
        rig.send(0, 1, 3, i, 8);
        rig.send(1, 1, 4, i, 8);
      }
      rig.until(
          "the other source's messages",
          () -> sink.arrivals.size() == count && !sink.refused.isEmpty());
      int offered = sink.refused.size();
      rig.until("offers in later polls", () -> sink.refused.size() >= offered + 5);
      assertThat(sink.arrivals)
          .as("of the other source")
          .hasSize(count)
          .allMatch(a -> a.source() == 1);
      assertThat(sink.refused)
          .as("offered of the refused source")
          .extracting(Arrival::h1)
          .containsOnly(sink.refused.get(0).h1());
      assertThat(sink.refused).allMatch(Arrival::unharmed);
      long first = sink.refused.get(0).h1();
      sink.takes = arrival -> true;
      rig.untilArrived(1, 2 * count);
      List<Arrival> own = sink.arrivals.stream().filter(a -> a.source() == 0).toList();
      assertThat(own.get(0).h1()).as("the first that is taken").isEqualTo(first);
      assertThat(own)
          .extracting(Arrival::h1)
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, count).mapToObj(i -> (long) i).toList());
      assertThat(own).allMatch(Arrival::unharmed);
    }
  }

  /** A message is offered once in each poll. */
  @ByRanks
  default void aRefusedMessageIsOfferedByALaterPollNotByTheSame(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      NetworkRecorder sink = rig.sink(1);
      sink.takes = arrival -> false;
      rig.send(0, 1, 3, 5, 8);
      for (int i = 0; i < 200; i++) {
        int before = sink.refused.size();
        rig.poll(0);
        assertThat(rig.poll(1)).as("what was delivered").isZero();
        assertThat(sink.refused.size() - before).as("offers in one poll").isBetween(0, 1);
      }
      assertThat(sink.refused).hasSizeGreaterThan(1);
      sink.takes = arrival -> true;
      rig.untilArrived(1, 1);
    }
  }

  /** Packets that are refused keep what is in them. */
  @ByRanks
  default void aRefusedPacketIsOfferedAgainUnharmed(int ranks) {
    int length = 1000;
    try (var rig = new NetworkRig(open(ranks))) {
      NetworkRecorder sink = rig.sink(1);
      long address = rig.newPacket(0, length);
      NetworkData.fill(rig.context(0).view(address, length), 0, NetworkData.bytes(9, length));
      assertThat(rig.insist("a packet", () -> rig.device(0).sendPacket(1, 3, 9, address, length)))
          .isEqualTo(NetDevice.OK);
      sink.takes = arrival -> sink.refused.size() >= 10;
      rig.untilArrived(1, 1);
      assertThat(sink.refused).hasSize(10).allMatch(Arrival::unharmed);
      assertThat(sink.arrivals).allMatch(Arrival::unharmed);
      List<Long> back = new ArrayList<>();
      rig.until("the packet's return", () -> rig.context(0).reclaim(back::add) > 0);
      assertThat(back).containsExactly(address);
    }
  }

  /** What a rank refuses to take does not keep its own transfers from ending. */
  @ByRanks
  default void aRefusedMessageHoldsNoCompletionUp(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      NetworkRecorder sink = rig.sink(1);
      sink.takes = arrival -> false;
      rig.send(0, 1, 3, 0, 8);
      rig.until("an offer", () -> !sink.refused.isEmpty());
      MemorySegment remote = MemorySegment.ofArray(new byte[100_000]);
      MemorySegment local = MemorySegment.ofArray(NetworkData.bytes(7, 100_000));
      long key = rig.context(0).register(remote, 0, remote.byteSize(), NetContext.WRITE);
      int result =
          rig.transfer(
              1,
              "a put",
              cookie -> rig.device(1).put(0, local, 0, local.byteSize(), key, 0, 0, 0, cookie));
      assertThat(result).isEqualTo(NetDevice.OK);
      assertThat(remote.mismatch(local)).isEqualTo(-1);
      sink.takes = arrival -> true;
      rig.untilArrived(1, 1);
    }
  }

  /** Notifications can be refused like all messages. */
  @ByRanks
  default void aRefusedNotificationIsOfferedAgain(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      MemorySegment remote = Arena.ofAuto().allocate(8);
      MemorySegment local = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
      long key = rig.context(1).register(remote, 0, 8, NetContext.WRITE);
      NetworkRecorder sink = rig.sink(1);
      sink.takes = arrival -> remote.mismatch(local) < 0 && sink.refused.size() >= 3;
      int result =
          rig.transfer(
              0, "a put", cookie -> rig.device(0).put(1, local, 0, 8, key, 0, 11, 12, cookie));
      assertThat(result).isEqualTo(NetDevice.OK);
      rig.untilArrived(1, 1);
      assertThat(sink.refused).hasSize(3);
    }
  }

  /** A way that is full is free again after progress, nothing is lost, and other ways are open. */
  @ByRanks
  default void aFloodOfMessagesIsHeldBackAndNothingIsLost(int ranks) {
    MemorySegment none = MemorySegment.ofArray(new byte[0]);
    try (var rig = new NetworkRig(open(ranks))) {
      long next = NetworkRig.flood(0, h1 -> rig.device(0).inject(1, 1, h1, none, 0, 0));
      assertThat(next).as("messages before the way was full").isPositive();
      int other = rig.last() == 1 ? 0 : rig.last();
      NetworkRig.postNow(() -> rig.device(0).inject(other, 2, 0, none, 0, 0));
      rig.untilArrived(other, 1);
      rig.untilArrived(1, (int) next);
      for (long h1 = next; h1 < 2 * next; h1++) {
        rig.send(0, 1, 1, h1, 0);
      }
      rig.untilArrived(1, (int) (2 * next));
      assertThat(rig.sink(1).arrivals.stream().map(Arrival::h1).distinct())
          .hasSize((int) (2 * next));
    }
  }

  /** Packets that cannot be sent stay the caller's. */
  @ByRanks
  default void aPacketThatWasRefusedIsStillTheCallers(int ranks) {
    int length = 256;
    try (var rig = new NetworkRig(open(ranks))) {
      List<Long> sent = new ArrayList<>();
      long[] spare = {rig.newPacket(0, length)};
      long next =
          NetworkRig.flood(
              0,
              h1 -> {
                // Written anew at each try: the network must not have it.
                NetworkData.fill(
                    rig.context(0).view(spare[0], length), 0, NetworkData.bytes(h1, length));
                int answer = rig.device(0).sendPacket(1, 1, h1, spare[0], length);
                if (answer == NetDevice.OK) {
                  sent.add(spare[0]);
                  spare[0] = rig.newPacket(0, length);
                }
                return answer;
              });
      rig.untilArrived(1, (int) next);
      assertThat(rig.sink(1).arrivals).allMatch(Arrival::unharmed);
      List<Long> back = new ArrayList<>();
      rig.until(
          "the return of all packets",
          () -> {
            rig.context(0).reclaim(back::add);
            return back.size() >= sent.size();
          });
      assertThat(back).containsExactlyInAnyOrderElementsOf(sent);
    }
  }

  /** Puts with notification are held back like messages. */
  @ByRanks
  default void aFloodOfNotifiedPutsIsHeldBackAndNothingIsLost(int ranks) {
    MemorySegment local = MemorySegment.ofArray(new byte[8]);
    try (var rig = new NetworkRig(open(ranks))) {
      long key = rig.context(1).register(Arena.ofAuto().allocate(8), 0, 8, NetContext.WRITE);
      List<Long> pending = new ArrayList<>();
      long next =
          NetworkRig.flood(
              0,
              number -> {
                int answer = rig.device(0).put(1, local, 0, 8, key, 0, 5, number, number);
                if (answer == NetDevice.PENDING) {
                  pending.add(number);
                }
                return answer;
              });
      rig.untilArrived(1, (int) next);
      rig.until("all completions", () -> rig.sink(0).completions.size() >= pending.size());
      assertThat(rig.sink(0).completions.keySet()).containsExactlyInAnyOrderElementsOf(pending);
      assertThat(rig.sink(0).completions.values()).allMatch(result -> result == NetDevice.OK);
      assertThat(rig.sink(1).arrivals.stream().map(Arrival::h1).distinct()).hasSize((int) next);
    }
  }
}
