// lacis run -n 3 examples/OrderedMatching.java
// Messages in order, as in MPI: of any sender, looked at before they are received.
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.lacis.Lacis.ANY_SOURCE;
import static org.lacis.Lacis.ANY_TAG;
import static org.lacis.MatchingOptions.ordered;

import java.lang.foreign.*;
import org.lacis.*;

void main() {
  try (var lacis = Lacis.open()) {
    var engine = lacis.newMatchingEngine(ordered().bins(1024).maxReceives(8192));
    if (lacis.rank() > 0) {
      for (int i = 1; i <= 3; i++) {
        var message = MemorySegment.ofArray(new int[i]);
        message.setAtIndex(JAVA_INT, 0, i);
        lacis
            .send()
            .to(0)
            .tag(10 * i)
            .buffer(message)
            .matching(engine)
            .postBlocking(Completion.NONE);
      }
    } else {
      receive(lacis, engine);
    }
    lacis.barrier();
  }
}

void receive(Lacis lacis, MatchingEngine engine) {
  var last = new int[lacis.size()];
  var done = lacis.newSynchronizer();

  // A receive for whatever comes first.
  var one = MemorySegment.ofArray(new int[3]);
  lacis.recv().from(ANY_SOURCE).tag(ANY_TAG).buffer(one).matching(engine).post(done);
  done.await();
  check(last, done.status(0).rank(), one.get(JAVA_INT, 0));

  // The others are claimed as they come: how long they are is known before there is a buffer.
  var message = ClaimedMessage.create();
  for (int n = 3 * (lacis.size() - 1) - 1; n > 0; ) {
    if (engine.claim(ANY_SOURCE, ANY_TAG, message)) {
      int from = message.rank();
      var buffer = Arena.ofAuto().allocate(message.length(), 4);
      message.receive(buffer, done);
      done.await();
      check(last, from, buffer.get(JAVA_INT, 0));
      n--;
    } else {
      lacis.progress();
    }
  }

  // A receive that nobody needs any more is taken back.
  var handle = ReceiveHandle.create();
  lacis.recv().from(ANY_SOURCE).buffer(one).matching(engine).handle(handle).post(status -> {});
  IO.println("all came in order; the last receive was " + (handle.cancel() ? "cancelled" : "met"));
}

void check(int[] last, int from, int number) {
  if (number != last[from] + 1) {
    throw new IllegalStateException("message " + number + " of rank " + from + " has overtaken");
  }
  last[from] = number;
}
