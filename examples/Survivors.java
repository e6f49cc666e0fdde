// A rank fails in the middle of the work, and the others go on without it: they notice, make a
// group
// of those that are left, agree on where they have come to, and finish.
//
//   lacis run -n 4 --keep-going examples/Survivors.java

import java.lang.foreign.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
import org.lacis.*;
import org.lacis.collective.*;

static final int ROUNDS = 3;

void main() {
  try (var lacis = Lacis.open()) {
    Set<Integer> lost = new ConcurrentSkipListSet<>();
    lacis.onPeerFailure(failure -> lost.add(failure.rank())); // within progress, once for each
    var team = Collectives.of(lacis);
    long round = 1;
    while (round <= ROUNDS) {
      try {
        team.barrier();
        if (lacis.rank() == 2 && round == 2) {
          Runtime.getRuntime().halt(3); // as a crash would
        }
        long sum = reduce(team, Reduction.SUM_LONG, round * lacis.rank());
        if (lacis.rank() == 0) {
          IO.println("round %d: the sum of %d ranks is %d".formatted(round, team.size(), sum));
        }
        round++;
      } catch (CommunicationException e) {
        team = survivors(lacis, lost);
        // Some may have ended a round that others have not: they do it again.
        round = reduce(team, Reduction.MIN_LONG, round);
        if (lacis.rank() == 0) {
          IO.println("rank " + e.rank() + " is lost");
        }
      }
    }
    team.barrier(); // that of lacis is one of all ranks
  }
}

Collectives survivors(Lacis lacis, Set<Integer> lost) {
  var idle = lacis.newIdle();
  while (lost.isEmpty()) {
    idle.after(lacis.progress());
  }
  return Collectives.of(
      lacis, Group.of(IntStream.range(0, lacis.size()).filter(r -> !lost.contains(r)).toArray()));
}

long reduce(Collectives team, Reduction how, long mine) {
  var numbers = new long[] {mine};
  team.allreduce(MemorySegment.ofArray(numbers), how);
  return numbers[0];
}
