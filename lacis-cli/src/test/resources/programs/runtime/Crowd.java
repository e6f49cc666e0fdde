import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;

/** Pairs of ranks that ping-pong, first by waiting, then in loops of their own; more ranks than cores. The argument says how often. */
void main(String[] args) {
  int rounds = Integer.parseInt(args[0]);
  try (var lacis = Lacis.open()) {
    int peer = lacis.rank() ^ 1;
    boolean begins = lacis.rank() < peer;
    var ball = Arena.ofAuto().allocate(JAVA_LONG);
    var received = lacis.newSynchronizer();
    lacis.barrier();
    for (long i = 0; i < 2L * rounds; i++) {
      if (begins) {
        send(lacis, peer, ball, i);
      }
      lacis.recv(peer, ball, 0, received);
      if (i < rounds) {
        received.await();
      } else {
        var idle = lacis.newIdle();
        while (!received.test()) {
          idle.after(lacis.progress());
        }
      }
      if (ball.get(JAVA_LONG, 0) != i) {
        throw new AssertionError("round " + i + ", but the ball says " + ball.get(JAVA_LONG, 0));
      }
      if (!begins) {
        send(lacis, peer, ball, i);
      }
    }
    lacis.barrier();
    IO.println("rank " + lacis.rank() + " has played");
  }
}

void send(Lacis lacis, int peer, MemorySegment ball, long i) {
  ball.set(JAVA_LONG, 0, i);
  while (lacis.send(peer, ball, 0, Completion.NONE).isRetry()) {
    lacis.progress();
  }
}
