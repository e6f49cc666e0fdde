package org.lacis.bench.subject;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Lacis;
import org.lacis.LacisOptions;
import org.lacis.MatchingOptions;

/**
 * Receives posted, then their messages sent, so many at a time: of different tags (nc, no
 * conflicts), of one tag (wc, with conflicts), or posted in the reverse of the order in which the
 * messages come (rev). Runtimes differ in their default matching engine.
 */
final class Matching extends LacisWork {
  private final int window;
  private final boolean same;
  private final boolean reverse;
  private final MemorySegment in = Arena.ofAuto().allocate(JAVA_LONG);
  private final Counter done;

  Matching(Lacis lacis, int window, String kind) {
    super(lacis);
    this.window = window;
    same = kind.equals("wc");
    reverse = kind.equals("rev");
    done = lacis.newCounter();
  }

  /** How a runtime is made that matches by this engine. */
  static LacisOptions options(String engine, int threads, boolean fastPath) {
    return LacisOptions.defaults()
        .withMatching(
            switch (engine) {
              case "list" -> MatchingOptions.list();
              case "ordered", "offload" ->
                  MatchingOptions.ordered()
                      .bins(1024)
                      .maxReceives(8192)
                      .threads(threads)
                      .fastPath(fastPath);
              default -> MatchingOptions.defaults();
            });
  }

  @Override
  Timing measure(Command command) {
    long start = System.nanoTime();
    long received = done.count();
    for (long batch = command.count() / pairs / window; batch > 0; batch--) {
      if (first) {
        hear(1);
        send();
        hear(1);
      } else {
        receive();
        ring();
        received += window;
        done.await(received);
        ring();
      }
    }
    return since(start);
  }

  private void send() {
    for (int i = 0; i < window; i++) {
      int tag = same ? 0 : i;
      while (lacis.send(peer, word, tag, Completion.NONE).isRetry()) {
        idle.after(lacis.progress());
      }
    }
    idle.reset();
  }

  private void receive() {
    for (int i = 0; i < window; i++) {
      int tag = same ? 0 : reverse ? window - 1 - i : i;
      while (lacis.recv(peer, in, tag, done).isRetry()) {
        idle.after(lacis.progress());
      }
    }
  }
}
