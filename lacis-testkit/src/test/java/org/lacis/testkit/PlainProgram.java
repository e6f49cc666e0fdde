package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.LacisOptions;
import org.lacis.Synchronizer;
import org.lacis.collective.Collectives;
import org.lacis.collective.Reduction;

/** A program of one rank that uses a bit of everything; for {@link FlightRecorderTest}. */
final class PlainProgram {

  private PlainProgram() {}

  /**
   * Talks to itself by each protocol, does a collective, and prints whether events are possible.
   */
  public static void main(String[] args) {
    try (Lacis lacis = Lacis.open(LacisOptions.defaults().withCounters(true));
        Collectives collectives = Collectives.of(lacis)) {
      for (int size : new int[] {8, lacis.eagerLimit(), lacis.eagerLimit() + 1}) {
        Synchronizer received = lacis.newSynchronizer();
        lacis.recv(0, MemorySegment.ofArray(new byte[size]), 1, received);
        lacis.send(0, MemorySegment.ofArray(new byte[size]), 1, Completion.NONE);
        received.await();
      }
      MemorySegment numbers = MemorySegment.ofArray(new long[2]);
      collectives.allreduce(numbers, numbers, Reduction.SUM_LONG);
      lacis.fence();
      lacis.barrier();
      System.out.println(
          lacis.device().counters().posts().receives()
              + " received, recorder "
              + ModuleLayer.boot().findModule("jdk.jfr").isPresent());
    }
  }
}
