import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;

/**
 * The last rank makes no progress for some time; then it takes what the others send, slowly, out of a small queue. Argument: how long it
 * sleeps, in milliseconds.
 */
static final int MESSAGES = 20_000;

void main(String[] args) throws Exception {
  try (var lacis = Lacis.open()) {
    lacis.onPeerFailure(failure -> IO.println("missed " + failure));
    var inbox = lacis.newCompletionQueue(16);
    var mail = lacis.register(inbox);
    int last = lacis.size() - 1;
    lacis.barrier();
    if (lacis.rank() == last) {
      Thread.sleep(Long.parseLong(args[0]));
      long[] next = new long[last];
      var status = Status.create();
      for (int i = 0; i < last * MESSAGES; i++) {
        inbox.take(status);
        // Messages between two ranks need not come in order: their sum tells.
        next[status.rank()] += status.longAt(0);
      }
      for (long sum : next) {
        if (sum != MESSAGES * (MESSAGES - 1L) / 2) {
          throw new IllegalStateException("lost something: the sum is " + sum);
        }
      }
      IO.println("rank " + last + " has it all");
    } else {
      var message = Arena.ofAuto().allocate(JAVA_LONG);
      var idle = lacis.newIdle();
      long retries = 0;
      for (long i = 0; i < MESSAGES; i++) {
        message.set(JAVA_LONG, 0, i);
        while (lacis.am(last, message, 0, mail, Completion.NONE).isRetry()) {
          retries++;
          idle.after(lacis.progress());
        }
        idle.reset();
      }
      IO.println("rank " + lacis.rank() + (retries > 0 ? " was held up" : " met no resistance"));
    }
    lacis.barrier();
  }
}
