package org.lacis.net.sim;

import java.util.SplittableRandom;

/** How long things take from one device to another. */
final class SimWire {

  private final SimClock clock;
  private final SplittableRandom random;
  private final CostModel cost;
  private final long latency;
  private final long delay;
  private final long reordering;

  SimWire(SimOptions options, SimClock clock, SplittableRandom random) {
    this.clock = clock;
    this.random = random;
    cost = options.cost();
    latency = cost.latency().toNanos();
    delay = options.delay().toNanos();
    reordering = options.reordering().toNanos();
  }

  /**
   * Sends something that takes the room of {@code bytes}.
   *
   * @param time when the sender is ready for it, in nanoseconds
   * @param landing done when all of it is in
   */
  void fly(SimPort from, SimPort to, long time, long bytes, Runnable landing) {
    SimLink link = to.link(from.rank);
    long number = link.depart();
    fly(from, to, link, time, bytes, () -> link.land(number, landing));
  }

  /**
   * Sends something without room that lands behind everything that left for there before.
   *
   * @param time when the sender is ready for it, in nanoseconds
   */
  void flyLast(SimPort from, SimPort to, long time, Runnable landing) {
    SimLink link = to.link(from.rank);
    long number = link.depart();
    fly(from, to, link, time, 0, () -> link.landLast(number, landing));
  }

  private void fly(
      SimPort from, SimPort to, SimLink link, long time, long bytes, Runnable landing) {
    long departure = Math.max(time, from.egressFree);
    from.egressFree = departure + cost.occupancyNanos(bytes);
    long arrival =
        Math.max(departure + cost.wireNanos(bytes) + latency + upTo(delay), link.lastArrival);
    link.lastArrival = arrival;
    clock.at(arrival + upTo(reordering), from.rank, to.rank, () -> enter(to, link, bytes, landing));
  }

  /** The last byte is there; but a device takes in one message at a time. */
  private void enter(SimPort to, SimLink link, long bytes, Runnable landing) {
    long entry = Math.max(clock.now(), to.ingressLast + cost.occupancyNanos(bytes));
    to.ingressLast = entry;
    if (entry == clock.now()) {
      land(to, link, landing);
    } else {
      clock.at(entry, () -> land(to, link, landing));
    }
  }

  private static void land(SimPort to, SimLink link, Runnable landing) {
    landing.run();
    to.landed(link);
  }

  /** Sends something that takes no room: an acknowledgement, or word that a packet is free. */
  void answer(int from, int to, Runnable arrival) {
    clock.at(clock.now() + latency + upTo(delay), from, to, arrival);
  }

  /** After the time it takes to notice. */
  void notice(Runnable action) {
    clock.at(clock.now() + latency, action);
  }

  private long upTo(long most) {
    return most == 0 ? 0 : random.nextLong(most + 1);
  }
}
