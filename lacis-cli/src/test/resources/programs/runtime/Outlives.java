import java.util.*;
import java.util.concurrent.*;
import org.lacis.*;

/** Ranks 0 and 1 wait until they have heard that ranks 2 and 3 have failed, which stay until something ends them. */
void main() throws Exception {
  try (var lacis = Lacis.open()) {
    Set<Integer> lost = new ConcurrentSkipListSet<>();
    lacis.onPeerFailure(failure -> lost.add(failure.rank()));
    lacis.barrier();
    IO.println("ready " + lacis.rank() + " " + ProcessHandle.current().pid());
    if (lacis.rank() > 1) {
      Thread.sleep(600_000);
    }
    var idle = lacis.newIdle();
    while (lost.size() < 2) {
      idle.after(lacis.progress());
    }
    IO.println("rank " + lacis.rank() + " outlives " + lost);
  }
}
