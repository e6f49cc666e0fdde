package org.lacis.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** The graphs of a runtime that are in use somewhere, those of collectives included. */
final class Graphs {

  private final Set<Dag> all = Collections.newSetFromMap(new WeakHashMap<>());

  synchronized Dag add(Dag graph) {
    all.add(graph);
    return graph;
  }

  /** Those that run now. */
  synchronized List<Dag> running() {
    List<Dag> running = new ArrayList<>();
    for (Dag graph : all) {
      if (graph.isRunning()) {
        running.add(graph);
      }
    }
    return running;
  }
}
