// Rank 0 sends a text to every other rank; each receives it into a buffer of its own.
//
//   lacis run -n 4 examples/SendReceive.java

import java.lang.foreign.*;
import org.lacis.*;

static final int GREETING = 7;

void main() {
  try (var lacis = Lacis.open();
      var arena = Arena.ofConfined()) {
    var done = lacis.newSynchronizer();
    if (lacis.rank() == 0) {
      for (int rank = 1; rank < lacis.size(); rank++) {
        var text = arena.allocateFrom("hello, rank " + rank);
        switch (lacis.send(rank, text, GREETING, done)) {
          case DONE -> {} // short messages are done at once
          case POSTED -> done.await(); // long ones signal when the buffer may be used again
          default -> throw new IllegalStateException("four messages always find room");
        }
      }
    } else {
      var buffer = arena.allocate(64);
      lacis.recv(0, buffer, GREETING, done);
      done.await();
      var status = done.status(0);
      IO.println(
          "rank %d got \"%s\", %d bytes from rank %d"
              .formatted(lacis.rank(), buffer.getString(0), status.length(), status.rank()));
    }
    lacis.barrier();
  }
}
