package org.lacis.net.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetException;
import org.lacis.net.NetSink;
import org.lacis.net.Network;
import org.lacis.net.PeerEnd;
import org.lacis.net.Probe;

/** The simulated network tells callers what other networks cannot afford to check. */
class SimMisuseTest {

  private final Ranks ranks =
      new Ranks(SimOptions.defaults().withPendingLimit(2).withRegistrationLimit(2));
  private final MemorySegment bytes = MemorySegment.ofArray(new byte[1024]);

  @Test
  void anEmptyHeaderIsRefused() {
    assertThatThrownBy(() -> ranks.devices[0].inject(1, 0, 0, bytes, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void moreThanTheLimitIsRefused() {
    assertThatThrownBy(() -> ranks.devices[0].inject(1, 1, 0, bytes, 0, 193))
        .hasMessageContaining("limit is 192");
  }

  @Test
  void aRankThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> ranks.devices[0].inject(2, 1, 0, bytes, 0, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aPacketOutsideAllocatedMemoryIsRefused() {
    long address = ranks.contexts[0].allocate(256, 64);
    assertThatThrownBy(() -> ranks.devices[0].sendPacket(1, 1, 0, address, 10))
        .hasMessageContaining("allocate");
    assertThatThrownBy(() -> ranks.devices[0].sendPacket(1, 1, 0, address + 64, 193))
        .hasMessageContaining("allocate");
    assertThatThrownBy(() -> ranks.devices[1].sendPacket(0, 1, 0, address + 64, 10))
        .hasMessageContaining("allocate");
  }

  @Test
  void aPacketIsNotSentTwiceNorFreedWhileOut() {
    long address = ranks.contexts[0].allocate(256, 64);
    ranks.devices[0].sendPacket(1, 1, 0, address + 64, 10);
    assertThatThrownBy(() -> ranks.devices[0].sendPacket(1, 1, 0, address + 64, 10))
        .hasMessageContaining("reclaimed");
    assertThatThrownBy(() -> ranks.contexts[0].free(address, 256))
        .hasMessageContaining("1 packets");
    ranks.drain();
    ranks.contexts[0].free(address, 256);
    assertThatThrownBy(() -> ranks.contexts[0].free(address, 256))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLeaseIsReleasedOnce() {
    assertThatThrownBy(() -> ranks.contexts[0].release(99)).hasMessageContaining("lease 99");
  }

  @Test
  void aDeviceIsNotPolledFromItsOwnSink() {
    ranks.send(0, 0, "x");
    NetSink again =
        new NetSink() {
          @Override
          public boolean message(
              int source, long h0, long h1, long address, int length, long lease) {
            ranks.devices[0].poll(this, 1);
            return true;
          }

          @Override
          public void completed(long cookie, int result) {}

          @Override
          public void peerGone(int peer, PeerEnd how) {}
        };
    assertThatThrownBy(() -> ranks.devices[0].poll(again, 1)).hasMessageContaining("two threads");
    ranks.drain();
    assertThat(ranks.log).as("what the failing sink did not take").hasSize(1);
  }

  @Test
  void readOnlyMemoryIsNotWritten() {
    assertThatThrownBy(() -> ranks.contexts[0].register(bytes.asReadOnly(), 0, 8, NetContext.WRITE))
        .hasMessageContaining("read-only");
    assertThatThrownBy(() -> ranks.devices[0].get(1, bytes.asReadOnly(), 0, 8, 1, 0, 0, 0, 0))
        .hasMessageContaining("read-only");
  }

  @Test
  void rightsAreReadWriteOrBoth() {
    assertThatThrownBy(() -> ranks.contexts[0].register(bytes, 0, 8, 4))
        .hasMessageContaining("rights");
    assertThatThrownBy(() -> ranks.contexts[0].register(bytes, 0, 8, 0))
        .hasMessageContaining("rights");
  }

  @Test
  void tablesAreBounded() {
    long first = ranks.contexts[1].register(bytes, 0, 8, NetContext.READ);
    assertThat(ranks.contexts[1].register(bytes, 0, 8, NetContext.READ)).isNotZero();
    assertThat(ranks.contexts[1].register(bytes, 0, 8, NetContext.READ)).isZero();
    MemorySegment local = MemorySegment.ofArray(new byte[8]);
    for (int i = 0; i < 2; i++) {
      assertThat(ranks.devices[0].get(1, local, 0, 8, first, 0, 0, 0, 1))
          .isEqualTo(NetDevice.PENDING);
    }
    assertThat(ranks.devices[0].get(1, local, 0, 8, first, 0, 0, 0, 1))
        .isEqualTo(NetDevice.NO_MEMORY);
    ranks.drain();
    assertThat(ranks.devices[0].get(1, local, 0, 8, first, 0, 0, 0, 1))
        .isEqualTo(NetDevice.PENDING);
  }

  @Test
  void memoryFreedBeforeTheEndOfATransferMakesItFail() {
    long key;
    try (Arena arena = Arena.ofConfined()) {
      key = ranks.contexts[1].register(arena.allocate(8), 0, 8, NetContext.WRITE);
    }
    ranks.devices[0].put(1, bytes, 0, 8, key, 0, 0, 0, 4);
    ranks.drain();
    assertThat(ranks.log.getLast()).endsWith("completed 4 " + NetDevice.NO_ACCESS);
  }

  @Test
  void memoryOfOneThreadIsReachedFromAll() throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment confined = arena.allocate(8);
      long key = ranks.contexts[1].register(confined, 0, 8, NetContext.WRITE);
      bytes.fill((byte) 9);
      ranks.devices[0].put(1, bytes, 0, 8, key, 0, 0, 0, 4);
      Thread other = Thread.ofPlatform().start(ranks::drain);
      other.join(10_000);
      assertThat(confined.mismatch(bytes.asSlice(0, 8))).isEqualTo(-1);
    }
  }

  @Test
  void aRankIsOpenedOnceAndAsItself() {
    SimFabric fabric = SimFabric.create(SimOptions.defaults());
    Network network = fabric.network(1);
    assertThat(network.probe()).isInstanceOf(Probe.Ready.class);
    assertThatThrownBy(
            () -> network.open(new Network.Setup(fabric.exchange(0), 0, 1, Duration.ofSeconds(1))))
        .hasMessageContaining("rank 0");
    network.open(new Network.Setup(fabric.exchange(1), 0, 1, Duration.ofSeconds(1)));
    assertThatThrownBy(() -> fabric.open(1)).isInstanceOf(NetException.class);
  }

  @Test
  void optionsThatMakeNoSenseAreRefusedByName() {
    SimOptions options = SimOptions.defaults();
    assertThatThrownBy(() -> options.withRanks(0)).hasMessage("ranks is 0 but must be at least 1");
    assertThatThrownBy(() -> options.withFullProbability(1))
        .hasMessageContaining("fullProbability");
    assertThatThrownBy(() -> new CostModel(Duration.ZERO, Duration.ZERO, Duration.ZERO, Double.NaN))
        .hasMessageContaining("NaN");
  }
}
