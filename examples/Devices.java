// A device for each thread: threads that do not meet, each with a partner thread in the other rank.
//
//   lacis run -n 2 examples/Devices.java

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;

static final int THREADS = 2;
static final int MESSAGES = 100_000;

void main() throws Exception {
  try (var lacis = Lacis.open()) {
    var workers = new Thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
      int tag = t;
      var device = lacis.newDevice(); // collective: every rank makes as many, in the same order
      workers[t] = Thread.ofPlatform().start(() -> exchange(lacis, device, tag));
    }
    for (var worker : workers) {
      worker.join();
    }
    lacis.barrier();
    if (lacis.rank() == 0) {
      IO.println(THREADS + " pairs of threads have exchanged " + MESSAGES + " messages each");
    }
  }
}

void exchange(Lacis lacis, Device device, int tag) {
  int peer = 1 - lacis.rank();
  var out = Arena.ofAuto().allocate(JAVA_LONG);
  var in = Arena.ofAuto().allocate(JAVA_LONG);
  var received = lacis.newSynchronizer();
  var idle = lacis.newIdle();
  for (long i = 0; i < MESSAGES; i++) {
    while (device.recv(peer, in, tag, received).isRetry()) {
      idle.after(device.progress());
    }
    out.set(JAVA_LONG, 0, i);
    while (device.send(peer, out, tag, Completion.NONE).isRetry()) {
      idle.after(device.progress());
    }
    while (!received.test()) {
      idle.after(device.progress());
    }
    idle.reset();
    if (in.get(JAVA_LONG, 0) != i) {
      throw new AssertionError("expected " + i + " but got " + in.get(JAVA_LONG, 0));
    }
  }
}
