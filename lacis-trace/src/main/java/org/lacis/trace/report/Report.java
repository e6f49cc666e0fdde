package org.lacis.trace.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.TraceProfile.Depth;
import org.lacis.trace.depth.Wildcards;

/**
 * Writes reports: {@code report.html}, a page that needs nothing else, and its numbers as {@code
 * report.json} and tables.
 */
public final class Report {
  private Report() {}

  /**
   * Writes a report on some traces, which were analysed with the same options.
   *
   * @param folder where; it is made if need be
   * @return the page
   */
  public static Path write(List<Analysis> analyses, Path folder) throws IOException {
    if (analyses.isEmpty()) {
      throw new IllegalArgumentException("a report needs one trace or more");
    }
    Files.createDirectories(folder);
    Numbers.write(analyses, folder);
    return Files.writeString(folder.resolve("report.html"), page(analyses));
  }

  private static String page(List<Analysis> analyses) throws IOException {
    List<TraceProfile> profiles = analyses.stream().map(Analysis::profile).toList();
    var body = new StringBuilder();
    body.append("<h1>Matching of MPI programs</h1>\n");
    body.append(
        "<p>%s. Bins by the hash %s.</p>\n"
            .formatted(
                switch (profiles.getFirst().options().scope()) {
                  case ALL -> "All calls that send, receive or complete count";
                  case PAPER -> "Calls count that the published analyzer knows";
                },
                profiles.getFirst().options().hash()));
    table(profiles, body);
    body.append("<h2>Calls</h2>\n<p class=\"legend\"><i class=\"kind0\"></i> point-to-point")
        .append(" <i class=\"kind1\"></i> collective <i class=\"kind2\"></i> one-sided</p>\n")
        .append(figure("calls", Figures.calls(profiles)));
    body.append("<h2>Queue depth by bins</h2>\n<p>The most other receives, without wildcards, that")
        .append(" a search in one bin may pass; one bin is a plain list. The line is the mean over")
        .append(" the traces of the largest average over ranks.</p>\n<div class=\"panels\">\n");
    IntStream.range(0, profiles.getFirst().depths().size())
        .forEach(
            i -> {
              int bins = profiles.getFirst().depths().get(i).bins();
              body.append(
                  figure(
                      "depth-" + bins,
                      "<figcaption>%d %s</figcaption>".formatted(bins, bins == 1 ? "bin" : "bins")
                          + Figures.depth(profiles, i)));
            });
    body.append("</div>\n");
    for (Analysis analysis : analyses) {
      one(analysis, body);
    }
    return resource("page.html")
        .replace("${style}", resource("page.css"))
        .replace("${body}", body.toString());
  }

  private static void table(List<TraceProfile> profiles, StringBuilder body) {
    body.append("<div class=\"wide\"><table>\n<tr><th>trace<th>ranks<th>calls<th>point-to-point")
        .append("<th>receives<th>any source<th>any tag<th>pairs of source and tag")
        .append("<th>posted at most</tr>\n");
    for (TraceProfile p : profiles) {
      long both = p.receives(Wildcards.BOTH);
      body.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s<td>%,d<td>%,d<td>%.2f %%<td>%,d<td>%,d<td>%,d<td>%,d<td>%,d</tr>%n",
              Html.escape(p.name()),
              p.ranks(),
              p.calls(),
              p.pointToPointPercent(),
              p.receives(),
              p.receives(Wildcards.SOURCE) + both,
              p.receives(Wildcards.TAG) + both,
              p.uniquePairs(),
              p.mostPosted()));
    }
    body.append("</table></div>\n");
  }

  private static void one(Analysis analysis, StringBuilder body) {
    TraceProfile profile = analysis.profile();
    body.append("<section>\n<h2>").append(Html.escape(profile.name())).append("</h2>\n<ul>\n");
    Advice.of(profile)
        .forEach(advice -> body.append("<li>").append(Html.escape(advice)).append("</li>\n"));
    profile
        .problems()
        .forEach(
            problem ->
                body.append("<li class=\"problem\">")
                    .append(Html.escape(problem))
                    .append("</li>\n"));
    body.append("</ul>\n<h3>Posted receives over time</h3>\n")
        .append(figure("time", Figures.time(profile)))
        .append("<h3>Who sends to whom</h3>\n");
    if (profile.sentElsewhere() > 0) {
      body.append(
          String.format(
              Locale.ROOT,
              "<p>%,d messages in communicators with ranks of their own are not shown.</p>%n",
              profile.sentElsewhere()));
    }
    body.append(figure("peers", Figures.peers(profile)))
        .append("<h3>Tags</h3>\n")
        .append(figure("tags", Figures.tags(profile)))
        .append("<h3>Depths</h3>\n<div class=\"wide\"><table>\n<tr><th>bins<th>max<th>average")
        .append("<th>collisions<th>met<th>least empty</tr>\n");
    for (Depth d : profile.depths()) {
      body.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%d<td>%,d<td>%.4f<td>%,d<td>%,d<td>%.1f %%</tr>%n",
              d.bins(),
              d.greatest(),
              d.average(),
              d.collisions(),
              d.met(),
              100 * d.leastEmpty()));
    }
    body.append("</table></div>\n");
    if (analysis.replay() != null) {
      body.append(Replays.html(analysis.replay()));
    }
    body.append("</section>\n");
  }

  private static String figure(String name, String content) {
    return "<figure data-figure=\"%s\">%s</figure>\n".formatted(name, content);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Report.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
