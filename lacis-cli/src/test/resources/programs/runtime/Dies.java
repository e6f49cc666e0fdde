import java.lang.foreign.*;
import org.lacis.*;

/**
 * Rank 1 ends without a word, or with "exit" by System.exit(0), its runtime open. Others wait for a message from it, and hear that it
 * is gone.
 */
void main(String[] args) {
  try (var lacis = Lacis.open()) {
    lacis.barrier();
    if (lacis.rank() == 1) {
      if (args.length > 0) {
        System.exit(0);
      }
      Runtime.getRuntime().halt(0);
    }
    var received = lacis.newSynchronizer();
    try {
      lacis.recv(1, Arena.ofAuto().allocate(8), 3, received);
      received.await();
    } catch (CommunicationException e) {
      if (e.kind() != ErrorKind.PEER_GONE || e.rank() != 1) {
        throw e;
      }
      IO.println("rank " + lacis.rank() + " misses rank 1");
    }
  }
}
