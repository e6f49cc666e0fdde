package org.lacis.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.lacis.CommunicationException;
import org.lacis.Graph;

/**
 * A graph as SVG: a node is a layer below the lowest it comes after, and stands in its layer about
 * where its neighbours stand in theirs.
 */
final class DagPicture {

  private static final int MARGIN = 20;
  private static final int TITLE = 24;
  private static final int BOX_HEIGHT = 26;
  private static final int LAYER_HEIGHT = 66;
  private static final int GAP = 16;
  private static final int LETTER = 8;
  private static final int SWEEPS = 4;

  private final List<DagNode> nodes;
  private final List<List<DagNode>> above = new ArrayList<>();
  private final List<List<DagNode>> layers = new ArrayList<>();
  private final int[] layerOf;
  private final int boxWidth;
  private final String title;
  private int width;

  /** Where a node's middle is from left to right, in boxes. */
  private final double[] place;

  private DagPicture(Dag graph) {
    this.nodes = List.copyOf(graph.dagNodes());
    this.layerOf = new int[nodes.size()];
    this.place = new double[nodes.size()];
    int letters = nodes.stream().mapToInt(node -> node.name().length()).max().orElse(0);
    this.boxWidth = Math.max(60, letters * LETTER + 16);
    this.title = "graph " + graph.name() + ": " + graph.progressText();
  }

  static String of(Dag graph) {
    DagPicture picture = new DagPicture(graph);
    picture.findLayers();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      picture.arrange(sweep % 2 == 0);
    }
    return picture.draw();
  }

  private void findLayers() {
    int[] before = new int[nodes.size()];
    for (DagNode node : nodes) {
      above.add(new ArrayList<>());
      node.successors().forEach(s -> before[s.index]++);
    }
    ArrayDeque<DagNode> ready = new ArrayDeque<>();
    nodes.stream().filter(node -> before[node.index] == 0).forEach(ready::add);
    for (DagNode node = ready.poll(); node != null; node = ready.poll()) {
      int layer = layerOf[node.index];
      while (layers.size() <= layer) {
        layers.add(new ArrayList<>());
      }
      layers.get(layer).add(node);
      for (DagNode s : node.successors()) {
        above.get(s.index).add(node);
        layerOf[s.index] = Math.max(layerOf[s.index], layer + 1);
        if (--before[s.index] == 0) {
          ready.add(s);
        }
      }
    }
    layers.forEach(this::placeLayer);
    int widest = layers.stream().mapToInt(List::size).max().orElse(0);
    width = 2 * MARGIN + Math.max(title.length() * LETTER, widest * (boxWidth + GAP));
  }

  /** Orders every layer by the mean place of the nodes above, or below. */
  private void arrange(boolean downwards) {
    double[] wish = new double[nodes.size()];
    for (List<DagNode> layer : downwards ? layers : layers.reversed()) {
      for (DagNode node : layer) {
        List<DagNode> neighbours = downwards ? above.get(node.index) : node.successors();
        wish[node.index] =
            neighbours.stream()
                .mapToDouble(n -> place[n.index])
                .average()
                .orElse(place[node.index]);
      }
      layer.sort(Comparator.comparingDouble(node -> wish[node.index]));
      placeLayer(layer);
    }
  }

  private void placeLayer(List<DagNode> layer) {
    for (int i = 0; i < layer.size(); i++) {
      place[layer.get(i).index] = i - (layer.size() - 1) / 2.0;
    }
  }

  private int middle(DagNode node) {
    return width / 2 + (int) Math.round(place[node.index] * (boxWidth + GAP));
  }

  private int top(DagNode node) {
    return MARGIN + TITLE + layerOf[node.index] * LAYER_HEIGHT;
  }

  private String draw() {
    int height = 2 * MARGIN + TITLE + layers.size() * LAYER_HEIGHT;
    StringBuilder svg = new StringBuilder();
    append(
        svg,
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
        font-family="monospace" font-size="12">
        <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" \
        markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>
        <rect width="100%%" height="100%%" fill="#fff"/>
        <text x="%3$d" y="%3$d">%4$s</text>
        """,
        width,
        height,
        MARGIN,
        escaped(title));
    for (DagNode node : nodes) {
      node.successors().forEach(s -> drawEdge(node, s, svg));
    }
    nodes.forEach(node -> drawNode(node, svg));
    return svg.append("</svg>\n").toString();
  }

  private void drawEdge(DagNode from, DagNode to, StringBuilder svg) {
    int bend = (LAYER_HEIGHT - BOX_HEIGHT) / 2;
    append(
        svg,
        """
        <path d="M%1$d %2$dC%1$d %3$d %4$d %5$d %4$d %6$d" fill="none" stroke="#555" \
        marker-end="url(#tip)"/>
        """,
        middle(from),
        top(from) + BOX_HEIGHT,
        top(from) + BOX_HEIGHT + bend,
        middle(to),
        top(to) - bend,
        top(to));
  }

  private void drawNode(DagNode node, StringBuilder svg) {
    CommunicationException error = node.error();
    append(
        svg,
        """
        <g><title>%s: %s</title><rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s" \
        stroke="#333" stroke-width="%d"/><text x="%d" y="%d" text-anchor="middle">%s</text></g>
        """,
        escaped(node.name()),
        error == null ? DagText.stateOf(node) : escaped(String.valueOf(error.reason())),
        middle(node) - boxWidth / 2,
        top(node),
        boxWidth,
        BOX_HEIGHT,
        node.isFunction() ? BOX_HEIGHT / 2 : 3,
        colour(node.state()),
        node.inner() == null ? 1 : 3,
        middle(node),
        top(node) + BOX_HEIGHT / 2 + 4,
        escaped(node.name()));
  }

  /** With the digits that SVG knows, whatever the language of this machine is. */
  private static void append(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }

  private static String colour(Graph.State state) {
    return switch (state) {
      case WAITING -> "#eeeeee";
      case RUNNING -> "#ffe08a";
      case RETRYING -> "#ffb870";
      case DONE -> "#b5e3b5";
      case FAILED -> "#f19c9c";
      case SKIPPED -> "#c9c9d6";
    };
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                // Other control characters are not allowed in XML, not even escaped.
                default -> escaped.appendCodePoint(c < ' ' ? ' ' : c);
              }
            });
    return escaped.toString();
  }
}
