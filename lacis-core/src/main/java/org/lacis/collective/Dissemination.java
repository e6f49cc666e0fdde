package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.lacis.Graph.Node;

/**
 * The barrier: in round k each member tells the one 2^k ahead that it has heard from all before.
 */
final class Dissemination {

  private Dissemination() {}

  static void write(Plan plan) {
    MemorySegment nothing = plan.scratch(0);
    List<Node> heard = new ArrayList<>();
    for (long far = 1; far < plan.size; far <<= 1) {
      plan.send(plan.member(plan.me + far), nothing).after(heard.toArray(Node[]::new));
      heard.add(plan.receive(plan.member(plan.me - far), nothing));
    }
  }
}
