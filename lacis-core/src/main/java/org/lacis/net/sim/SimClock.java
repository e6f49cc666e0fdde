package org.lacis.net.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Virtual time, and what is to happen when. Things of the same time happen in the order they were
 * asked for.
 */
final class SimClock {

  /**
   * Something that happens at one rank because of another. {@code from} is -1 if no partition can
   * hold it up.
   */
  private record Event(long time, long sequence, int from, int to, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::sequence));
  private final List<SimPartition> partitions = new ArrayList<>();
  private long now;
  private long sequence;

  /** Nanoseconds since the fabric was created. */
  long now() {
    return now;
  }

  /** Does something at a time, wherever. */
  void at(long time, Runnable action) {
    at(time, -1, -1, action);
  }

  /** Does something at a time at rank {@code to} that comes from rank {@code from}. */
  void at(long time, int from, int to, Runnable action) {
    events.add(new Event(Math.max(time, now), sequence++, from, to, action));
  }

  /** Does what is due. */
  void settle() {
    for (Event next = events.peek(); next != null && next.time <= now; next = events.peek()) {
      events.remove();
      run(next);
    }
  }

  /**
   * Moves on to the time of the next event, and does what is due then.
   *
   * @return false if there is none
   */
  boolean advance() {
    Event next = events.peek();
    if (next == null) {
      return false;
    }
    now = Math.max(now, next.time);
    settle();
    return true;
  }

  private void run(Event event) {
    for (SimPartition partition : partitions) {
      if (event.from >= 0 && partition.separates(event.from, event.to)) {
        partition.hold(() -> at(now, event.from, event.to, event.action));
        return;
      }
    }
    event.action.run();
  }

  /** From now on what crosses this partition is held up. */
  void add(SimPartition partition) {
    partitions.add(partition);
  }

  /** Lets what was held up by a partition go on, in the order it came. */
  void remove(SimPartition partition) {
    if (partitions.remove(partition)) {
      partition.letGo();
    }
  }
}
