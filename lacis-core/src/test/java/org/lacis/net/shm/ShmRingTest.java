package org.lacis.net.shm;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** Messages inside of cells: the rings themselves. */
class ShmRingTest {

  private static final int CELLS = 64;
  private static final MemorySegment NOTHING = MemorySegment.NULL;

  @ParameterizedTest
  @CsvSource({"0, 40", "40, 40", "41, 104", "104, 104", "105, 232", "128, 232"})
  void everyLengthUpToTheLimitArrivesWhole(int asked, int limit) {
    try (var ranks = LocalRanks.open(2, 4L << 20, CELLS, asked)) {
      assertThat(ranks.contexts[0].injectLimit()).isEqualTo(limit);
      var bytes = new byte[256];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (i + 1);
      }
      for (int length = 0; length <= limit; length++) {
        int answer =
            ranks.devices[0].inject(
                1, length + 1, -length, MemorySegment.ofArray(bytes), 3, length);
        assertThat(answer).isEqualTo(NetDevice.OK);
        assertThat(ranks.poll(1)).isEqualTo(1);
        var message = ranks.sinks[1].messages.getLast();
        assertThat(message.source()).isZero();
        assertThat(message.h0()).isEqualTo(length + 1);
        assertThat(message.h1()).isEqualTo(-length);
        assertThat(message.lease()).isZero();
        assertThat(message.payload()).isEqualTo(new String(bytes, 3, length, ISO_8859_1));
      }
      MemorySegment payload = MemorySegment.ofArray(bytes);
      assertThatThrownBy(() -> ranks.devices[0].inject(1, 1, 0, payload, 0, limit + 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the limit is " + limit);
    }
  }

  @Test
  void aRankSendsToItself() {
    try (var ranks = LocalRanks.open(1)) {
      assertThat(ranks.devices[0].inject(0, 7, 8, NOTHING, 0, 0)).isEqualTo(NetDevice.OK);
      assertThat(ranks.poll(0)).isEqualTo(1);
      assertThat(ranks.sinks[0].messages.getFirst().h0()).isEqualTo(7);
    }
  }

  @Test
  void theRingWrapsManyTimes() {
    try (var ranks = LocalRanks.open(2)) {
      int sent = 0;
      for (int round = 0; round < 500; round++) {
        for (int i = 0; i <= round % CELLS; i++) {
          assertThat(ranks.devices[0].inject(1, ++sent, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.OK);
        }
        ranks.poll(1);
        assertThat(ranks.sinks[1].messages).hasSize(sent);
      }
      for (int i = 0; i < sent; i++) {
        assertThat(ranks.sinks[1].messages.get(i).h0()).isEqualTo(i + 1);
      }
    }
  }

  @Test
  void aFullRingSaysSoAndGoesOnWhenItIsRead() {
    try (var ranks = LocalRanks.open(2)) {
      fill(ranks, CELLS);
      assertThat(ranks.devices[0].inject(1, 99, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.FULL);
      // One message read is room for one.
      assertThat(ranks.devices[1].poll(ranks.sinks[1], 1)).isEqualTo(1);
      assertThat(ranks.devices[0].inject(1, 100, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.OK);
      assertThat(ranks.devices[0].inject(1, 101, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.FULL);
      ranks.poll(1);
      assertThat(ranks.sinks[1].messages).hasSize(CELLS + 1);
      assertThat(ranks.sinks[1].messages.getLast().h0()).isEqualTo(100);
      fill(ranks, CELLS);
    }
  }

  @Test
  void ringsOfOneCellWork() {
    try (var ranks = LocalRanks.open(2, 1 << 20, 1)) {
      for (int i = 1; i < 100; i++) {
        assertThat(ranks.devices[0].inject(1, i, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.OK);
        assertThat(ranks.devices[0].inject(1, i, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.FULL);
        assertThat(ranks.poll(1)).isEqualTo(1);
        assertThat(ranks.sinks[1].messages.getLast().h0()).isEqualTo(i);
      }
    }
  }

  @Test
  void aRefusedMessageStaysAndOtherSourcesGoOn() {
    try (var ranks = LocalRanks.open(3)) {
      ranks.devices[0].inject(2, 1, 0, NOTHING, 0, 0);
      ranks.devices[0].inject(2, 2, 0, NOTHING, 0, 0);
      ranks.devices[1].inject(2, 3, 0, NOTHING, 0, 0);
      var sink = ranks.sinks[2];
      NetSink picky =
          new NetSink() {
            @Override
            public boolean message(
                int source, long h0, long h1, long address, int length, long lease) {
              return source != 0 && sink.message(source, h0, h1, address, length, lease);
            }

            @Override
            public void completed(long cookie, int result) {}

            @Override
            public void peerGone(int peer, PeerEnd how) {}
          };
      for (int i = 0; i < 10; i++) {
        ranks.devices[2].poll(picky, 64);
      }
      assertThat(sink.messages).extracting(RecordingSink.Message::h0).containsExactly(3L);
      ranks.poll(2);
      assertThat(sink.messages).extracting(RecordingSink.Message::h0).containsExactly(3L, 1L, 2L);
    }
  }

  @Test
  void aSourceThatFloodsDoesNotKeepTheOthersWaiting() {
    try (var ranks = LocalRanks.open(4)) {
      for (int i = 0; i < CELLS; i++) {
        ranks.devices[0].inject(3, 1, 0, NOTHING, 0, 0);
      }
      ranks.devices[1].inject(3, 2, 0, NOTHING, 0, 0);
      ranks.devices[2].inject(3, 3, 0, NOTHING, 0, 0);
      for (int i = 0; i < 4; i++) {
        assertThat(ranks.devices[3].poll(ranks.sinks[3], 4)).isBetween(1, 4);
        ranks.devices[0].inject(3, 1, 0, NOTHING, 0, 0);
      }
      assertThat(ranks.sinks[3].messages).extracting(RecordingSink.Message::h0).contains(2L, 3L);
    }
  }

  @Test
  void aSinkThatThrowsDoesNotSeeMessagesTwice() {
    try (var ranks = LocalRanks.open(2)) {
      fill(ranks, 3);
      int[] calls = {0};
      ranks.sinks[1].onMessage =
          () -> {
            if (++calls[0] == 2) {
              throw new IllegalStateException("no");
            }
          };
      assertThatThrownBy(() -> ranks.poll(1)).isInstanceOf(IllegalStateException.class);
      assertThat(ranks.poll(1)).isEqualTo(2);
      assertThat(ranks.sinks[1].messages)
          .extracting(RecordingSink.Message::h0)
          .containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void aMistakeThrowsAndLeavesTheRingUsable() {
    try (var ranks = LocalRanks.open(2)) {
      NetDevice device = ranks.devices[0];
      MemorySegment small = MemorySegment.ofArray(new byte[8]);
      assertThatThrownBy(() -> device.inject(1, 1, 0, small, 0, 41))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> device.inject(1, 1, 0, small, 4, 8))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> device.inject(2, 1, 0, small, 0, 8))
          .isInstanceOf(IndexOutOfBoundsException.class);
      Arena arena = Arena.ofConfined();
      MemorySegment gone = arena.allocate(8);
      arena.close();
      assertThatThrownBy(() -> device.inject(1, 1, 0, gone, 0, 8))
          .isInstanceOf(IllegalStateException.class);
      assertThat(device.inject(1, 5, 0, small, 0, 8)).isEqualTo(NetDevice.OK);
      assertThat(ranks.poll(1)).isEqualTo(1);
      assertThat(ranks.sinks[1].messages).extracting(RecordingSink.Message::h0).containsExactly(5L);
    }
  }

  @Test
  void devicesDoNotMeet() {
    try (var ranks = LocalRanks.open(2)) {
      NetDevice[] others = ranks.openDevices();
      others[0].inject(1, 1, 0, NOTHING, 0, 0);
      assertThat(ranks.poll(1)).isZero();
      assertThat(others[1].poll(ranks.sinks[1], 64)).isEqualTo(1);
    }
  }

  @Test
  void aClosedDeviceAnswersBusy() {
    try (var ranks = LocalRanks.open(2)) {
      NetDevice device = ranks.devices[0];
      MemorySegment memory = Arena.ofAuto().allocate(64);
      long key = ranks.contexts[1].register(memory, 0, 64, 3);
      device.close();
      device.close();
      assertThat(device.inject(1, 1, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.BUSY);
      assertThat(device.put(1, memory, 0, 8, key, 0, 0, 0, 0)).isEqualTo(NetDevice.BUSY);
      assertThat(device.get(1, memory, 0, 8, key, 0, 1, 0, 0)).isEqualTo(NetDevice.BUSY);
      long packet = ranks.contexts[0].allocate(256, 64) + 64;
      assertThat(device.sendPacket(1, 1, 0, packet, 8)).isEqualTo(NetDevice.BUSY);
      assertThat(device.poll(ranks.sinks[0], 64)).isZero();
    }
  }

  private static void fill(LocalRanks ranks, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(ranks.devices[0].inject(1, i + 1, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.OK);
    }
  }
}
