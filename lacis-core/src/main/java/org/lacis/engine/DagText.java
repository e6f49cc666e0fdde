package org.lacis.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lacis.CommunicationException;

/** A graph as lines of text. */
final class DagText {

  private DagText() {}

  static String of(Dag graph) {
    StringBuilder text = new StringBuilder();
    append(graph, "", text);
    return text.toString();
  }

  private static void append(Dag graph, String indent, StringBuilder text) {
    text.append("graph ").append(graph.name()).append(": ").append(graph.progressText());
    text.append('\n');
    List<List<String>> before = before(graph);
    int width = graph.dagNodes().stream().mapToInt(node -> node.name().length()).max().orElse(0);
    for (DagNode node : graph.dagNodes()) {
      text.append(indent).append("  ").append(node.name());
      text.repeat(' ', width - node.name().length() + 2).append(stateOf(node));
      List<String> names = before.get(node.index);
      if (!names.isEmpty()) {
        text.append(", after ").append(String.join(", ", names));
      }
      CommunicationException error = node.error();
      if (error != null) {
        text.append(": ").append(error.reason());
      }
      Dag inner = node.inner();
      if (inner == null) {
        text.append('\n');
      } else {
        text.append("; ");
        append(inner, indent + "    ", text);
      }
    }
  }

  /** How far a node is, as one word. */
  static String stateOf(DagNode node) {
    return node.state().name().toLowerCase(Locale.ROOT);
  }

  /** By node: the names of those it comes after. */
  private static List<List<String>> before(Dag graph) {
    List<List<String>> before = new ArrayList<>();
    graph.dagNodes().forEach(_ -> before.add(new ArrayList<>()));
    for (DagNode node : graph.dagNodes()) {
      node.successors().forEach(s -> before.get(s.index).add(node.name()));
    }
    return before;
  }
}
