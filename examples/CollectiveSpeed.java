// How fast are collectives? An allreduce of 8 bytes beside the way of one message, and one of 1 MiB
// beside a message of that length, and beside a plain copy of what another rank has just written.
//
//   lacis run -n 2 examples/CollectiveSpeed.java
//
// and, in a tenth of the time but less exactly:
//
//   lacis run -n 2 examples/CollectiveSpeed.java quick

import java.lang.foreign.*;
import java.util.*;
import java.util.stream.*;
import org.lacis.*;
import org.lacis.collective.*;

static final int SHORT = 20_000;
static final int LONG = 100;
static final int WARM_UP = 30; // rounds, until the compilers are done
static final int ROUNDS = 45; // after that; the medians count, of times and of the ratios in each

long arrived;
long expected; // not read off the other: a message may be early

/** An allreduce of 1 MiB, and what it combines. */
record Large(String name, MemorySegment data, Collective<?> collective) {}

void main(String[] args) {
  int share = args.length > 0 && args[0].equals("quick") ? 10 : 1;
  try (var lacis = Lacis.open();
      var collectives = Collectives.of(lacis)) {
    var toHandler = lacis.register(status -> arrived++);
    var word = Arena.ofAuto().allocate(8);
    var much = Arena.ofAuto().allocate(1 << 20, 64);
    var mapped = lacis.allocate(1 << 20, 64);
    var copy = copier(lacis, collectives, mapped, much);
    var small = collectives.newAllreduce(word, word, Reduction.SUM_LONG);
    var array = MemorySegment.ofArray(new double[1 << 17]);
    var large = new ArrayList<Large>();
    for (var sum : List.of(Reduction.SUM_LONG, Reduction.SUM_DOUBLE)) {
      var regions = mapped.segment();
      large.add(new Large(sum + ", mapped", regions, collectives.newAllreduce(regions, sum)));
      large.add(new Large(sum + ", any", much, collectives.newAllreduce(much, sum)));
    }
    var sum = Reduction.SUM_DOUBLE;
    large.add(new Large(sum + ", array", array, collectives.newAllreduce(array, sum)));
    var other = Arena.ofAuto().allocate(1 << 20, 64);
    var otherArray = MemorySegment.ofArray(new double[1 << 17]);
    large.add(new Large(sum + ", any to any", much, collectives.newAllreduce(much, other, sum)));
    large.add(
        new Large(
            sum + ", array to array", array, collectives.newAllreduce(array, otherArray, sum)));
    var nanos = new double[4 + large.size()][ROUNDS];
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      int at = Math.max(round, 0); // what it held in the warm-up is overwritten
      nanos[0][at] = oneWay(lacis, toHandler, word, SHORT / share);
      nanos[1][at] = time(small, SHORT / share);
      nanos[2][at] = copies(lacis, much, LONG / share);
      nanos[3][at] = fresh(lacis, copy, mapped.segment(), LONG / share);
      int kind = 4;
      for (var each : large) {
        nanos[kind++][at] = fresh(lacis, () -> run(each.collective), each.data, LONG / share);
      }
    }
    double[] median = Stream.of(nanos).mapToDouble(this::median).toArray();
    if (lacis.rank() == 0) {
      IO.println("8 bytes, one way, am           %8.0f ns".formatted(median[0]));
      IO.println(
          "8 bytes, allreduce             %8.0f ns, %.1f ways"
              .formatted(median[1], ratio(nanos[1], nanos[0])));
      IO.println("1 MiB, message                 %8.1f GB/s".formatted((1 << 20) / median[2]));
      IO.println("1 MiB, copy                    %8.1f GB/s".formatted((1 << 20) / median[3]));
      int kind = 4;
      for (var each : large) {
        IO.println(
            "1 MiB, %-29s %5.1f GB/s, %.2f of a copy, %.2f of a message, by %s"
                .formatted(
                    each.name,
                    (1 << 20) / median[kind],
                    ratio(nanos[3], nanos[kind]),
                    ratio(nanos[2], nanos[kind]),
                    each.collective.algorithm()));
        kind++;
      }
    }
    collectives.barrier();
    mapped.close();
  }
}

/** Copies the memory of the other rank, if it is on this machine; or else memory of its own. */
Runnable copier(Lacis lacis, Collectives collectives, Region mapped, MemorySegment target) {
  int other = (lacis.rank() + 1) % lacis.size();
  var theirs = lacis.map(collectives.exchange(mapped)[other]);
  if (theirs == null) {
    return () -> target.copyFrom(mapped.segment());
  }
  return () -> {
    if (!theirs.enter()) {
      throw new IllegalStateException("the other rank is gone");
    }
    target.copyFrom(theirs.segment());
    theirs.leave();
  };
}

/** Of two things that were timed in the same round: the machine may be slower in the next one. */
double ratio(double[] nanos, double[] others) {
  return median(IntStream.range(0, ROUNDS).mapToDouble(i -> nanos[i] / others[i]).toArray());
}

double median(double[] values) {
  double[] sorted = values.clone();
  Arrays.sort(sorted);
  return sorted[sorted.length / 2];
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

void run(Collective<?> collective) {
  collective.start();
  collective.await();
}

/** How long something takes with data that every rank has just written. */
double fresh(Lacis lacis, Runnable action, MemorySegment data, int times) {
  long nanos = 0;
  for (int i = 0; i < times; i++) {
    data.fill((byte) 0);
    lacis.barrier();
    long start = System.nanoTime();
    action.run();
    nanos += System.nanoTime() - start;
    lacis.barrier();
  }
  return nanos / (double) times;
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
