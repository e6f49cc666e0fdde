// Where do the nanoseconds go? The cost of each step of an 8-byte message, without the way between
// two cores: one rank that talks to itself.
//
//   lacis run -n 1 examples/Costs.java
//
// and, in a tenth of the time but less exactly:
//
//   lacis run -n 1 examples/Costs.java quick

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;

static final int BATCH = 256;
static final int ROUNDS = 4_000;
static final int REPEATS = 10;

long sum;

void main(String[] args) {
  int rounds = args.length > 0 && args[0].equals("quick") ? ROUNDS / 10 : ROUNDS;
  try (var lacis = Lacis.open()) {
    var toHandler = lacis.register(status -> sum += status.longAt(0));
    var queue = lacis.newCompletionQueue();
    var toQueue = lacis.register(queue);
    var count = lacis.newCounter();
    var message = Arena.ofAuto().allocate(JAVA_LONG);
    var status = Status.create();
    var chain = chain(lacis);
    var pairs = pairs(lacis, message);
    var changed = lacis.newCounter();
    long changes = 0;
    var mapped = lacis.allocate(8).remote();
    var unmapped = lacis.register(Arena.ofAuto().allocate(8, 8), Rights.READ_WRITE).remote();

    var names =
        new String[] {
          "am, positional",
          "  progress, to a handler",
          "am, fluent",
          "  progress, to a queue",
          "  pop",
          "recv",
          "send",
          "  progress, matched, to a counter",
          "graph, a function in a chain",
          "graph, a recv, a send and progress",
          "put",
          "atomic, word fetched",
          "atomic, fluent",
          "atomic, by progress"
        };
    var best = new double[names.length];
    java.util.Arrays.fill(best, Double.MAX_VALUE);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      var nanos = new long[names.length];
      for (int round = 0; round < rounds; round++) {
        long t = System.nanoTime();
        for (int i = 0; i < BATCH; i++) {
          lacis.am(0, message, 0, toHandler, Completion.NONE);
        }
        t = lap(nanos, 0, t);
        lacis.progress();
        t = lap(nanos, 1, t);

        for (int i = 0; i < BATCH; i++) {
          lacis.am().to(0).buffer(message).target(toQueue).post(Completion.NONE);
        }
        t = lap(nanos, 2, t);
        lacis.progress();
        t = lap(nanos, 3, t);
        while (queue.pop(status)) {
          sum += status.longAt(0);
        }
        t = lap(nanos, 4, t);

        for (int i = 0; i < BATCH; i++) {
          lacis.recv(0, message, i, count);
        }
        t = lap(nanos, 5, t);
        for (int i = 0; i < BATCH; i++) {
          lacis.send(0, message, i, Completion.NONE);
        }
        t = lap(nanos, 6, t);
        lacis.progress();
        t = lap(nanos, 7, t);

        chain.start();
        t = lap(nanos, 8, t);
        pairs.start();
        while (!pairs.test()) {
          lacis.progress();
        }
        t = lap(nanos, 9, t);

        for (int i = 0; i < BATCH; i++) {
          lacis.put(message, mapped, 0, Completion.NONE);
        }
        t = lap(nanos, 10, t);
        for (int i = 0; i < BATCH; i++) {
          lacis.atomic(AtomicOp.ADD, 1, message, mapped, 0, Completion.NONE);
        }
        t = lap(nanos, 11, t);
        for (int i = 0; i < BATCH; i++) {
          lacis.atomic().apply(AtomicOp.ADD, 1).remote(mapped, 0).post(Completion.NONE);
        }
        t = lap(nanos, 12, t);
        for (int i = 0; i < BATCH; i++) {
          lacis.atomic(AtomicOp.ADD, 1, unmapped, 0, changed);
        }
        changes += BATCH;
        while (changed.count() < changes) {
          lacis.progress();
        }
        lap(nanos, 13, t);
      }
      for (int i = 0; i < names.length; i++) {
        best[i] = Math.min(best[i], (double) nanos[i] / ((long) BATCH * rounds));
      }
    }
    IO.println("nanoseconds per message of 8 bytes, the best of " + REPEATS + " repeats");
    for (int i = 0; i < names.length; i++) {
      IO.println("  %-36s %6.1f".formatted(names[i], best[i]));
    }
  }
}

Graph chain(Lacis lacis) {
  var graph = lacis.newGraph();
  var last = graph.call(() -> sum++);
  for (int i = 1; i < BATCH; i++) {
    last = graph.call(() -> sum++).after(last);
  }
  return graph;
}

Graph pairs(Lacis lacis, MemorySegment message) {
  var graph = lacis.newGraph();
  for (int i = 0; i < BATCH; i++) {
    int tag = i;
    graph.post(done -> lacis.recv(0, message, tag, done));
    graph.post(done -> lacis.send(0, message, tag, done));
  }
  return graph;
}

long lap(long[] nanos, int step, long since) {
  long now = System.nanoTime();
  nanos[step] += now - since;
  return now;
}
