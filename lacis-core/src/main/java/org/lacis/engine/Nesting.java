package org.lacis.engine;

import org.lacis.Completion;

/**
 * How deep in each other ends are told, and graphs run, on a thread. A handler may post something
 * that is complete at once, whose handler posts the next one, and so on: beyond some depth the next
 * progress call tells it, or the stack would grow with what waits.
 */
final class Nesting {

  private static final int DEEPEST = 16;

  /** Where in {@link #depths} it is counted how deep in each other graphs start nodes. */
  private static final int GRAPHS = 1;

  private final ThreadLocal<int[]> depths = ThreadLocal.withInitial(() -> new int[2]);

  /** Whether a completion object may call code of the user's, which may post. */
  private static boolean isOpen(Completion done) {
    return !(done instanceof Count || done instanceof Bounded);
  }

  /** Goes one deeper; false if that is too deep. */
  boolean enter(Completion done) {
    if (!isOpen(done)) {
      return true;
    }
    int[] depth = depths.get();
    if (depth[0] == DEEPEST) {
      return false;
    }
    depth[0]++;
    return true;
  }

  /** Comes back from there. */
  void leave(Completion done) {
    if (isOpen(done)) {
      depths.get()[0]--;
    }
  }

  /** This thread starts nodes of a graph; {@link #leaveGraph} is to be called with the answer. */
  int[] enterGraph() {
    int[] depth = depths.get();
    depth[GRAPHS]++;
    return depth;
  }

  static void leaveGraph(int[] depth) {
    depth[GRAPHS]--;
  }

  /** Whether the caller is called by a completion object or graph. */
  boolean isInside() {
    int[] depth = depths.get();
    return depth[0] > 0 || depth[GRAPHS] > 0;
  }
}
