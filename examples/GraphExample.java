// A pipeline as a graph, built once and started three times: each rank receives a number from the
// one on its left, adds its own, and sends it on to the right.
//
//   lacis run -n 3 examples/GraphExample.java

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;

int run; // the tag, since messages of two runs may overtake each other

void main() {
  try (var lacis = Lacis.open()) {
    int left = lacis.rank() - 1;
    int right = lacis.rank() + 1;
    var number = Arena.ofAuto().allocate(JAVA_LONG);

    var graph = lacis.newGraph("pipeline");
    var add = graph.call("add", () -> add(number, right));
    if (left >= 0) {
      add.after(graph.post("receive", done -> lacis.recv(left, number, run, done)));
    }
    if (right < lacis.size()) {
      graph.post("send", done -> lacis.send(right, number, run, done)).after(add);
    }

    for (run = 1; run <= 3; run++) {
      if (left < 0) {
        number.set(JAVA_LONG, 0, 1000 * run);
      }
      graph.start();
      // Time to do something else: progress goes on with the graph, and waiting makes progress.
      graph.await();
      if (right == lacis.size()) {
        IO.println("run " + run + " ends with " + number.get(JAVA_LONG, 0));
      }
    }
    if (left == 0) {
      IO.print(graph.describe());
    }
    lacis.barrier();
  }
}

void add(MemorySegment number, long more) {
  number.set(JAVA_LONG, 0, number.get(JAVA_LONG, 0) + more);
}
