package org.lacis.bench.subject;

import java.lang.foreign.Arena;
import org.lacis.Lacis;
import org.lacis.collective.Collective;
import org.lacis.collective.Collectives;
import org.lacis.collective.Reduction;

/** A collective of all ranks, built once, run again and again. */
final class Together extends LacisWork {
  private final Collective<?> collective;

  Together(Lacis lacis, Collectives collectives, String kind, int bytes) {
    super(lacis);
    var buffer = Arena.ofAuto().allocate(bytes, 64);
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
    long start = System.nanoTime();
    for (long i = command.count(); i > 0; i--) {
      collective.start();
      collective.await();
    }
    return Timing.of(lacis.rank() == 0 ? System.nanoTime() - start : 0);
  }
}
