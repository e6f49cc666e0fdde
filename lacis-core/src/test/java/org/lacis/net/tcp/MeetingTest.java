package org.lacis.net.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lacis.net.NetException;

/**
 * Peers who never come: who is known to be dead is not waited for, and is the one that is named.
 */
@Timeout(20)
class MeetingTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  /** The rank that has died is learned of when the meeting has begun to wait. */
  private static NetException fails(int rank, SocketAddress silent) throws Exception {
    InetSocketAddress address = (InetSocketAddress) silent;
    var addresses = new InetSocketAddress[] {address, address};
    AtomicInteger asked = new AtomicInteger();
    Runnable check =
        () -> {
          if (asked.incrementAndGet() > 3) {
            throw new NetException(7, "rank 7 has died");
          }
        };
    try (DoorRig rig = new DoorRig(null);
        var meeting = new Meeting(rank, addresses, rig.proof, null, rig.door, LONG)) {
      return catchThrowableOfType(NetException.class, () -> meeting.connect(0, check));
    }
  }

  @Test
  void whoWaitsForOneWhoHasToCome() throws Exception {
    assertThat(fails(1, new InetSocketAddress(DoorRig.HERE, 0)).lostRank()).isEqualTo(7);
  }

  @Test
  void whoHasConnectedToOneWhoSaysNothing() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, DoorRig.HERE)) {
      assertThat(fails(0, silent.getLocalSocketAddress()).lostRank()).isEqualTo(7);
    }
  }

  /** One that is not there any more may have ended because another one had died. */
  @Test
  void whoIsRefusedByOneThatHasEndedBecauseOfAnother() throws Exception {
    SocketAddress left;
    try (ServerSocket server = new ServerSocket(0, 5, DoorRig.HERE)) {
      left = server.getLocalSocketAddress();
    }
    var addresses = new InetSocketAddress[] {(InetSocketAddress) left, (InetSocketAddress) left};
    Runnable check =
        () -> {
          throw new NetException(7, "rank 7 has died");
        };
    try (DoorRig rig = new DoorRig(null);
        var meeting = new Meeting(0, addresses, rig.proof, null, rig.door, LONG)) {
      NetException e = catchThrowableOfType(NetException.class, () -> meeting.connect(0, check));
      assertThat(e.lostRank()).isEqualTo(7);
    }
  }
}
