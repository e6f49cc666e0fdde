package org.lacis.bench.subject;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.HdrHistogram.Histogram;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.Synchronizer;

/** Messages to and fro. */
final class Latency {
  private Latency() {}

  /** Active messages to a handler. */
  static final class ActiveMessages extends LacisWork {
    ActiveMessages(Lacis lacis) {
      super(lacis);
    }

    @Override
    Timing measure(Command command) {
      long start = System.nanoTime();
      for (long i = command.count(); i > 0; i--) {
        if (first) {
          ring();
        }
        hear(1);
        if (!first) {
          ring();
        }
      }
      return since(start);
    }
  }

  /** Sends to receives. */
  static final class Matched extends LacisWork {
    private final MemorySegment in = Arena.ofAuto().allocate(JAVA_LONG);
    private final Synchronizer received;

    Matched(Lacis lacis) {
      super(lacis);
      received = lacis.newSynchronizer();
    }

    @Override
    Timing measure(Command command) {
      lacis.barrier();
      long start = System.nanoTime();
      for (long i = command.count(); i > 0; i--) {
        if (first) {
          send();
        }
        receive(); // while the message is on its way, as in the program for MPI
        while (!received.test()) {
          idle.after(lacis.progress());
        }
        idle.reset();
        if (!first) {
          send();
        }
      }
      return since(start);
    }

    private void send() {
      while (lacis.send(peer, word, 0, Completion.NONE).isRetry()) {
        idle.after(lacis.progress());
      }
    }

    private void receive() {
      while (lacis.recv(peer, in, 0, received).isRetry()) {
        idle.after(lacis.progress());
      }
    }
  }

  /**
   * Requests at a given pace. A request that is late because the one before it took long is counted
   * from when it should have been sent: what is slow is slow for all that wait behind it.
   */
  static final class Paced extends LacisWork {
    private final Histogram times = new Histogram(3);

    Paced(Lacis lacis) {
      super(lacis);
    }

    @Override
    Timing measure(Command command) {
      long interval = command.number("interval", 20_000);
      times.reset();
      long start = System.nanoTime();
      long due = start;
      for (long i = command.count(); i > 0; i--, due += interval) {
        if (first) {
          while (System.nanoTime() < due) {
            Thread.onSpinWait();
          }
          ring();
        }
        hear(1);
        if (first) {
          times.recordValue((System.nanoTime() - due) / 2);
        } else {
          ring();
        }
      }
      return new Timing(since(start).nanos(), first ? Percentiles.of(times) : "");
    }
  }
}
