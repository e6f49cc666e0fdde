package org.lacis.net.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An entry gets another array while a thread writes for a peer, by the key of the one before: it
 * never writes to the array it has no key of.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Written.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Refused.")
@Outcome(expect = FORBIDDEN, desc = "Written to the wrong array.")
@State
public class RegistrationsStress {
  private static final long RAW = Arena.global().allocate(8, 8).address();

  private static volatile Registered current = register(1);

  private record Registered(long key, MemorySegment array, long number) {}

  private static Registered register(long number) {
    MemorySegment array = MemorySegment.ofArray(new long[1]);
    long key = StressFile.REGISTRATIONS.register(array, 0, Long.BYTES, NetContext.WRITE);
    return new Registered(key, array, number);
  }

  /** Looks at an array, ends its registration and makes another, which gets the same entry. */
  @Actor
  public void owner(II_Result result) {
    Registered old = current;
    StressFile.REGISTRATIONS.deregister(old.key);
    long found = old.array.get(JAVA_LONG, 0);
    result.r1 = found == 0 || found == old.number ? 0 : 1;
    current = register(old.number + 1);
  }

  /** Writes its number to an array. */
  @Actor
  public void server(II_Result result) {
    Registered known = current;
    Memory.putLong(RAW, known.number);
    int answer = StressFile.REGISTRATIONS.serve(true, known.key, 0, Long.BYTES, RAW);
    result.r2 = answer == NetDevice.OK ? 1 : 0;
  }
}
