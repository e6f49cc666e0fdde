// Ten thousand virtual threads, each waiting for a message of its own, in ordinary blocking style.
//
//   lacis run -n 2 examples/VirtualThreads.java

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.LongAdder;
import org.lacis.*;

static final int THREADS = 10_000;

void main() throws Exception {
  try (var lacis = Lacis.open()) {
    var sum = new LongAdder();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < THREADS; i++) {
        int tag = i;
        threads.submit(
            lacis.rank() == 0 ? () -> send(lacis, tag) : () -> sum.add(receive(lacis, tag)));
      }
    }
    if (lacis.rank() == 1) {
      long all = (long) THREADS * (THREADS - 1) / 2;
      IO.println(THREADS + " threads have received " + sum + ", expected " + all);
    }
    lacis.barrier();
  }
}

void send(Lacis lacis, int tag) {
  var message = MemorySegment.ofArray(new int[] {tag});
  while (lacis.send(1, message, tag, Completion.NONE).isRetry()) {
    Thread.yield();
  }
}

int receive(Lacis lacis, int tag) {
  var buffer = MemorySegment.ofArray(new int[1]);
  var done = lacis.newSynchronizer();
  while (lacis.recv(0, buffer, tag, done).isRetry()) {
    Thread.yield();
  }
  done.await();
  return buffer.get(JAVA_INT, 0);
}
