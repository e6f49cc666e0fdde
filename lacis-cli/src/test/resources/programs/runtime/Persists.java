import java.lang.foreign.*;
import org.lacis.*;

/**
 * Rounds of checked messages, of all protocols, from each rank to each, for so many seconds. Nobody is missed. Argument: the seconds.
 */
static final int[] LENGTHS = {8, 3000, 100_000};

void main(String[] args) {
  try (var lacis = Lacis.open()) {
    lacis.onPeerFailure(failure -> IO.println("missed " + failure));
    lacis.barrier();
    IO.println("ready " + lacis.rank() + " " + ProcessHandle.current().pid());
    long end = System.nanoTime() + Integer.parseInt(args[0]) * 1_000_000_000L;
    boolean more = true;
    for (int round = 0; more; round++) {
      more = round(lacis, round, System.nanoTime() - end < 0);
    }
    IO.println("rank " + lacis.rank() + " is content");
    lacis.barrier();
  }
}

/** Exchanges messages with all; the first byte of each says whether rank 0 wants to go on. */
boolean round(Lacis lacis, int round, boolean wanted) {
  boolean more = lacis.rank() == 0 && wanted;
  for (int length : LENGTHS) {
    for (int distance = 0; distance < lacis.size(); distance++) {
      int to = (lacis.rank() + distance) % lacis.size();
      int from = (lacis.rank() + lacis.size() - distance) % lacis.size();
      var received = lacis.newSynchronizer();
      var sent = lacis.newSynchronizer();
      var buffer = Arena.ofAuto().allocate(length);
      lacis.recv(from, buffer, length, received);
      var message = message(lacis.rank(), round, length);
      message.set(ValueLayout.JAVA_BYTE, 0, (byte) (lacis.rank() == 0 && wanted ? 1 : 0));
      sent.await(lacis.send().to(to).buffer(message).tag(length).postBlocking(sent));
      received.await();
      if (buffer.asSlice(1).mismatch(message(from, round, length).asSlice(1)) >= 0) {
        throw new IllegalStateException("wrong data from rank " + from + " in round " + round);
      }
      more |= from == 0 && buffer.get(ValueLayout.JAVA_BYTE, 0) == 1;
    }
  }
  return more;
}

MemorySegment message(int rank, int round, int length) {
  var memory = Arena.ofAuto().allocate(length);
  for (int i = 0; i < length; i++) {
    memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + rank * 7 + round));
  }
  return memory;
}
