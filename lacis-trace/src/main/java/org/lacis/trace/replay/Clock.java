package org.lacis.trace.replay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Says when each message has arrived, and when each step of a rank was. */
final class Clock {
  private final Pairing pairing;
  private final Arrivals arrivals;
  private final List<Script> scripts;

  Clock(Pairing pairing, Arrivals arrivals) {
    this.pairing = pairing;
    this.arrivals = arrivals;
    scripts = pairing.scripts();
  }

  void run() {
    switch (arrivals) {
      case Arrivals.Times times -> byTimes();
      case Arrivals.Model model -> byModel(model);
    }
    inOrder();
  }

  private void byTimes() {
    for (int i = 0; i < scripts.size(); i++) {
      Script script = scripts.get(i);
      for (int step = 0; step < script.steps(); step++) {
        int message = pairing.message(i, step);
        if (message >= 0) {
          pairing.box(pairing.target(i, step)).arrivals.set(message, script.times.get(step));
        }
      }
    }
    for (Script script : scripts) {
      Mailbox box = pairing.box(script.rank);
      for (int m = 0; m < box.messages(); m++) {
        int receive = box.receiveOf.get(m);
        int done = receive < 0 ? -1 : script.doneBy.get(receive);
        if (done >= 0 && box.arrivals.get(m) > script.times.get(done)) {
          box.arrivals.set(m, script.times.get(done));
        }
      }
    }
  }

  /** Plays all ranks at once; one that waits for a message goes on when that was sent. */
  private void byModel(Arrivals.Model model) {
    var random = new SplittableRandom(model.seed());
    int[] at = new int[scripts.size()];
    long[] now = new long[scripts.size()];
    long[] before = new long[scripts.size()];
    Map<Integer, Integer> placeOf = new HashMap<>();
    Deque<Integer> ready = new ArrayDeque<>();
    for (int i = 0; i < at.length; i++) {
      before[i] = scripts.get(i).steps() == 0 ? 0 : scripts.get(i).times.get(0);
      placeOf.put(scripts.get(i).rank, i);
      ready.add(i);
    }
    while (!ready.isEmpty()) {
      int i = ready.remove();
      Script script = scripts.get(i);
      Mailbox box = pairing.box(script.rank);
      for (; at[i] < script.steps(); at[i]++) {
        int step = at[i];
        int kind = script.kinds.get(step);
        long then = script.times.get(step);
        if (kind == Script.DONE) {
          int message = box.messageOf.get(script.peers.get(step));
          if (message >= 0) {
            long arrival = box.arrivals.get(message);
            if (arrival == Long.MAX_VALUE) {
              // Its sender wakes this rank.
              break;
            }
            now[i] = Math.max(now[i], arrival);
          }
        } else {
          now[i] += Math.max(then - before[i], 0);
        }
        before[i] = then;
        script.times.set(step, now[i]);
        int message = pairing.message(i, step);
        if (message >= 0) {
          int target = pairing.target(i, step);
          long late = model.jitterNanos() == 0 ? 0 : random.nextLong(model.jitterNanos() + 1);
          pairing.box(target).arrivals.set(message, now[i] + model.latencyNanos() + late);
          Integer place = placeOf.get(target);
          if (place != null && place != i) {
            ready.add(place);
          }
        }
      }
    }
  }

  /** Messages of one sender do not overtake each other. */
  private void inOrder() {
    for (Script script : scripts) {
      Mailbox box = pairing.box(script.rank);
      Map<Integer, Long> next = new HashMap<>();
      for (int m = box.messages() - 1; m >= 0; m--) {
        int sender = box.senders.get(m);
        long arrival = Math.min(box.arrivals.get(m), next.getOrDefault(sender, Long.MAX_VALUE));
        box.arrivals.set(m, arrival);
        next.put(sender, arrival);
      }
    }
  }
}
