package org.lacis.bench.subject;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.Lacis;
import org.lacis.collective.Collective;
import org.lacis.collective.Collectives;
import org.lacis.collective.Reduction;

/**
 * A collective of all ranks, built once, run again and again. Long data is written before each
 * time, which is not measured: or else it would stay in the cache of whoever works on it. Then each
 * time is measured by itself, and the one in the middle counts.
 */
final class Together extends LacisWork {
  private static final int LONG = 4096;

  private final MemorySegment buffer;
  private final Collective<?> collective;

  Together(Lacis lacis, Collectives collectives, String kind, int bytes, boolean mapped) {
    super(lacis);
    buffer = mapped ? lacis.allocate(bytes, 64).segment() : Arena.ofAuto().allocate(bytes, 64);
    collective =
        switch (kind) {
          case "allreduce" -> collectives.newAllreduce(buffer, buffer, Reduction.SUM_LONG);
          case "allgather" ->
              collectives.newAllgather(
                  buffer, Arena.ofAuto().allocate((long) bytes * lacis.size(), 64));
          case "bcast" -> collectives.newBroadcast(buffer, 0);
          default -> collectives.newBarrier();
        };
  }

  @Override
  Timing measure(Command command) {
    long nanos = buffer.byteSize() < LONG ? inARow(command.count()) : withNewData(command.count());
    return Timing.of(lacis.rank() == 0 ? nanos : 0);
  }

  private long inARow(long times) {
    long start = System.nanoTime();
    for (long i = times; i > 0; i--) {
      collective.start();
      collective.await();
    }
    return System.nanoTime() - start;
  }

  private long withNewData(long times) {
    var each = new EachTime(times);
    for (long i = times; i > 0; i--) {
      buffer.fill((byte) i);
      lacis.barrier();
      each.add(inARow(1));
    }
    return each.middleTimesCount();
  }
}
