import java.lang.foreign.*;
import org.lacis.*;

/** Rank 0 waits for tag 7, but rank 1 sends tag 8, and waits for rank 0. */
void main() {
  try (var lacis = Lacis.open(LacisOptions.defaults().withName("stuck"))) {
    if (lacis.rank() == 0) {
      var reply = lacis.newSynchronizer("reply", 1);
      lacis.recv(1, MemorySegment.ofArray(new byte[100]), 7, reply);
      reply.await();
    } else {
      lacis.send(0, MemorySegment.ofArray(new byte[5]), 8, Completion.NONE);
    }
    lacis.barrier();
  }
}
