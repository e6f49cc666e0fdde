package org.lacis.trace.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.lacis.report.Svg;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.TraceProfile.Depth;
import org.lacis.trace.depth.TraceProfile.TagCount;

/** The figures of a report. */
final class Figures {
  private static final double WIDTH = 640;
  private static final double NAMES = 150;
  private static final double ROW = 22;
  private static final int TAGS = 16;

  private Figures() {}

  /** What the calls of each trace are: between two ranks, collective, one-sided. */
  static String calls(List<TraceProfile> profiles) {
    var svg = new Svg("Calls by kind", WIDTH, ROW * (profiles.size() + 1));
    double y = 0;
    for (TraceProfile profile : profiles) {
      svg.text("end", NAMES - 8, y + 15, shortened(profile.name(), 19));
      long all = profile.pointToPoint() + profile.collectives() + profile.oneSided();
      double x = NAMES;
      long[] parts = {profile.pointToPoint(), profile.collectives(), profile.oneSided()};
      String[] names = {"point-to-point", "collective", "one-sided"};
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] > 0) {
          double width = (WIDTH - NAMES - 10) * parts[i] / all;
          svg.bar(
              "kind" + i,
              x,
              y + 3,
              width,
              ROW - 6,
              text(
                  "%s: %s, %,d calls, %.2f %%",
                  profile.name(), names[i], parts[i], 100.0 * parts[i] / all));
          x += width;
        }
      }
      y += ROW;
    }
    for (int percent = 0; percent <= 100; percent += 25) {
      String anchor = percent == 100 ? "end" : "middle";
      svg.text(anchor, NAMES + (WIDTH - NAMES - 10) * percent / 100, y + 15, percent + " %");
    }
    return svg.finish();
  }

  /**
   * The greatest depth of each trace with a number of bins, the deepest first; the line is the
   * mean.
   */
  static String depth(List<TraceProfile> profiles, int at) {
    List<TraceProfile> sorted =
        profiles.stream()
            .sorted(
                Comparator.comparingInt((TraceProfile p) -> p.depths().get(at).greatest())
                    .reversed())
            .toList();
    int bins = profiles.getFirst().depths().get(at).bins();
    double width = 300;
    double names = 110;
    var svg = new Svg(bins + " bins", width, ROW * sorted.size() + 24);
    // One scale for all numbers of bins: they are there to be compared.
    double scale =
        profiles.stream()
            .flatMap(p -> p.depths().stream())
            .mapToInt(Depth::greatest)
            .reduce(1, Math::max);
    double room = width - names - 50;
    double y = 0;
    for (TraceProfile profile : sorted) {
      Depth depth = profile.depths().get(at);
      double length = room * depth.greatest() / scale;
      svg.text("end", names - 6, y + 15, shortened(profile.name(), 14));
      svg.bar(
          "depth",
          names,
          y + 3,
          length,
          ROW - 6,
          text(
              "%s, %d bins: at most %,d, average %.2f, %,d collisions",
              profile.name(), bins, depth.greatest(), depth.average(), depth.collisions()));
      svg.text("start", names + length + 5, y + 15, text("%,d", depth.greatest()));
      y += ROW;
    }
    double mean = mean(profiles, at);
    double x = names + room * Math.min(mean / scale, 1);
    svg.line("average", x, 0, x, y);
    svg.text("start", Math.min(x, width - 90), y + 15, text("mean %.2f", mean));
    return svg.finish();
  }

  /** The mean of the averages of all traces. */
  static double mean(List<TraceProfile> profiles, int at) {
    return profiles.stream().mapToDouble(p -> p.depths().get(at).average()).average().orElse(0);
  }

  /** The most receives posted in any rank, from the start of the run to its end. */
  static String time(TraceProfile profile) {
    double height = 120;
    var svg = new Svg("Posted receives over time", WIDTH, height + 22);
    List<Integer> depths = profile.depthOverTime();
    double scale = Math.max(depths.stream().mapToInt(Integer::intValue).max().orElse(0), 1);
    double step = (WIDTH - 50) / depths.size();
    var points = new StringBuilder(text("40,%.1f ", height));
    for (int i = 0; i < depths.size(); i++) {
      double y = height - (height - 10) * depths.get(i) / scale;
      points.append(text("%.1f,%.1f %.1f,%.1f ", 40 + i * step, y, 40 + (i + 1) * step, y));
    }
    points.append(text("%.1f,%.1f", WIDTH - 10, height));
    svg.area(points.toString(), text("up to %,.0f receives posted at once", scale));
    svg.line("axis", 40, height, WIDTH - 10, height);
    svg.text("end", 36, 16, text("%,.0f", scale));
    svg.text("end", 36, height, "0");
    svg.text("middle", WIDTH / 2, height + 16, "a scale of its own");
    svg.text("start", 40, height + 16, "0 s");
    svg.text("end", WIDTH - 10, height + 16, text("%.3f s", profile.time() / 1e9));
    return svg.finish();
  }

  /** Who sends to whom. */
  static String peers(TraceProfile profile) {
    List<List<Long>> matrix = profile.peers();
    double room = 320;
    double cell = room / matrix.size();
    var svg = new Svg("Messages by sender and receiver", room + 60, room + 24);
    double most = matrix.stream().flatMap(List::stream).mapToLong(Long::longValue).max().orElse(1);
    for (int from = 0; from < matrix.size(); from++) {
      for (int to = 0; to < matrix.size(); to++) {
        long messages = matrix.get(from).get(to);
        if (messages > 0) {
          svg.cell(
              44 + to * cell,
              from * cell,
              cell,
              cell,
              messages / most,
              text("%s to %s: %,d messages", group(profile, from), group(profile, to), messages));
        }
      }
    }
    svg.text("end", 40, 12, "from 0");
    svg.text("end", 40, room, Integer.toString(profile.size() - 1));
    svg.text("start", 44, room + 16, "to 0");
    svg.text("middle", 44 + room / 2, room + 16, text("darkest: %,.0f messages", most));
    svg.text("end", 44 + room, room + 16, Integer.toString(profile.size() - 1));
    return svg.finish();
  }

  /** Which ranks send which tags. */
  static String tags(TraceProfile profile) {
    List<TagCount> tags = profile.tags(TAGS);
    int groups = profile.peers().size();
    double cell = (WIDTH - 190) / groups;
    var svg = new Svg("Messages by tag and sender", WIDTH, ROW * (tags.size() + 1));
    double most =
        tags.stream().flatMap(t -> t.byRanks().stream()).mapToLong(Long::longValue).max().orElse(1);
    IntStream.range(0, tags.size())
        .forEach(
            row -> {
              TagCount tag = tags.get(row);
              svg.text("end", 90, ROW * row + 15, "tag " + tag.tag());
              for (int i = 0; i < groups; i++) {
                long messages = tag.byRanks().get(i);
                if (messages > 0) {
                  svg.cell(
                      96 + i * cell,
                      ROW * row + 2,
                      cell,
                      ROW - 4,
                      messages / most,
                      text("tag %d, %s: %,d messages", tag.tag(), group(profile, i), messages));
                }
              }
              svg.text("start", WIDTH - 88, ROW * row + 15, text("%,d", tag.messages()));
            });
    svg.text("start", 96, ROW * tags.size() + 15, "rank 0");
    svg.text("middle", WIDTH / 2, ROW * tags.size() + 15, text("darkest: %,.0f messages", most));
    svg.text("end", WIDTH - 94, ROW * tags.size() + 15, Integer.toString(profile.size() - 1));
    return svg.finish();
  }

  private static String group(TraceProfile profile, int at) {
    int first = at * profile.ranksPerGroup();
    int last = Math.min(first + profile.ranksPerGroup(), profile.size()) - 1;
    return first == last ? "rank " + first : "ranks " + first + " to " + last;
  }

  private static String shortened(String name, int length) {
    return name.length() <= length ? name : name.substring(0, length - 1) + "…";
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
