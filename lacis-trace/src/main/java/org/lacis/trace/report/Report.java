package org.lacis.trace.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lacis.report.Grid;
import org.lacis.report.Html;
import org.lacis.report.Page;
import org.lacis.report.Piece;
import org.lacis.report.Words;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.TraceProfile.Depth;
import org.lacis.trace.depth.Wildcards;

/**
 * Writes reports: {@code report.html}, a page that needs nothing else, and its numbers as {@code
 * report.json} and tables.
 */
public final class Report {
  private final List<Piece> pieces = new ArrayList<>();

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
    var report = new Report();
    report.all(analyses);
    analyses.forEach(report::one);
    return Files.writeString(
        folder.resolve("report.html"), Page.html("Matching of MPI programs", report.pieces));
  }

  private void html(String text) {
    pieces.add(() -> text);
  }

  private void figure(String name, String content) {
    html("<figure data-figure=\"%s\">%s</figure>\n".formatted(name, content));
  }

  private void all(List<Analysis> analyses) {
    List<TraceProfile> profiles = analyses.stream().map(Analysis::profile).toList();
    TraceProfile first = profiles.getFirst();
    String scope =
        switch (first.options().scope()) {
          case ALL -> "All calls that send, receive or complete count";
          case PAPER -> "Calls count that the published analyzer knows";
        };
    pieces.add(Words.paragraph(scope + ". Bins by the hash " + first.options().hash() + "."));
    pieces.add(
        new Grid(
            List.of(
                "trace",
                "ranks",
                "calls",
                "point-to-point",
                "receives",
                "any source",
                "any tag",
                "pairs of source and tag",
                "posted at most"),
            profiles.stream().map(Report::row).toList()));
    pieces.add(Words.heading("Advice"));
    analyses.forEach(this::advice);
    pieces.add(Words.heading("Calls"));
    html(
        "<p class=\"legend\"><i class=\"kind0\"></i> point-to-point <i class=\"kind1\"></i>"
            + " collective <i class=\"kind2\"></i> one-sided</p>\n");
    figure("calls", Figures.calls(profiles));
    pieces.add(Words.heading("Queue depth by bins"));
    pieces.add(
        Words.paragraph(
            "The most other receives, without wildcards, that a search in one bin may pass; one bin"
                + " is a plain list. All have the same scale. The line is the mean over the traces"
                + " of the largest average over ranks."));
    html("<div class=\"panels\">\n");
    for (int i = 0; i < first.depths().size(); i++) {
      int bins = first.depths().get(i).bins();
      String caption = bins == 1 ? "1 bin" : bins + " bins";
      figure(
          "depth-" + bins, "<figcaption>" + caption + "</figcaption>" + Figures.depth(profiles, i));
    }
    html("</div>\n");
  }

  private static List<String> row(TraceProfile p) {
    long both = p.receives(Wildcards.BOTH);
    return List.of(
        p.name(),
        text("%,d", p.ranks()),
        text("%,d", p.calls()),
        text("%.2f %%", p.pointToPointPercent()),
        text("%,d", p.receives()),
        text("%,d", p.receives(Wildcards.SOURCE) + both),
        text("%,d", p.receives(Wildcards.TAG) + both),
        text("%,d", p.uniquePairs()),
        text("%,d", p.mostPosted()));
  }

  private void advice(Analysis analysis) {
    pieces.add(Words.subheading(analysis.profile().name()));
    html("<ul>\n");
    for (String problem : analysis.profile().problems()) {
      html("<li class=\"problem\">" + Html.escape(problem) + "</li>\n");
    }
    Advice.of(analysis).forEach(advice -> html("<li>" + Html.escape(advice) + "</li>\n"));
    html("</ul>\n");
  }

  private void one(Analysis analysis) {
    TraceProfile profile = analysis.profile();
    html("<section>\n");
    pieces.add(Words.heading(profile.name()));
    pieces.add(Words.subheading("Posted receives over time"));
    figure("time", Figures.time(profile));
    pieces.add(Words.subheading("Who sends to whom"));
    if (profile.sentElsewhere() > 0) {
      pieces.add(
          Words.paragraph(
              text(
                  "%,d messages in communicators with ranks of their own are not shown.",
                  profile.sentElsewhere())));
    }
    figure("peers", Figures.peers(profile));
    pieces.add(Words.subheading("Tags"));
    figure("tags", Figures.tags(profile));
    pieces.add(Words.subheading("Depths"));
    pieces.add(
        new Grid(
            List.of("bins", "max", "average", "collisions", "met", "least empty"),
            profile.depths().stream().map(Report::row).toList()));
    if (analysis.replay() != null) {
      pieces.addAll(Replays.pieces(analysis.replay()));
    }
    html("</section>\n");
  }

  private static List<String> row(Depth d) {
    return List.of(
        text("%d", d.bins()),
        text("%,d", d.greatest()),
        text("%.4f", d.average()),
        text("%,d", d.collisions()),
        text("%,d", d.met()),
        text("%.1f %%", 100 * d.leastEmpty()));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
