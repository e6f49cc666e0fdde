package org.lacis.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.lacis.net.NetDevice;

/**
 * Fences. A local one notes what this rank has under way and waits until all of that has ended. A
 * global one does so on every rank, then sends a mark behind everything else on every device to
 * every rank; a rank that has all marks has taken all messages, and a barrier tells that every rank
 * has.
 */
final class Fences implements Waiting.Condition {

  private final Engine engine;
  private final Waiters waiters = new Waiters();
  private final AtomicLong marks = new AtomicLong();

  /** How many threads are here. Every completion looks at it. */
  private final AtomicInteger inside = new AtomicInteger();

  /** The marks of all global fences so far. */
  private long expected;

  Fences(Engine engine) {
    this.engine = engine;
  }

  /**
   * Something has ended, or a peer is gone: whoever waits looks again. A thread that comes at this
   * moment may be missed: it does not sleep long.
   */
  void wake() {
    if (inside.get() != 0) {
      waiters.wake();
    }
  }

  /** A mark has come. */
  void arrived() {
    marks.incrementAndGet();
    wake();
  }

  /** Waits until what was started before by these devices has ended; false if not in time. */
  boolean awaitLocal(EngineDevice[] devices, long nanos) {
    // Also if there is nothing to wait for: a mistake should not show only now and then.
    engine.refuseWaitInHandler();
    return await(new LocalFence(devices), 0, nanos);
  }

  private boolean await(Waiting.Condition condition, long target, long nanos) {
    inside.incrementAndGet();
    try {
      return engine.waiting().await(condition, target, waiters, nanos);
    } finally {
      inside.decrementAndGet();
    }
  }

  synchronized void awaitGlobal() {
    EngineDevice[] devices = engine.devices();
    awaitLocal(devices, Waiting.FOREVER);
    expected += (long) engine.size() * devices.length;
    for (EngineDevice device : devices) {
      for (int rank = 0; rank < engine.size(); rank++) {
        mark(device, rank);
      }
    }
    await(this, expected, Waiting.FOREVER);
    if (marks.get() < expected) {
      throw engine.failures.error(gone());
    }
    await(new Delivery(engine, List.of(devices)), 0, Waiting.FOREVER);
    engine.barrier.await();
  }

  private void mark(EngineDevice device, int rank) {
    long h0 = Frame.h0(Frame.FENCE, 0, 0, 0);
    Pause pause = new Pause(engine, "room for the mark of a global fence to rank " + rank);
    try {
      for (int result = device.net().mark(rank, h0, 0);
          result != NetDevice.OK;
          result = device.net().mark(rank, h0, 0)) {
        if (result == NetDevice.PEER_GONE) {
          throw engine.failures.error(rank);
        }
        pause.after(engine.progress());
      }
    } finally {
      pause.end();
    }
  }

  /** What was under way when the fence began; looked at by the thread that waits. */
  private static final class LocalFence implements Waiting.Condition {
    private final List<Operation> operations = new ArrayList<>();
    private final long[] uses;

    LocalFence(EngineDevice[] devices) {
      for (EngineDevice device : devices) {
        device.forEachOperation(
            op -> {
              if (op.state.isOutgoing()) {
                operations.add(op);
              }
            });
      }
      uses = operations.stream().mapToLong(Operation::wireId).toArray();
    }

    @Override
    public boolean met(long target) {
      for (int i = operations.size() - 1; i >= 0; i--) {
        if (operations.get(i).isNamed(uses[i])) {
          return false;
        }
        // Not looked at again.
        operations.remove(i);
      }
      return true;
    }

    @Override
    public String describe(long target) {
      return "a fence: at most " + operations.size() + " of the operations before it";
    }
  }

  /**
   * Messages that are here may be with a matching thread, and long active ones wait for room in
   * their queue.
   *
   * @param devices all that a global fence is about
   */
  private record Delivery(Engine engine, List<EngineDevice> devices) implements Waiting.Condition {
    @Override
    public boolean met(long target) {
      for (Matching matching : engine.matchings.all()) {
        if (!matching.isSettled()) {
          return false;
        }
      }
      for (EngineDevice device : devices) {
        if (device.has(op -> op.state.isPulled())) {
          return false;
        }
      }
      return true;
    }

    @Override
    public String describe(long target) {
      return "a global fence: messages to be matched and delivered here";
    }
  }

  /** A rank whose marks will not come; -1 if there is none. */
  private int gone() {
    for (EngineDevice device : engine.devices()) {
      for (int rank = 0; rank < engine.size(); rank++) {
        if (device.isGone(rank)) {
          return rank;
        }
      }
    }
    return -1;
  }

  @Override
  public boolean met(long target) {
    return marks.get() >= target || gone() >= 0;
  }

  @Override
  public String describe(long target) {
    return "a global fence: %d of %d marks have come".formatted(marks.get(), target);
  }
}
