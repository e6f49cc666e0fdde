package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lacis.Graph;
import org.lacis.Post;
import org.lacis.net.sim.SimOptions;

/** What graphs look like, as text and as pictures. */
class GraphPictureTest {

  private static final Pattern BOX =
      Pattern.compile("<title>(\\w+): .*?</title><rect x=\"(\\d+)\" y=\"(\\d+)\" width=\"(\\d+)\"");

  private static Job open() {
    return SimJobs.open(1, Job.OPTIONS, SimOptions.defaults());
  }

  /** A diamond whose nodes are in every state. */
  private static Graph diamond(Job job) {
    Graph graph = job.rank(0).newGraph("a < b & \"c\"");
    var top = graph.call("top", () -> {});
    var left = graph.post("left", _ -> Post.POSTED).after(top);
    var right =
        graph
            .call(
                "right",
                () -> {
                  throw new ArithmeticException("1 < 2");
                })
            .after(top);
    graph.call("bottom", () -> {}).after(left, right);
    graph.call("below", () -> {}).after(right);
    graph.post("again", _ -> Post.RETRY_LOCK).after(top);
    return graph;
  }

  @Test
  void aGraphIsDescribedLineByLine() {
    try (Job job = open()) {
      Graph graph = diamond(job);
      assertThat(graph).hasToString("Graph[a < b & \"c\", 6 nodes, not started]");
      graph.start();
      assertThat(graph.describe())
          .isEqualTo(
              """
              graph a < b & "c": run 1 is under way
                top     done
                left    running, after top
                right   failed, after top: node right of graph a < b & "c" has failed: \
              java.lang.ArithmeticException: 1 < 2
                bottom  waiting, after left, right
                below   skipped, after right
                again   retrying, after top
              """);
    }
  }

  @Test
  void aPictureHasEveryNodeBelowThoseItComesAfter() {
    try (Job job = open()) {
      Graph graph = diamond(job);
      graph.start();
      String svg = graph.svg();
      assertThat(svg).startsWith("<svg xmlns=").endsWith("</svg>\n");
      assertThat(svg).contains("graph a &lt; b &amp; &quot;c&quot;: run 1").doesNotContain("1 < 2");
      assertThat(svg.split("marker-end=", -1)).hasSize(1 + 6);
      var boxes = BOX.matcher(svg).results().toList();
      assertThat(boxes)
          .extracting(box -> box.group(1))
          .containsExactly("top", "left", "right", "bottom", "below", "again");
      int top = y(boxes.get(0));
      assertThat(y(boxes.get(1))).isEqualTo(y(boxes.get(2))).isGreaterThan(top);
      assertThat(y(boxes.get(3))).isEqualTo(y(boxes.get(4))).isGreaterThan(y(boxes.get(1)));
      for (MatchResult one : boxes) {
        for (MatchResult other : boxes) {
          boolean apart =
              one == other || y(one) != y(other) || Math.abs(x(one) - x(other)) > width(one);
          assertThat(apart).as("%s and %s", one.group(1), other.group(1)).isTrue();
        }
      }
    }
  }

  private static int x(MatchResult box) {
    return Integer.parseInt(box.group(2));
  }

  private static int y(MatchResult box) {
    return Integer.parseInt(box.group(3));
  }

  private static int width(MatchResult box) {
    return Integer.parseInt(box.group(4));
  }

  @Test
  void digitsAreThoseOfSvgInEveryLanguage() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try (Job job = open()) {
      assertThat(diamond(job).svg()).doesNotMatch("(?s).*[\u0660-\u0669].*");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void largeAndEmptyGraphsCanBeDrawn() {
    try (Job job = open()) {
      Graph graph = job.rank(0).newGraph();
      assertThat(graph.svg()).contains("not started");
      Graph.Node last = graph.call(() -> {});
      for (int i = 0; i < 10_000; i++) {
        last = graph.call(() -> {}).after(last);
      }
      assertThat(graph.svg()).contains("#9999");
      assertThat(graph.describe()).contains("#9999");
    }
  }
}
