package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.lacis.net.NetDevice;

/** Of networks that copy messages by themselves, without a packet of their sender's. */
public interface NetworkCopies extends NetworkSuite {

  /** Who keeps what the network has copied holds its sender back, as with packets. */
  @ByRanks
  default void whoKeepsCopiesHoldsTheirSenderBack(int ranks) {
    long many = 100_000;
    MemorySegment payload = MemorySegment.ofArray(new byte[8]);
    try (var rig = new NetworkRig(open(ranks))) {
      NetDevice device = rig.device(0);
      assertThat(device.copyLimit(1)).as("what is copied").isGreaterThanOrEqualTo(8);
      NetworkRecorder sink = rig.sink(1);
      sink.keepsLeases = true;
      long sent = 0;
      for (int refused = 0; refused < 100 && sent < many; ) {
        int answer = device.sendCopy(1, 1, 0, payload, 0, 8);
        sent += answer == NetDevice.OK ? 1 : 0;
        refused = answer == NetDevice.OK ? 0 : refused + 1;
        assertThat(answer == NetDevice.OK || NetworkRig.lacksRoom(answer)).isTrue();
        rig.pump();
      }
      assertThat(sent).isLessThan(many);
      assertThat(sink.gone).isEmpty();
      rig.untilArrived(1, (int) sent);
      sink.leased.forEach(a -> rig.context(1).release(a.lease()));
      sink.leased.clear();
      assertThat(rig.insist("a copy", () -> device.sendCopy(1, 1, 0, payload, 0, 8)))
          .isEqualTo(NetDevice.OK);
      rig.untilArrived(1, (int) sent + 1);
      sink.leased.forEach(a -> rig.context(1).release(a.lease()));
      sink.leased.clear();
    }
  }
}
