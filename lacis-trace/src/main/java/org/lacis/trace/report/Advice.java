package org.lacis.trace.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lacis.trace.CallType;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.TraceProfile.Depth;
import org.lacis.trace.depth.Wildcards;

/** What the numbers of a trace mean for matching, in plain words. */
public final class Advice {
  private static final CallType IPROBE = CallType.named("MPI_Iprobe");

  private Advice() {}

  /** What can be said about a trace, the most important first. */
  public static List<String> of(TraceProfile profile) {
    List<String> advice = new ArrayList<>();
    if (profile.receives() == 0) {
      advice.add(
          profile.collectives() > 0
              ? "There are no receives: the program communicates by collectives, and its own"
                  + " matching does not matter."
              : "There are no receives.");
      return advice;
    }
    wildcards(profile, advice);
    depth(profile, advice);
    likeReceives(profile, advice);
    long probes = profile.calls(IPROBE);
    if (probes > 2 * profile.receives()) {
      advice.add(
          text(
              "MPI_Iprobe is called %.1f times per receive: a receive of any source posted ahead"
                  + " would do without that.",
              (double) probes / profile.receives()));
    }
    return advice;
  }

  private static void wildcards(TraceProfile profile, List<String> advice) {
    long both = profile.receives(Wildcards.BOTH);
    long anySource = profile.receives(Wildcards.SOURCE) + both;
    long anyTag = profile.receives(Wildcards.TAG) + both;
    if (anySource == 0 && anyTag == 0) {
      advice.add(
          "No wildcards are used: the hints mpi_assert_no_any_source and mpi_assert_no_any_tag are"
              + " safe, and one hash table of receives is enough.");
      return;
    }
    if (anySource > 0) {
      advice.add(
          text(
              "%.1f %% of the receives take any source: messages of different sources must be"
                  + " matched in one order.",
              100.0 * anySource / profile.receives()));
    } else {
      advice.add("No receive takes any source: the hint mpi_assert_no_any_source is safe.");
    }
    if (anyTag > 0) {
      advice.add(
          text("%.1f %% of the receives take any tag.", 100.0 * anyTag / profile.receives()));
    } else {
      advice.add("No receive takes any tag: the hint mpi_assert_no_any_tag is safe.");
    }
  }

  private static void depth(TraceProfile profile, List<String> advice) {
    List<Depth> depths = profile.depths();
    Depth plain = depths.getFirst();
    if (plain.bins() == 1 && plain.greatest() <= 1) {
      advice.add(
          "At most two receives without wildcards wait at a time: a plain list is as good as any"
              + " number of bins.");
      return;
    }
    for (Depth depth : depths) {
      if (depth.greatest() <= 1) {
        advice.add(
            text(
                "With %,d bins a search finds at most one other receive; with %,d, up to %,d.",
                depth.bins(), plain.bins(), plain.greatest()));
        return;
      }
    }
    Depth last = depths.getLast();
    advice.add(
        text(
            "Even with %,d bins a search may pass %,d other receives: many of them have the same"
                + " source and tag.",
            last.bins(), last.greatest()));
  }

  private static void likeReceives(TraceProfile profile, List<String> advice) {
    double perPair = (double) profile.receives() / Math.max(profile.uniquePairs(), 1);
    if (perPair >= 10) {
      advice.add(
          text(
              "Each pair of source and tag is received %.0f times: where several like receives are"
                  + " posted in a row, messages that arrive together want the same one, and the"
                  + " fast path for such sequences pays.",
              perPair));
    } else {
      advice.add(
          text(
              "Pairs of source and tag are received %.1f times each: receives are well spread.",
              perPair));
    }
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
