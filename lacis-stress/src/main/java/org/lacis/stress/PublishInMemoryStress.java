package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.lacis.net.Memory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * What every ring relies on: who sees a word written with release sees the payload written before.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Looked before anything was written.")
@Outcome(id = "0, 7", expect = ACCEPTABLE, desc = "The payload is there, the flag not yet.")
@Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "Both are there.")
@Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The flag without the payload.")
@State
public class PublishInMemoryStress {
  // Reachable for as long as its address is used; memory of an automatic arena ends with it.
  private final MemorySegment memory = Arena.ofAuto().allocate(256, 128);
  private final long payload = memory.address();
  private final long flag = payload + 128;

  /** Writes the payload, then the flag. */
  @Actor
  public void writer() {
    Memory.putLong(payload, 7);
    Memory.putLongRelease(flag, 1);
    Reference.reachabilityFence(memory);
  }

  /** Reads the flag, then the payload. */
  @Actor
  public void reader(JJ_Result result) {
    result.r1 = Memory.getLongAcquire(flag);
    result.r2 = Memory.getLong(payload);
    Reference.reachabilityFence(memory);
  }
}
