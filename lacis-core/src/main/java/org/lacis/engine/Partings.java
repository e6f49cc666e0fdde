package org.lacis.engine;

import java.util.ArrayList;
import java.util.List;

/** Which devices other ranks have closed; also those that this rank has not made yet. */
final class Partings {

  private record Parting(int device, int peer, long answers) {}

  private final Engine engine;
  private final List<Parting> early = new ArrayList<>();

  /** How many devices this rank has made. */
  private int made = 1;

  Partings(Engine engine) {
    this.engine = engine;
  }

  /** A device of this rank was closed: tells all others, by the default device. */
  void tell(EngineDevice closed) {
    EngineDevice teller = engine.defaultDevice();
    for (int peer = 0; peer < engine.size(); peer++) {
      if (peer != engine.rank() && !teller.isClosed() && !teller.isGone(peer)) {
        teller.pulls.submit(
            peer, Frame.h0(Frame.PARTING, 0, closed.index, 0), closed.partners.answersTo(peer));
      }
    }
  }

  /** A peer has closed a device. */
  void arrived(int index, int peer, long answers) {
    synchronized (early) {
      if (index >= made) {
        early.add(new Parting(index, peer, answers));
        return;
      }
    }
    for (EngineDevice device : engine.devices()) {
      if (device.index == index) {
        device.partners.closed(peer, answers);
      }
    }
  }

  /** This rank has made a device, which is among those of its runtime. */
  void made(EngineDevice device) {
    List<Parting> its = new ArrayList<>();
    synchronized (early) {
      made = Math.max(made, device.index + 1);
      early.removeIf(parting -> parting.device == device.index && its.add(parting));
    }
    its.forEach(parting -> device.partners.closed(parting.peer, parting.answers));
  }
}
