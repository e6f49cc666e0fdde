package org.lacis.bench.subject;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Counter;
import org.lacis.Lacis;
import org.lacis.RemoteCompletion;
import org.lacis.Status;

/** Messages one after the other. */
final class Streams {
  private Streams() {}

  /** Active messages to a handler. */
  static final class ToHandler extends LacisWork {
    ToHandler(Lacis lacis) {
      super(lacis);
    }

    @Override
    Timing measure(Command command) {
      long count = command.count() / pairs;
      long start = System.nanoTime();
      if (first) {
        for (long i = 0; i < count; i++) {
          word.set(JAVA_LONG, 0, i);
          ring();
        }
        hear(1);
      } else {
        hear(count);
        ring();
      }
      return since(start);
    }
  }

  /** Active messages to a completion queue. */
  static final class ToQueue extends LacisWork {
    private final CompletionQueue queue;
    private final RemoteCompletion target;
    private final Status status = Status.create();

    ToQueue(Lacis lacis) {
      super(lacis);
      queue = lacis.newCompletionQueue();
      target = lacis.register(queue);
    }

    @Override
    Timing measure(Command command) {
      long count = command.count() / pairs;
      long start = System.nanoTime();
      if (first) {
        for (long i = 0; i < count; i++) {
          word.set(JAVA_LONG, 0, i);
          while (lacis.am(peer, word, 0, target, Completion.NONE).isRetry()) {
            idle.after(lacis.progress());
          }
          idle.reset();
        }
        hear(1);
      } else {
        take(count);
        ring();
      }
      return since(start);
    }

    private void take(long count) {
      long sum = 0;
      for (long taken = 0; taken < count; ) {
        if (queue.pop(status)) {
          sum += status.longAt(0);
          taken++;
        } else {
          idle.after(lacis.progress());
        }
      }
      if (sum != count * (count - 1) / 2) {
        throw new IllegalStateException("messages were lost or changed");
      }
    }
  }

  /** Both ranks at once, with so many messages of each under way as the window says. */
  static final class BothWays extends LacisWork {
    BothWays(Lacis lacis) {
      super(lacis);
    }

    @Override
    Timing measure(Command command) {
      long count = command.count() / pairs;
      int window = command.number("window", 64);
      long start = System.nanoTime();
      long sent = 0;
      long answered = 0;
      while (sent < count || answered < count) {
        long come = unheard();
        answered += come;
        hear(come);
        if (sent < count && sent < answered + window) {
          ring();
          sent++;
        } else {
          progress();
        }
      }
      return since(start);
    }
  }

  /**
   * Sends to receives that were posted before. There are two windows of buffers: while the messages
   * of one are on their way, the receives of the other are there already, and the sender knows.
   */
  static final class Matched extends LacisWork {
    private final MemorySegment[] buffers;
    private final int window;
    private final Counter done;

    /** Completions of all runs so far. */
    private long expected;

    Matched(Lacis lacis, int bytes, int window) {
      super(lacis);
      this.window = window;
      buffers = new MemorySegment[2 * window];
      for (int i = 0; i < buffers.length; i++) {
        buffers[i] = Arena.ofAuto().allocate(bytes, 64).fill((byte) i);
      }
      done = lacis.newCounter();
    }

    @Override
    Timing measure(Command command) {
      long windows = command.count() / pairs / window;
      long start = System.nanoTime();
      if (first) {
        for (long k = 0; k < windows; k++) {
          hear(1);
          send((int) (k & 1) * window);
        }
        hear(1);
      } else {
        long before = expected;
        for (long k = 0; k < windows; k++) {
          // The buffers of a window are free when the window two before it is complete.
          done.await(before + (k - 1) * window);
          receive((int) (k & 1) * window);
          ring();
        }
        expected = before + windows * window;
        done.await(expected);
        ring();
      }
      return since(start);
    }

    private void send(int from) {
      for (int i = from; i < from + window; i++) {
        var post = lacis.send(peer, buffers[i], i, done);
        while (post.isRetry()) {
          idle.after(lacis.progress());
          post = lacis.send(peer, buffers[i], i, done);
        }
        if (post.isPosted()) {
          expected++;
        }
      }
      idle.reset();
      done.await(expected);
    }

    private void receive(int from) {
      for (int i = from; i < from + window; i++) {
        while (lacis.recv(peer, buffers[i], i, done).isRetry()) {
          idle.after(lacis.progress());
        }
      }
    }
  }
}
