package org.lacis.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks for the cycle that an edge would close. */
final class DagPath {

  private DagPath() {}

  /**
   * Refuses an edge that closes a cycle.
   *
   * @param node what is to come after the other
   * @throws IllegalArgumentException if the other comes after it, with the way that leads there
   */
  static void refuse(DagNode node, DagNode other) {
    List<DagNode> path = find(node, other);
    if (!path.isEmpty()) {
      throw new IllegalArgumentException(
          node
              + " cannot come after node "
              + other.name()
              + ", which comes after it: "
              + String.join(" → ", path.stream().map(DagNode::name).toList()));
    }
  }

  /** A way along the edges; empty if there is none. */
  private static List<DagNode> find(DagNode start, DagNode goal) {
    if (start == goal) {
      return List.of(start);
    }
    Map<DagNode, DagNode> from = new HashMap<>();
    ArrayDeque<DagNode> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty() && !from.containsKey(goal)) {
      DagNode node = open.pop();
      for (DagNode s : node.successors()) {
        if (from.putIfAbsent(s, node) == null) {
          open.push(s);
        }
      }
    }
    List<DagNode> path = new ArrayList<>();
    @Nullable DagNode node = from.containsKey(goal) ? goal : null;
    for (; node != null; node = from.get(node)) {
      path.addFirst(node);
    }
    return path;
  }
}
