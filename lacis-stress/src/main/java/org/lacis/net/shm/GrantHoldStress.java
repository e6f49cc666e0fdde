package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Memory is used for something else as soon as its registration has ended and it is not in use,
 * while a peer accesses it: the peer finds it as it was, or is refused.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Refused.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Accessed before it ended.")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Found to be in use.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Refused, but took it for a moment.")
@Outcome(expect = FORBIDDEN, desc = "The peer was at memory that was used for something else.")
@State
public class GrantHoldStress {
  private final MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
  private final long key =
      StressFile.REGISTRATIONS.register(memory, 0, Long.BYTES, NetContext.READ);

  /** Ends the registration, and uses the memory if it may. */
  @Actor
  public void owner(II_Result result) {
    StressFile.REGISTRATIONS.deregister(key);
    if (!StressFile.REGISTRATIONS.inUse(key)) {
      Memory.putLong(memory.address(), 1);
      result.r2 = 1;
    }
  }

  /** Reads, if it may. */
  @Actor
  public void peer(II_Result result) {
    long table = StressFile.PEER.table;
    long grant = Grant.hold(table, key, 0, Long.BYTES, NetContext.READ);
    if (grant != Grant.REFUSED) {
      result.r1 = Memory.getLong(Grant.place(grant)) == 0 ? 1 : -1;
      Grant.release(table, key);
    }
  }
}
