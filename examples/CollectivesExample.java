// The mean and the largest of numbers that are spread over the ranks: blocking calls, and an object
// that is built once and started in every round while something else is done.
//
//   lacis run -n 3 examples/CollectivesExample.java

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;
import org.lacis.collective.*;

static final int NUMBERS = 1000;

void main() {
  try (var lacis = Lacis.open();
      var collectives = Collectives.of(lacis)) {
    int me = collectives.member();

    // Everybody gets what rank 0 has chosen, and makes numbers from it.
    var seed = Arena.ofAuto().allocate(JAVA_LONG);
    seed.set(JAVA_LONG, 0, me == 0 ? 7 : 0);
    collectives.broadcast(seed, 0);
    var mine = new double[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
      mine[i] = (seed.get(JAVA_LONG, 0) * i + me) % 100;
    }

    // Built once; the buffers stay the same.
    var local = Arena.ofAuto().allocate(JAVA_DOUBLE);
    var total = Arena.ofAuto().allocate(JAVA_DOUBLE);
    var sum = collectives.newAllreduce(local, total, Reduction.SUM_DOUBLE);
    var largest = Arena.ofAuto().allocate(JAVA_DOUBLE);
    for (int round = 1; round <= 3; round++) {
      double mySum = 0;
      double myLargest = 0;
      for (double x : mine) {
        mySum += x;
        myLargest = Math.max(myLargest, x);
      }
      local.set(JAVA_DOUBLE, 0, mySum);
      largest.set(JAVA_DOUBLE, 0, myLargest);
      sum.start();
      collectives.reduce(largest, largest, Reduction.MAX_DOUBLE, 0); // runs beside it, and waits
      sum.await();
      double mean = total.get(JAVA_DOUBLE, 0) / (NUMBERS * collectives.size());
      if (me == 0) {
        IO.println(
            "round %d: mean %.3f, largest %.1f"
                .formatted(round, mean, largest.get(JAVA_DOUBLE, 0)));
      }
      for (int i = 0; i < NUMBERS; i++) {
        mine[i] = Math.abs(mine[i] - mean);
      }
    }
    collectives.barrier();
  }
}
