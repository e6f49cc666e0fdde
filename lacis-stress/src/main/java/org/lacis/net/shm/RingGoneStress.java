package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.net.NetDevice;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A peer goes while a packet is sent to it: the packet comes back if the send was accepted. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Sent, and it came back.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Refused: the sender still has it.")
@Outcome(expect = FORBIDDEN, desc = "The packet is lost, or in two hands.")
@State
public class RingGoneStress {
  private final StressRing ring = new StressRing(2);
  private final StressPacket packet = new StressPacket();

  /** Sends the packet. */
  @Actor
  public void sender(II_Result result) {
    result.r1 = packet.send(ring.writer) == NetDevice.OK ? 1 : 0;
  }

  /** Winds up. */
  @Actor
  public void windUp() {
    while (!ring.writer.markGone() || !ring.writer.isSettled()) {
      Thread.onSpinWait();
    }
    ring.writer.recover(StressFile.RETURNS, 0, 0);
  }

  /** Counts. */
  @Arbiter
  public void returned(II_Result result) {
    result.r2 = packet.returned();
  }
}
