package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.lacis.Backlog;

/**
 * The backlog: any thread pushes on a stack; progress, one thread at a time, turns what it finds
 * there over into a list of its own and works through that. Operations are linked through
 * themselves.
 */
final class BacklogQueue implements Backlog {

  /** How many are tried in one progress call. */
  private static final int BATCH = 64;

  private static final VarHandle PUSHED;

  static {
    try {
      PUSHED = MethodHandles.lookup().findVarHandle(BacklogQueue.class, "pushed", Operation.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Tries to go on with an operation. */
  interface Resumer {
    /**
     * Goes on.
     *
     * @return false if it must stay in the backlog
     */
    boolean resume(Operation op);
  }

  private final int capacity;
  private final AtomicInteger length = new AtomicInteger();

  @SuppressWarnings("unused")
  private volatile @Nullable Operation pushed;

  // Progress only.
  private @Nullable Operation first;
  private @Nullable Operation last;
  private boolean shut;

  BacklogQueue(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public int length() {
    return length.get();
  }

  @Override
  public int capacity() {
    return capacity;
  }

  boolean isFull() {
    return length.get() >= capacity;
  }

  boolean isEmpty() {
    return first == null && pushed == null;
  }

  void push(Operation op) {
    length.incrementAndGet();
    Operation top;
    do {
      top = pushed;
      op.link = top;
    } while (!PUSHED.compareAndSet(this, top, op));
  }

  /** Works through what is there; under the progress lock. Returns how many went on. */
  int drain(Resumer resumer) {
    collect();
    int went = 0;
    Operation before = null;
    Operation op = first;
    for (int i = 0; op != null && i < BATCH; i++) {
      Operation next = op.link;
      // Taken off before it goes on: its link may be used again by then.
      unlink(before, op, next);
      if (resumer.resume(op)) {
        went++;
        if (shut) {
          // By a handler: what is linked here has other uses by now.
          break;
        }
        length.decrementAndGet();
      } else {
        relink(before, op);
        before = op;
      }
      op = before == null ? first : before.link;
    }
    return went;
  }

  /** Forgets everything; nobody drains it at the same time, but perhaps the caller. */
  void shut() {
    shut = true;
    pushed = null;
    first = null;
    last = null;
    length.set(0);
  }

  private void unlink(@Nullable Operation before, Operation op, @Nullable Operation next) {
    if (before == null) {
      first = next;
    } else {
      before.link = next;
    }
    if (last == op) {
      last = before;
    }
    op.link = null;
  }

  private void relink(@Nullable Operation before, Operation op) {
    Operation next = before == null ? first : before.link;
    op.link = next;
    if (before == null) {
      first = op;
    } else {
      before.link = op;
    }
    if (next == null) {
      last = op;
    }
  }

  private void collect() {
    Operation top = (Operation) PUSHED.getAndSet(this, null);
    Operation turned = null;
    Operation turnedLast = top;
    while (top != null) {
      Operation next = top.link;
      top.link = turned;
      turned = top;
      top = next;
    }
    if (turned != null) {
      if (last == null) {
        first = turned;
      } else {
        last.link = turned;
      }
      last = turnedLast;
    }
  }
}
