package org.lacis.net.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;
import org.lacis.testkit.Altered;
import org.lacis.testkit.Await;
import org.lacis.testkit.LocalFabric;

/** A rank that does not keep to what was agreed on is given up, whatever it says. */
@Timeout(100)
class OfiUnrulyTest {

  private static final Duration DETECTION = Duration.ofMillis(500);

  /** Takes messages, or not, and counts them. */
  private static final class Gate implements NetSink {
    private boolean open;
    private int taken;
    private @Nullable PeerEnd end;

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      taken += open ? 1 : 0;
      return open;
    }

    @Override
    public void completed(long cookie, int result) {
      throw new AssertionError("nothing was asked for, but " + cookie + " has ended");
    }

    @Override
    public void peerGone(int peer, PeerEnd how) {
      end = how;
    }
  }

  private final Gate own = new Gate();
  private final Gate gate = new Gate();
  private LocalFabric fabric;
  private OfiDevice unruly;
  private OfiDevice device;

  @BeforeEach
  void open() {
    Providers.assume("tcp");
    System.setProperty(Providers.PROVIDER, "tcp");
    try {
      fabric = LocalFabric.open(2, rank -> Altered.detection(new OfiNetwork(), DETECTION));
      List<NetDevice> devices = fabric.openDevices();
      unruly = (OfiDevice) devices.get(0);
      device = (OfiDevice) devices.get(1);
    } finally {
      System.clearProperty(Providers.PROVIDER);
    }
  }

  @AfterEach
  void close() {
    if (fabric != null) {
      fabric.close();
    }
  }

  private void poll() {
    unruly.poll(own, 64);
    device.poll(gate, 64);
  }

  @Test
  void whoSendsMoreThanThereIsRoomForIsGivenUp() {
    Await.until(
        "that it is given up",
        () -> {
          Peer peer = unruly.roster.peer(1);
          peer.sentTaken = peer.sent; // whatever it was told
          unruly.inject(1, 1, 2, MemorySegment.NULL, 0, 0);
          poll();
          return device.roster.peer(0).gone != null;
        });
    assertThat(gate.end).as("before all that has come was taken").isNull();
    gate.open = true;
    Await.until(
        "that the end is told",
        () -> {
          poll();
          return gate.end != null;
        });
    assertThat(gate.end).isEqualTo(PeerEnd.DIED);
    assertThat(gate.taken).isEqualTo(LocalFabric.RING_CELLS);
    Await.until(
        "that the other one knows",
        () -> {
          poll();
          return own.end != null;
        });
  }

  @Test
  void whoSendsPartsOfMoreThanAPacketIsGivenUp() {
    gate.open = true;
    Await.until(
        "that it is given up",
        () -> {
          unruly.outbox.send(unruly.roster.peer(1), unruly.outbox.take(), Frame.PART, 0, 0, 1000);
          poll();
          return gate.end != null;
        });
    assertThat(gate.end).isEqualTo(PeerEnd.DIED);
    assertThat(gate.taken).isZero();
  }

  /** It says that there were messages before it that never come. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000, Integer.MAX_VALUE})
  void aFarewellBehindMessagesThatNeverComeIsBelievedInTheEnd(int missing) {
    gate.open = true;
    Peer peer = unruly.roster.peer(1);
    peer.sent += missing;
    unruly.outbox.note(peer, Frame.GOODBYE);
    Await.until(
        "that the end is told",
        () -> {
          unruly.outbox.flush();
          device.poll(gate, 64);
          return gate.end != null;
        });
    assertThat(gate.end).isEqualTo(PeerEnd.CLOSED);
    assertThat(gate.taken).isZero();
  }
}
