package org.lacis.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Counter;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.Status;
import org.lacis.Synchronizer;

/** A completion object of each kind for one operation, with what it heard. For one thread. */
abstract class Witness {

  /** The kinds of completion objects. */
  enum Kind {
    HANDLER,
    QUEUE,
    SYNCHRONIZER,
    COUNTER,
    FUTURE,
    NONE;

    /** Whether it can tell what has completed, and not only that something has. */
    boolean tells() {
      return this != COUNTER && this != NONE;
    }
  }

  private final Completion completion;

  Witness(Completion completion) {
    this.completion = completion;
  }

  /** What is given to the operation. */
  final Completion completion() {
    return completion;
  }

  /** Whether the operation is complete. */
  abstract boolean heard();

  /** What was said, if it was heard and the kind tells. */
  @Nullable Outcome outcome() {
    return null;
  }

  /** What was said. */
  final Outcome told() {
    return Objects.requireNonNull(outcome(), "nothing was heard");
  }

  /** A new one. */
  static Witness of(Kind kind, Lacis lacis) {
    return switch (kind) {
      case HANDLER -> handler();
      case QUEUE -> new OfQueue(lacis.newCompletionQueue(2));
      case SYNCHRONIZER -> new OfSynchronizer(lacis.newSynchronizer());
      case COUNTER -> new OfCounter(lacis.newCounter());
      case FUTURE -> new OfFuture(Completion.future(Outcome::of));
      case NONE -> new OfNone(lacis);
    };
  }

  /** A new one of a kind that tells. */
  static OfHandler handler() {
    return new OfHandler(new ArrayList<>());
  }

  /** Keeps every signal. */
  static final class OfHandler extends Witness {
    private final List<Outcome> heard;

    private OfHandler(List<Outcome> heard) {
      super((Handler) status -> heard.add(Outcome.of(status)));
      this.heard = heard;
    }

    /** All that was heard. */
    List<Outcome> all() {
      return heard;
    }

    @Override
    boolean heard() {
      return !heard.isEmpty();
    }

    @Override
    @Nullable Outcome outcome() {
      return heard.size() == 1 ? heard.getFirst() : null;
    }
  }

  private static final class OfQueue extends Witness {
    private final CompletionQueue queue;
    private @Nullable Outcome outcome;

    OfQueue(CompletionQueue queue) {
      super(queue);
      this.queue = queue;
    }

    @Override
    boolean heard() {
      if (outcome == null) {
        try (Status status = Status.create()) {
          if (queue.pop(status)) {
            outcome = Outcome.of(status);
          }
        }
      }
      return outcome != null;
    }

    @Override
    @Nullable Outcome outcome() {
      return outcome;
    }
  }

  private static final class OfSynchronizer extends Witness {
    private final Synchronizer synchronizer;
    private @Nullable Outcome outcome;

    OfSynchronizer(Synchronizer synchronizer) {
      super(synchronizer);
      this.synchronizer = synchronizer;
    }

    @Override
    boolean heard() {
      if (outcome == null) {
        boolean fired;
        try {
          fired = synchronizer.test();
        } catch (CommunicationException e) {
          fired = true;
        }
        if (fired) {
          outcome = Outcome.of(synchronizer.status(0));
          synchronizer.status(0).close();
        }
      }
      return outcome != null;
    }

    @Override
    @Nullable Outcome outcome() {
      return outcome;
    }
  }

  private static final class OfCounter extends Witness {
    private final Counter counter;

    OfCounter(Counter counter) {
      super(counter);
      this.counter = counter;
    }

    @Override
    boolean heard() {
      return counter.count() == 1;
    }
  }

  private static final class OfFuture extends Witness {
    private final CompletableFuture<Outcome> future;

    OfFuture(Completion.Future<Outcome> future) {
      super(future);
      this.future = future;
    }

    @Override
    boolean heard() {
      return future.isDone();
    }

    @Override
    @Nullable Outcome outcome() {
      return future.state() == java.util.concurrent.Future.State.SUCCESS ? future.join() : null;
    }
  }

  /** Nobody is told: it is over when the device has nothing under way. */
  private static final class OfNone extends Witness {
    private final Lacis lacis;

    OfNone(Lacis lacis) {
      super(Completion.NONE);
      this.lacis = lacis;
    }

    @Override
    boolean heard() {
      return lacis.device().pending() == 0;
    }
  }
}
