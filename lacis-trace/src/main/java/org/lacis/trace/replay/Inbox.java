package org.lacis.trace.replay;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Messages that were sent to a rank and have not arrived there. */
final class Inbox {
  /** Takes the messages that arrive. */
  interface Taker {
    void arrived(Lane message);
  }

  private final Spill spill;
  private final Taker taker;
  private final Map<Integer, Lane> lanes = new HashMap<>();
  private final PriorityQueue<Lane> first =
      new PriorityQueue<>(
          Comparator.comparingLong(Lane::arrival).thenComparingInt(lane -> lane.sender));

  Inbox(Spill spill, Taker taker) {
    this.spill = spill;
    this.taker = taker;
  }

  /** A message is on its way; answers when it arrives. */
  long add(int sender, long arrival, int number, int comm, int source, int tag) throws IOException {
    Lane lane = lanes.computeIfAbsent(sender, s -> new Lane(s, spill));
    boolean queued = !lane.isEmpty();
    long when = lane.add(arrival, number, comm, source, tag);
    if (!queued) {
      first.add(lane);
    }
    return when;
  }

  /** Everything arrives that does so before a time. */
  void arriveBefore(long time) throws IOException {
    for (Lane lane = first.peek(); lane != null && lane.arrival() < time; lane = first.peek()) {
      first.remove();
      take(lane);
      if (!lane.isEmpty()) {
        first.add(lane);
      }
    }
  }

  /** The next message of a sender arrives now, whenever it was to. */
  void arriveFrom(int sender) throws IOException {
    Lane lane = lane(sender);
    if (lane != null) {
      first.remove(lane);
      take(lane);
      if (!lane.isEmpty()) {
        first.add(lane);
      }
    }
  }

  /** When the next message of a sender arrives; there must be one. */
  long arrivalFrom(int sender) {
    Lane lane = lane(sender);
    if (lane == null) {
      throw new IllegalStateException("nothing is on its way from " + sender);
    }
    return lane.arrival();
  }

  private @Nullable Lane lane(int sender) {
    Lane lane = lanes.get(sender);
    return lane == null || lane.isEmpty() ? null : lane;
  }

  private void take(Lane lane) throws IOException {
    taker.arrived(lane);
    lane.remove();
  }
}
