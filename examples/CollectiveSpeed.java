// How fast are collectives? An allreduce of 8 bytes beside the way of one message, and one of 1 MiB
// beside a message of that length.
//
//   lacis run -n 2 examples/CollectiveSpeed.java
//
// and, in a tenth of the time but less exactly:
//
//   lacis run -n 2 examples/CollectiveSpeed.java quick

import java.lang.foreign.*;
import org.lacis.*;
import org.lacis.collective.*;

static final int SHORT = 100_000;
static final int LONG = 500;
static final int REPEATS = 5;

long arrived;
long expected; // not read off the other: a message may be early

void main(String[] args) {
  int share = args.length > 0 && args[0].equals("quick") ? 10 : 1;
  try (var lacis = Lacis.open();
      var collectives = Collectives.of(lacis)) {
    var toHandler = lacis.register(status -> arrived++);
    var word = Arena.ofAuto().allocate(8);
    var much = Arena.ofAuto().allocate(1 << 20, 64);
    var small = collectives.newAllreduce(word, word, Reduction.SUM_LONG);
    var large = collectives.newAllreduce(much, much, Reduction.SUM_DOUBLE);
    double[] best = {1e9, 1e9, 1e9, 1e9};
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      keep(best, 0, oneWay(lacis, toHandler, word, SHORT / share));
      keep(best, 1, time(small, SHORT / share));
      keep(best, 2, copies(lacis, much, LONG / share));
      keep(best, 3, time(large, LONG / share));
    }
    if (lacis.rank() == 0) {
      IO.println("8 bytes, one way, am      %8.0f ns".formatted(best[0]));
      IO.println(
          "8 bytes, allreduce        %8.0f ns, %.1f ways".formatted(best[1], best[1] / best[0]));
      IO.println("1 MiB, message            %8.1f GB/s".formatted((1 << 20) / best[2]));
      IO.println(
          "1 MiB, allreduce          %8.1f GB/s, %.2f of that, by %s"
              .formatted((1 << 20) / best[3], best[2] / best[3], large.algorithm()));
    }
    collectives.barrier();
  }
}

void keep(double[] best, int at, double nanos) {
  best[at] = Math.min(best[at], nanos);
}

/** Half a round trip between rank 0 and rank 1. */
double oneWay(Lacis lacis, RemoteCompletion target, MemorySegment word, int times) {
  lacis.barrier();
  int me = lacis.rank();
  long start = System.nanoTime();
  for (int i = 0; i < times && me < 2; i++) {
    expected++;
    if (me == 0) {
      lacis.am().to(1).buffer(word).target(target).postBlocking(Completion.NONE);
    }
    while (arrived < expected) {
      lacis.progress();
    }
    if (me == 1) {
      lacis.am().to(0).buffer(word).target(target).postBlocking(Completion.NONE);
    }
  }
  return (System.nanoTime() - start) / 2.0 / times;
}

double time(Collective<?> collective, int times) {
  long start = System.nanoTime();
  for (int i = 0; i < times; i++) {
    collective.start();
    collective.await();
  }
  return (System.nanoTime() - start) / (double) times;
}

/** Data goes to and fro: like that of an allreduce, it was written by the peer just before. */
double copies(Lacis lacis, MemorySegment data, int times) {
  lacis.barrier();
  var done = lacis.newSynchronizer();
  long start = System.nanoTime();
  for (int i = 0; i < times && lacis.rank() < 2; i++) {
    if (lacis.rank() == i % 2) {
      lacis.send().to(1 - lacis.rank()).buffer(data).allowDone(false).postBlocking(done);
    } else {
      lacis.recv().from(1 - lacis.rank()).buffer(data).postBlocking(done);
    }
    done.await();
  }
  return (System.nanoTime() - start) / (double) times;
}
