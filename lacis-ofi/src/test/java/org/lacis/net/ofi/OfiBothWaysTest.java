package org.lacis.net.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Synchronizer;
import org.lacis.testkit.Job;
import org.lacis.testkit.Pattern;

/** Ranks that write into each other's memory at the same time. */
@Timeout(60)
class OfiBothWaysTest {

  private static final int ROUNDS = 40;

  @ParameterizedTest
  @ValueSource(strings = {"sockets", "tcp", "shm"})
  void aReceiveIsOverWhenItsDataIsThereAndNotWhenItsRankHasSent(String provider) {
    try (Job job = Providers.openJob(2, Job.OPTIONS, provider)) {
      Side[] sides = {new Side(job.rank(0)), new Side(job.rank(1))};
      for (int round = 0; round < ROUNDS; round++) {
        for (Side side : sides) {
          side.begin(job, round);
        }
        for (Side side : sides) {
          side.end(job, round);
        }
      }
    }
  }

  private static final class Side {
    private final Lacis lacis;
    private final int peer;
    private final MemorySegment out;
    private final MemorySegment in;
    private final Synchronizer sent;
    private final Synchronizer received;
    private Post send = Post.DONE;

    Side(Lacis lacis) {
      this.lacis = lacis;
      peer = 1 - lacis.rank();
      // Above lacis.ofi.direct: from there on the peer's memory is written.
      out = Arena.ofAuto().allocate(100_000);
      in = Arena.ofAuto().allocate(out.byteSize());
      sent = lacis.newSynchronizer();
      received = lacis.newSynchronizer();
    }

    void begin(Job job, int round) {
      Pattern.fill(out, 2L * round + lacis.rank());
      in.fill((byte) 0);
      job.insist("a receive", () -> lacis.recv(peer, in, round, received));
      send = job.insist("a send", () -> lacis.send(peer, out, round, sent));
    }

    void end(Job job, int round) {
      job.until("a message", received::test);
      Pattern.check("round " + round + " at rank " + lacis.rank(), in, 2L * round + peer);
      if (send.isPosted()) {
        job.until("a send", sent::test);
      }
    }
  }
}
