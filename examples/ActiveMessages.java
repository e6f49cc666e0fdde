// Every rank asks rank 0 for a square: requests go to a queue, answers to a handler.
//
//   lacis run -n 3 examples/ActiveMessages.java

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;

static final int SQUARE = 1;

long answer = -1;

void main() {
  try (var lacis = Lacis.open()) {
    // Registered in the same order everywhere, so the names are the same everywhere.
    var requests = lacis.newCompletionQueue();
    var toServer = lacis.register(requests);
    var toClient = lacis.register(status -> answer = status.longAt(0));

    var message = Arena.ofAuto().allocate(JAVA_LONG);
    if (lacis.rank() == 0) {
      var status = Status.create();
      for (int i = 1; i < lacis.size(); i++) {
        requests.take(status);
        long x = status.longAt(0);
        message.set(JAVA_LONG, 0, x * x);
        // If the way to the asker is full, the backlog sends it later.
        lacis
            .am()
            .to(status.rank())
            .buffer(message)
            .tag(SQUARE)
            .target(toClient)
            .allowRetry(false)
            .post(Completion.NONE);
      }
    } else {
      message.set(JAVA_LONG, 0, 10L + lacis.rank());
      lacis.am(0, message, SQUARE, toServer, Completion.NONE);
      var idle = lacis.newIdle();
      while (answer < 0) {
        idle.after(lacis.progress());
      }
      IO.println(
          "rank " + lacis.rank() + ": " + message.get(JAVA_LONG, 0) + " squared is " + answer);
    }
    lacis.barrier();
  }
}
