package org.lacis.trace.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.TraceProfile.Depth;

/** The numbers of traces as text, for a terminal. */
public final class Summary {
  private Summary() {}

  /** Each trace with its numbers, depths, advice, and how it was played again. */
  public static String of(List<Analysis> analyses) {
    var out = new StringBuilder();
    for (Analysis analysis : analyses) {
      TraceProfile p = analysis.profile();
      add(out, "%s: %,d ranks, %,d calls%n", p.name(), p.ranks(), p.calls());
      add(
          out,
          "  point-to-point %,d (%.2f %%), collective %,d, one-sided %,d%n",
          p.pointToPoint(),
          p.pointToPointPercent(),
          p.collectives(),
          p.oneSided());
      add(
          out,
          "  receives %,d, of %,d pairs of source and tag; at most %,d posted at once%n",
          p.receives(),
          p.uniquePairs(),
          p.mostPosted());
      Advice.of(analysis).forEach(advice -> out.append("  - ").append(advice).append('\n'));
      add(out, "  %8s %8s %10s %12s%n", "bins", "max", "average", "collisions");
      for (Depth d : p.depths()) {
        add(out, "  %,8d %,8d %10.2f %,12d%n", d.bins(), d.greatest(), d.average(), d.collisions());
      }
      if (analysis.replay() != null) {
        out.append(Replays.table(analysis.replay()));
      }
    }
    return out.toString();
  }

  /** The numbers of two traces side by side, those that differ with the difference. */
  public static String compare(TraceProfile first, TraceProfile second) {
    var out = new StringBuilder();
    Map<String, Object> a = Numbers.summary(first);
    Map<String, Object> b = Numbers.summary(second);
    depths(first, a);
    depths(second, b);
    var keys = new LinkedHashSet<>(a.keySet());
    keys.addAll(b.keySet());
    for (String key : keys) {
      Object left = a.getOrDefault(key, "-");
      Object right = b.getOrDefault(key, "-");
      add(out, "%-24s %18s %18s", key, shown(left), shown(right));
      if (left instanceof Number x && right instanceof Number y && !x.equals(y)) {
        double change = y.doubleValue() - x.doubleValue();
        add(out, "   %+.6g", change);
        if (x.doubleValue() != 0) {
          add(out, " (%+.1f %%)", 100 * change / x.doubleValue());
        }
      }
      out.append('\n');
    }
    calls(first, second, out);
    return out.toString();
  }

  private static void depths(TraceProfile profile, Map<String, Object> map) {
    for (Depth d : profile.depths()) {
      map.put("depth_max_" + d.bins(), d.greatest());
      map.put("depth_average_" + d.bins(), d.average());
    }
  }

  private static void calls(TraceProfile first, TraceProfile second, StringBuilder out) {
    Map<String, Long> a = new TreeMap<>(Numbers.calls(first));
    Map<String, Long> b = Numbers.calls(second);
    b.keySet().forEach(name -> a.putIfAbsent(name, 0L));
    a.forEach(
        (name, count) -> {
          long other = b.getOrDefault(name, 0L);
          if (other != count) {
            add(out, "%-24s %,18d %,18d   %+,d%n", name, count, other, other - count);
          }
        });
  }

  private static String shown(Object value) {
    return switch (value) {
      case Double d -> String.format(Locale.ROOT, "%.4f", d);
      case Number n -> String.format(Locale.ROOT, "%,d", n.longValue());
      default -> value.toString();
    };
  }

  private static void add(StringBuilder out, String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values));
  }
}
