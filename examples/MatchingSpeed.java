// How fast are messages matched? Rank 0 sends a sequence of messages to receives that rank 1 has
// posted, and rank 1 answers when all have come; the rate is that of the messages in this time.
// Receives of different tags (NC), of one tag (WC), and in the reverse order of the messages.
//
//   lacis run -n 2 examples/MatchingSpeed.java
//
// and, in a tenth of the time but less exactly:
//
//   lacis run -n 2 examples/MatchingSpeed.java quick
//
// peers/matching.c does the same with MPI.

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.lacis.MatchingOptions.*;

import java.lang.foreign.*;
import java.util.*;
import org.lacis.*;

static final int SEQUENCES = 500;

long signals;
long expected; // not read off the other: a signal may be early

record Kind(String name, MatchingOptions options) {}

void main(String[] args) {
  int sequences = args.length > 0 && args[0].equals("quick") ? SEQUENCES / 10 : SEQUENCES;
  try (var lacis = Lacis.open()) {
    var signal = lacis.register(status -> signals++);
    var large = ordered().bins(4096);
    var kinds =
        new ArrayList<>(
            List.of(
                new Kind("hash", defaults()),
                new Kind("list", list()),
                new Kind("ordered", large),
                new Kind("ordered, hints", large.hints(new MatchingHints(true, true, true)))));
    if (sequences == SEQUENCES) {
      kinds.add(new Kind("ordered, 1 thread", large.threads(1)));
      kinds.add(new Kind("ordered, 2 threads", large.threads(2)));
    }
    for (var kind : kinds) {
      try (var engine = lacis.newMatchingEngine(kind.options())) {
        var run = new Run(lacis, engine, signal);
        run.report(kind.name() + ", NC, 100", 100, 0, sequences);
        run.report(kind.name() + ", WC, 100", 100, 1, sequences);
        run.report(kind.name() + ", reversed, 1000", 1000, 2, sequences);
        lacis.barrier();
      }
    }
    lacis.barrier();
  }
}

class Run {
  final Lacis lacis;
  final MatchingEngine engine;
  final RemoteCompletion signal;
  final Counter received;
  final MemorySegment memory = Arena.ofAuto().allocate(JAVA_LONG, 1000);
  final Idle idle;

  Run(Lacis lacis, MatchingEngine engine, RemoteCompletion signal) {
    this.lacis = lacis;
    this.engine = engine;
    this.signal = signal;
    this.received = lacis.newCounter();
    this.idle = lacis.newIdle();
  }

  void report(String what, int messages, int pattern, int sequences) {
    var rates = new double[sequences];
    for (int i = -sequences / 5; i < sequences; i++) {
      long nanos = lacis.rank() == 0 ? send(messages, pattern) : receive(messages, pattern);
      if (i >= 0) {
        rates[i] = messages * 1e3 / nanos;
      }
    }
    Arrays.sort(rates);
    if (lacis.rank() == 0) {
      IO.println(
          "%-32s %6.2f million/s, best %6.2f"
              .formatted(what, rates[sequences / 2], rates[sequences - 1]));
    }
  }

  long send(int messages, int pattern) {
    await();
    long start = System.nanoTime();
    for (int i = 0; i < messages; i++) {
      lacis
          .send()
          .to(1)
          .tag(pattern == 1 ? 0 : i)
          .buffer(memory, 8L * i, 8)
          .matching(engine)
          .postBlocking(Completion.NONE);
    }
    await();
    return System.nanoTime() - start;
  }

  long receive(int messages, int pattern) {
    long before = received.count();
    for (int i = 0; i < messages; i++) {
      int tag = pattern == 1 ? 0 : pattern == 2 ? messages - 1 - i : i;
      lacis
          .recv()
          .from(0)
          .tag(tag)
          .buffer(memory, 8L * i, 8)
          .matching(engine)
          .postBlocking(received);
    }
    tell();
    while (received.count() < before + messages) {
      idle.after(lacis.progress());
    }
    tell();
    return 1;
  }

  void tell() {
    lacis.am().to(1 - lacis.rank()).target(signal).postBlocking(Completion.NONE);
  }

  void await() {
    expected++;
    while (signals < expected) {
      idle.after(lacis.progress());
    }
  }
}
