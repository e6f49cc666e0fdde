package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of graphs that found no room: progress, on whatever device, takes all of them and tries
 * each once. They are linked through themselves.
 */
final class Retries {

  private static final VarHandle TOP;

  static {
    try {
      TOP = MethodHandles.lookup().findVarHandle(Retries.class, "top", DagNode.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile @Nullable DagNode top;
  private volatile boolean shut;

  boolean isEmpty() {
    return top == null;
  }

  void push(DagNode node) {
    DagNode below;
    do {
      below = top;
      node.next = below;
    } while (!TOP.compareAndSet(this, below, node));
    if (shut) {
      drain();
    }
  }

  /** Tries all that are there once; returns how many nodes went on. */
  int drain() {
    DagNode node = (DagNode) TOP.getAndSet(this, null);
    DagNode first = null;
    while (node != null) {
      DagNode below = node.next;
      node.next = first;
      first = node;
      node = below;
    }
    int went = 0;
    while (first != null) {
      DagNode next = first.next;
      if (shut) {
        first.graph.giveUp(first);
      } else {
        went += first.graph.retry(first);
      }
      first = next;
    }
    return went;
  }

  /** There will be no more progress: what waits here is given up, now and later. */
  void shut() {
    shut = true;
    drain();
  }
}
