package org.lacis.net.sim;

import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lacis.net.PeerEnd;

/** The way from one rank to a device of another. Made when first used. */
final class SimLink {

  /** Who sends. */
  final int source;

  /** Messages that were posted and that no sink has taken, notifications to come included. */
  int cells;

  /** The numbers of what is between the two devices. */
  private final TreeSet<Long> flying = new TreeSet<>();

  /** Marks that are there before what they have to come behind, by number. */
  private final TreeMap<Long, Runnable> early = new TreeMap<>();

  private long departures;

  /** When the latest arrives, for order, in nanoseconds. */
  long lastArrival;

  /** How the source has gone, which has to be told once nothing is flying any more; or null. */
  @Nullable PeerEnd closing;

  SimLink(int source) {
    this.source = source;
  }

  /** Something leaves; the number it gets. */
  long depart() {
    flying.add(departures);
    return departures++;
  }

  /** Something is there. */
  void land(long number, Runnable landing) {
    landing.run();
    flying.remove(number);
    while (!early.isEmpty() && early.firstKey().equals(flying.first())) {
      early.pollFirstEntry().getValue().run();
      flying.pollFirst();
    }
  }

  /** A mark is there: it waits for what left before it. */
  void landLast(long number, Runnable landing) {
    if (flying.first() == number) {
      land(number, landing);
    } else {
      early.put(number, landing);
    }
  }

  boolean isEmpty() {
    return flying.isEmpty();
  }
}
