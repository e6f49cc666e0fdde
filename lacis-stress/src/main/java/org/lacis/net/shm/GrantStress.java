package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.net.NetContext;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An entry of the table gets another range while a peer looks its key up: the peer is told of the
 * range its key stands for, or refused.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Granted.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Ended.")
@Outcome(expect = FORBIDDEN, desc = "A range, or a length, of another registration.")
@State
public class GrantStress {
  private static final MemorySegment SHORT = Arena.global().allocate(64);
  private static final MemorySegment LONG = Arena.global().allocate(128);

  private static volatile Registered current = register(SHORT);

  private record Registered(long key, MemorySegment segment) {}

  private static Registered register(MemorySegment segment) {
    long length = segment.byteSize();
    long key = StressFile.REGISTRATIONS.register(segment, 0, length, NetContext.READ);
    return new Registered(key, segment);
  }

  /** Ends a registration and makes another, which gets the same entry. */
  @Actor
  public void owner() {
    Registered old = current;
    StressFile.REGISTRATIONS.deregister(old.key);
    current = register(old.segment.equals(SHORT) ? LONG : SHORT);
  }

  /** Asks for all of it, and for more. */
  @Actor
  public void peer(II_Result result) {
    Registered known = current;
    long length = known.segment.byteSize();
    long table = StressFile.PEER.table;
    long grant = Grant.ask(table, known.key, 0, length, NetContext.READ);
    if (grant != Grant.REFUSED) {
      result.r1 = Grant.place(grant) == known.segment.address() ? 1 : -1;
    }
    long more = Grant.ask(table, known.key, 0, length + 1, NetContext.READ);
    result.r2 = more == Grant.REFUSED ? 0 : -1;
  }
}
