package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Counter;
import org.lacis.Device;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Status;
import org.lacis.Synchronizer;

/**
 * Posts operations of one rank of a {@link Model}, in small steps, and sees them to their end. One
 * thread takes the steps; completions may be signalled by others.
 */
final class ModelWorker {

  /** So many operations under way, and no more are started; receives come on top. */
  private static final int MOST = 40;

  final Model model;
  final Lacis lacis;
  private final int index;
  private final RandomGenerator random;
  private final ModelChoices choices;

  /** Operations still to be started. */
  private final AtomicInteger left;

  /** Operations, receives among them, from their start until what they used is free. */
  private final AtomicInteger open = new AtomicInteger();

  /** What was refused and is tried again. */
  private final Deque<ModelTask> refused = new ArrayDeque<>();

  private final CompletionQueue queue;
  private final Counter counter;
  private long issued;
  private final List<ModelTask> counted = new ArrayList<>();
  private final List<ModelTask> watched = new ArrayList<>();
  private final List<Awaited> awaited = new ArrayList<>();
  private final Deque<Synchronizer> idle = new ArrayDeque<>();

  /** What is complete here; any thread adds. */
  private final Queue<ModelTask> over = new ConcurrentLinkedQueue<>();

  /** What is complete here, but perhaps not at its peer. */
  private final List<ModelTask> settling = new ArrayList<>();

  private record Awaited(Synchronizer synchronizer, ModelTask task) {}

  /**
   * Makes a worker.
   *
   * @param index among the workers of its rank
   * @param operations how many it will start
   */
  ModelWorker(Model model, int rank, int index, int operations, RandomGenerator random) {
    this.model = model;
    this.lacis = model.job.rank(rank);
    this.index = index;
    this.left = new AtomicInteger(operations);
    this.random = random;
    this.queue = lacis.newCompletionQueue();
    this.counter = lacis.newCounter();
    this.choices = new ModelChoices(this, index, random);
  }

  Device device(int number) {
    return model.devices.get(number).get(lacis.rank());
  }

  /** Whether it has started all of its operations; any thread. */
  boolean hasStartedAll() {
    return left.get() == 0;
  }

  /** Whether it has nothing under way; any thread. */
  boolean isIdle() {
    return open.get() == 0;
  }

  /** Does a little; how much progress there was. */
  int step() {
    if (left.get() > 0 && open.get() < MOST && refused.size() < 4) {
      ModelTask task = choices.next();
      if (task != null) {
        open.incrementAndGet();
        left.decrementAndGet();
        attempt(task);
      }
    }
    if (random.nextInt(3) > 0) {
      Parcel ordered = model.orders.get(lacis.rank()).poll();
      if (ordered != null) {
        open.incrementAndGet();
        attempt(choices.receive(ordered));
      }
    }
    for (int i = refused.size(); i > 0; i--) {
      attempt(refused.removeFirst());
    }
    int work =
        random.nextInt(4) == 0
            ? device(random.nextInt(model.devices.size())).progress()
            : lacis.progress();
    look();
    return work;
  }

  private void attempt(ModelTask task) {
    Synchronizer synchronizer =
        task.ending == Witness.Kind.SYNCHRONIZER ? idleSynchronizer() : null;
    Post answer = task.attempt(completion(task, synchronizer));
    if (answer.isPosted()) {
      switch (task.ending) {
        case SYNCHRONIZER -> awaited.add(new Awaited(notNull(synchronizer), task));
        case COUNTER -> {
          issued++;
          counted.add(task);
        }
        case NONE -> watched.add(task);
        default -> {}
      }
      return;
    }
    if (synchronizer != null) {
      idle.add(synchronizer);
    }
    if (answer.isDone()) {
      ended(task, null);
    } else {
      refused.addLast(task);
    }
  }

  private Completion completion(ModelTask task, @Nullable Synchronizer synchronizer) {
    return switch (task.ending) {
      case HANDLER -> task;
      case QUEUE -> queue;
      case SYNCHRONIZER -> notNull(synchronizer);
      case COUNTER -> counter;
      case FUTURE -> Completion.future(status -> signalled(task, status));
      default -> Completion.NONE;
    };
  }

  private static ModelTask signalled(ModelTask task, Status status) {
    task.signal(status);
    return task;
  }

  private Synchronizer idleSynchronizer() {
    Synchronizer found = idle.poll();
    return found != null ? found : lacis.newSynchronizer();
  }

  private static <T> T notNull(@Nullable T value) {
    if (value == null) {
      throw new AssertionError();
    }
    return value;
  }

  /** An operation is complete; any thread. */
  void ended(ModelTask task, @Nullable Status status) {
    task.check(status);
    over.add(task);
  }

  private void look() {
    model.targets.get(lacis.rank()).look(index == 0);
    try (Status status = Status.create()) {
      while (queue.pop(status)) {
        ended((ModelTask) notNull(status.context()), status);
      }
    }
    for (Iterator<Awaited> each = awaited.iterator(); each.hasNext(); ) {
      Awaited next = each.next();
      if (next.synchronizer.test()) {
        each.remove();
        ended(next.task, next.synchronizer.status(0));
        next.synchronizer.status(0).close();
        idle.add(next.synchronizer);
      }
    }
    checkCounter();
    if (!counted.isEmpty() && counter.count() == issued) {
      List.copyOf(counted).forEach(task -> ended(task, null));
      counted.clear();
    }
    watched.removeIf(
        task -> {
          boolean seen = task.isSeen();
          if (seen) {
            ended(task, null);
          }
          return seen;
        });
    for (ModelTask task = over.poll(); task != null; task = over.poll()) {
      settling.add(task);
    }
    settling.removeIf(this::isSettled);
  }

  private void checkCounter() {
    assertThat(counter.count()).as("operations counted by %s", this).isLessThanOrEqualTo(issued);
    assertThat(counter.failures()).as("failures counted by %s", this).isZero();
  }

  /**
   * Whether an operation that is over here is over at its peer too; if so, what it used is free.
   */
  private boolean isSettled(ModelTask task) {
    Parcel parcel = task.parcel;
    if (!task.receive) {
      switch (parcel.kind()) {
        case PUT -> {
          if (!task.isPut()) {
            return false;
          }
          model.arrived(parcel);
        }
        case GET -> model.arrived(parcel);
        case PUT_SIGNAL, GET_SIGNAL -> {
          if (model.isUnderWay(parcel)) {
            return false;
          }
        }
        default -> {}
      }
      if (parcel.kind().puts()) {
        task.checkBesidePut();
      }
    }
    choices.giveBack(task);
    open.decrementAndGet();
    return true;
  }

  /** Also checks that nothing came after the end. */
  void close() {
    checkCounter();
    assertThat(queue.length()).as("completions after the end, %s", this).isZero();
    for (Synchronizer synchronizer : idle) {
      assertThat(synchronizer.test()).as("a synchronizer fires after the end, %s", this).isFalse();
      synchronizer.status(0).close();
    }
    queue.close();
  }

  @Override
  public String toString() {
    return "rank %d worker %d: %d to start, %d under way"
        .formatted(lacis.rank(), index, left.get(), open.get());
  }
}
