import java.lang.foreign.*;
import java.util.function.*;
import org.lacis.*;
import org.lacis.collective.*;

// Of six ranks, rank 0 closes its runtime on its way out of an exception. Rank 3, which has no messages with it in a barrier, goes into one. The others do so when the launcher has said that rank 0 has failed, and stay until rank 3 knows.
void main() {
  try (var lacis = Lacis.open()) {
    var all = Collectives.of(lacis);
    var word = MemorySegment.ofArray(new int[1]);
    lacis.barrier();
    if (lacis.rank() == 0) {
      throw new IllegalStateException("enough");
    }
    await(lacis, () -> lacis.isGone(0));
    if (lacis.rank() != 3) {
      await(lacis, () -> lacis.hasFailed(0));
    }
    try {
      all.barrier();
    } catch (CommunicationException e) {
      IO.println("rank " + lacis.rank() + " misses rank " + e.rank());
    }
    for (int other : new int[] {1, 2, 4, 5}) {
      if (lacis.rank() == 3) {
        lacis.send().to(other).buffer(word).postBlocking(Completion.NONE);
      } else if (lacis.rank() == other) {
        var known = lacis.newSynchronizer();
        lacis.recv(3, word, 0, known);
        known.await();
      }
    }
  }
}

void await(Lacis lacis, BooleanSupplier condition) {
  var idle = lacis.newIdle();
  while (!condition.getAsBoolean()) {
    idle.after(lacis.progress());
  }
}
