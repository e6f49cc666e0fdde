package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/** Packets: read where the sender wrote them, and given back. */
class ShmPacketTest {

  private static final int PAYLOAD = 1000;

  @Test
  void aPacketIsReadInPlaceAndComesBack() {
    try (var ranks = LocalRanks.open(2)) {
      long packet = packet(ranks.contexts[0]);
      Memory.putLong(packet, 0x1234);
      assertThat(ranks.devices[0].sendPacket(1, 5, 6, packet, PAYLOAD)).isEqualTo(NetDevice.OK);
      ranks.sinks[1].keepLeases = true;
      ranks.poll(1);
      var message = ranks.sinks[1].messages.getFirst();
      assertThat(message.lease()).isNotZero();
      assertThat(message.payload()).hasSize(PAYLOAD);
      // The same bytes, not a copy of them.
      Memory.putLong(packet, 0x5678);
      assertThat(Memory.getLong(message.address())).isEqualTo(0x5678);
      assertThat(
              ranks
                  .contexts[1]
                  .view(message.address(), 8)
                  .get(java.lang.foreign.ValueLayout.JAVA_LONG, 0))
          .isEqualTo(0x5678);
      assertThat(reclaim(ranks.contexts[0])).isEmpty();
      ranks.contexts[1].release(message.lease());
      assertThat(reclaim(ranks.contexts[0])).containsExactly(packet);
      assertThat(reclaim(ranks.contexts[0])).isEmpty();
    }
  }

  @Test
  void packetsComeBackInAnyOrderFromEveryRank() {
    try (var ranks = LocalRanks.open(3)) {
      var random = new Random(42);
      var sent = new ArrayList<Long>();
      for (int i = 0; i < 60; i++) {
        long packet = packet(ranks.contexts[0]);
        sent.add(packet);
        assertThat(ranks.devices[0].sendPacket(i % 3, 1, i, packet, 8)).isEqualTo(NetDevice.OK);
      }
      var back = new ArrayList<Long>();
      for (int rank = 0; rank < 3; rank++) {
        var sink = ranks.sinks[rank];
        sink.keepLeases = true;
        ranks.poll(rank);
        assertThat(sink.messages).hasSize(20);
        var messages = new ArrayList<>(sink.messages);
        Collections.shuffle(messages, random);
        for (var message : messages) {
          ranks.contexts[rank].release(message.lease());
          if (random.nextInt(3) == 0) {
            back.addAll(reclaim(ranks.contexts[0]));
          }
        }
      }
      back.addAll(reclaim(ranks.contexts[0]));
      assertThat(back).containsExactlyInAnyOrderElementsOf(sent);
    }
  }

  @Test
  void aLeaseIsReleasedOnce() {
    try (var ranks = LocalRanks.open(2)) {
      long packet = packet(ranks.contexts[0]);
      ranks.sinks[1].keepLeases = true;
      ranks.devices[0].sendPacket(1, 1, 0, packet, 8);
      ranks.poll(1);
      long lease = ranks.sinks[1].messages.getFirst().lease();
      ranks.contexts[1].release(lease);
      assertThatThrownBy(() -> ranks.contexts[1].release(lease))
          .isInstanceOf(IllegalStateException.class);
      assertThat(reclaim(ranks.contexts[0])).containsExactly(packet);
      assertThatThrownBy(() -> ranks.contexts[1].release(lease))
          .isInstanceOf(IllegalStateException.class);
      // Not even when the packet is out again.
      ranks.devices[0].sendPacket(1, 1, 0, packet, 8);
      ranks.poll(1);
      assertThatThrownBy(() -> ranks.contexts[1].release(lease))
          .isInstanceOf(IllegalStateException.class);
      assertThat(reclaim(ranks.contexts[0])).isEmpty();
      assertThatThrownBy(() -> ranks.contexts[1].release(0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aRefusedPacketStaysTheSendersAndARefusedMessageKeepsItsPacket() {
    try (var ranks = LocalRanks.open(2, 1 << 20, 2)) {
      long first = packet(ranks.contexts[0]);
      long second = packet(ranks.contexts[0]);
      long third = packet(ranks.contexts[0]);
      assertThat(ranks.devices[0].sendPacket(1, 1, 0, first, 8)).isEqualTo(NetDevice.OK);
      assertThat(ranks.devices[0].sendPacket(1, 2, 0, second, 8)).isEqualTo(NetDevice.OK);
      assertThat(ranks.devices[0].sendPacket(1, 3, 0, third, 8)).isEqualTo(NetDevice.FULL);
      ranks.sinks[1].refuse = true;
      assertThat(ranks.poll(1)).isZero();
      assertThat(reclaim(ranks.contexts[0])).isEmpty();
      ranks.sinks[1].refuse = false;
      assertThat(ranks.poll(1)).isEqualTo(2);
      assertThat(reclaim(ranks.contexts[0])).containsExactlyInAnyOrder(first, second);
    }
  }

  @Test
  void undeliveredPacketsComeBackWhenTheReceiverCloses() {
    try (var ranks = LocalRanks.open(2)) {
      long packet = packet(ranks.contexts[0]);
      ranks.devices[0].sendPacket(1, 1, 0, packet, 8);
      ranks.contexts[1].close();
      assertThat(reclaim(ranks.contexts[0])).containsExactly(packet);
    }
  }

  @Test
  void packetsOfAReceiverThatNeverReleasedThemComeBackWhenItIsGone() {
    try (var ranks = LocalRanks.open(2)) {
      long packet = packet(ranks.contexts[0]);
      ranks.sinks[1].keepLeases = true;
      ranks.devices[0].sendPacket(1, 1, 0, packet, 8);
      ranks.poll(1);
      ranks.contexts[1].close();
      ranks.until("rank 1 to be gone", () -> !ranks.sinks[0].gone.isEmpty());
      assertThat(reclaim(ranks.contexts[0])).containsExactly(packet);
    }
  }

  /** As one that was stopped, and wakes. */
  @Test
  void whoWasGivenUpMayReleaseWhatWasTakenBack() {
    try (var ranks = LocalRanks.open(2)) {
      long packet = packet(ranks.contexts[0]);
      ranks.sinks[1].keepLeases = true;
      ranks.devices[0].sendPacket(1, 1, 0, packet, 8);
      ranks.poll(1);
      ranks.contexts[0].giveUp(1);
      ranks.until("rank 1 to be given up", () -> !ranks.sinks[0].gone.isEmpty());
      assertThat(reclaim(ranks.contexts[0])).containsExactly(packet);
      ranks.contexts[1].release(ranks.sinks[1].messages.getFirst().lease());
      assertThat(reclaim(ranks.contexts[0])).isEmpty();
      ranks.until("rank 1 to hear of it", () -> !ranks.sinks[1].gone.isEmpty());
    }
  }

  @Test
  void whatIsNotAPacketIsRejected() {
    try (var ranks = LocalRanks.open(1)) {
      NetDevice device = ranks.devices[0];
      long packet = packet(ranks.contexts[0]);
      assertThatThrownBy(() -> device.sendPacket(0, 1, 0, packet + 1, 8))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> device.sendPacket(0, 1, 0, packet, Integer.MAX_VALUE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> device.sendPacket(0, 1, 0, packet, -1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> device.sendPacket(0, 1, 0, 4096, 8))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static long packet(NetContext context) {
    long address = context.allocate(PAYLOAD + NetContext.PACKET_HEADER, 64);
    assertThat(address).isNotZero();
    return address + NetContext.PACKET_HEADER;
  }

  private static List<Long> reclaim(NetContext context) {
    var packets = new ArrayList<Long>();
    int count = context.reclaim(packets::add);
    assertThat(packets).hasSize(count);
    return packets;
  }
}
