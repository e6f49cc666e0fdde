package org.lacis.trace.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lacis.MatchingOptions;
import org.lacis.trace.CallType;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.TraceProfile.Depth;
import org.lacis.trace.depth.Wildcards;
import org.lacis.trace.replay.Engine;
import org.lacis.trace.replay.ReplayResult;

/** What the numbers of a trace mean for matching, in plain words. */
public final class Advice {
  private static final CallType IPROBE = CallType.named("MPI_Iprobe");

  /** What an engine of Lacis has room for, unless it is told. */
  private static final int USUAL_RECEIVES = MatchingOptions.DEFAULT_MAX_RECEIVES;

  private static final int USUAL_BINS = MatchingOptions.DEFAULT_BINS;

  private final TraceProfile profile;
  private final @Nullable ReplayResult replay;
  private final List<String> advice = new ArrayList<>();

  private Advice(Analysis analysis) {
    profile = analysis.profile();
    replay = analysis.replay();
  }

  /** What can be said about a trace, the most important first. */
  public static List<String> of(Analysis analysis) {
    var advice = new Advice(analysis);
    advice.all();
    return advice.advice;
  }

  private void all() {
    if (profile.receives() == 0) {
      advice.add(
          profile.collectives() > 0
              ? "There are no receives: the program communicates by collectives, and its own"
                  + " matching does not matter."
              : "There are no receives.");
      return;
    }
    wildcards();
    nobody();
    engine();
    depth();
    likeReceives();
    long probes = profile.calls(IPROBE);
    if (probes > 2 * profile.receives()) {
      add(
          "MPI_Iprobe is called %.1f times per receive: a receive of any source posted ahead would"
              + " do without that.",
          (double) probes / profile.receives());
    }
  }

  /** Receives that are recorded as ones of any source, and are from nobody. */
  private long taken() {
    return replay == null ? 0 : Math.min(replay.nobody().taken(), profile.receives());
  }

  private void wildcards() {
    long both = profile.receives(Wildcards.BOTH);
    long anySource = Math.max(profile.receives(Wildcards.SOURCE) + both - taken(), 0);
    long anyTag = profile.receives(Wildcards.TAG) + both;
    long all = Math.max(profile.receives() - taken(), 1);
    if (anySource == 0 && anyTag == 0) {
      add(
          "No wildcards are used: one hash table of receives is enough, and the hints"
              + " mpi_assert_no_any_source and mpi_assert_no_any_tag are safe; in Lacis"
              + " ordered().hints(MatchingHints.NONE.withNoAnySource().withNoAnyTag()).");
      return;
    }
    if (anySource > 0) {
      add(
          "%.1f %% of the receives take any source: messages of different sources must be matched"
              + " in one order (in Lacis ordered() or list(), without withNoAnySource()).",
          100.0 * anySource / all);
    } else {
      add(
          "No receive takes any source: the hint mpi_assert_no_any_source is safe; in Lacis"
              + " ordered().hints(MatchingHints.NONE.withNoAnySource()).");
    }
    if (anyTag > 0) {
      add("%.1f %% of the receives take any tag.", 100.0 * anyTag / all);
    } else {
      add(
          "No receive takes any tag: the hint mpi_assert_no_any_tag is safe; in Lacis"
              + " ordered().hints(MatchingHints.NONE.withNoAnyTag()).");
    }
  }

  private void nobody() {
    long anySource = profile.receives(Wildcards.SOURCE) + profile.receives(Wildcards.BOTH);
    if (taken() > 0) {
      add(
          "%,d receives are recorded as ones of any source, as MPICH does with those from nobody"
              + " (MPI_PROC_NULL), and are taken for such: here they do not count as wildcards, in"
              + " the tables of receives they do.",
          taken());
    } else if (replay == null && profile.sentToNobody() > 0 && anySource > 0) {
      add(
          "%,d messages are sent to nobody (MPI_PROC_NULL), and MPICH records receives from nobody"
              + " as ones of any source: some of these may be such. A replay tells them apart.",
          profile.sentToNobody());
    }
  }

  /** Which engine of Lacis found partners with how much work. */
  private void engine() {
    if (replay == null || replay.play(Engine.LIST).matched() == 0) {
      return;
    }
    ReplayResult.Play list = replay.play(Engine.LIST);
    ReplayResult.Play ordered = replay.play(Engine.ORDERED);
    String looked =
        text(
            "(list() looked at %.2f entries per search, %,d at most; ordered() at %.2f, %,d at"
                + " most)",
            list.attemptsPerSearch(),
            list.mostAttempts(),
            ordered.attemptsPerSearch(),
            ordered.mostAttempts());
    boolean plain = list.attemptsPerSearch() <= 2 && list.mostAttempts() <= 16;
    add(
        plain
            ? "In Lacis, MatchingOptions.list() is as good as any for this run %s."
            : "In Lacis, MatchingOptions.ordered() pays for this run %s.",
        looked);
    if (list.unexpectedShare() > 0.5) {
      add(
          "%.1f %% of the messages came before their receive: receives posted earlier would save"
              + " that they are kept.",
          100 * list.unexpectedShare());
    }
  }

  private void depth() {
    if (profile.mostPosted() > USUAL_RECEIVES) {
      add(
          "Up to %,d receives are posted at once: in Lacis, ordered().maxReceives(%d) has room for"
              + " them; without, it has for %,d.",
          profile.mostPosted(), profile.mostPosted(), USUAL_RECEIVES);
    }
    List<Depth> depths = profile.depths();
    Depth plain = depths.getFirst();
    if (plain.bins() == 1 && plain.greatest() <= 1) {
      if (profile.mostPosted() <= 2) {
        add("At most two receives wait at a time: any number of bins is as good as a plain list.");
      } else {
        add(
            "At most two receives without wildcards wait at a time, of up to %,d that are posted:"
                + " bins by source and tag make no difference.",
            profile.mostPosted());
      }
      return;
    }
    if (plain.greatest() <= 1) {
      add("With %,d bins a search finds at most one other receive.", plain.bins());
      return;
    }
    for (Depth depth : depths) {
      if (depth.greatest() <= 1) {
        add(
            "With %,d bins a search finds at most one other receive; with %,d, up to %,d. In Lacis"
                + " ordered() has %,d, if bins(n) does not say otherwise.",
            depth.bins(), plain.bins(), plain.greatest(), USUAL_BINS);
        return;
      }
    }
    Depth last = depths.getLast();
    add(
        "Even with %,d bins a search may pass %,d other receives: many of them have the same source"
            + " and tag.",
        last.bins(), last.greatest());
  }

  private void likeReceives() {
    double perPair = (double) profile.receives() / Math.max(profile.uniquePairs(), 1);
    if (perPair < 10) {
      add(
          "Pairs of source and tag are received %.1f times each: receives are well spread.",
          perPair);
    } else if (replay == null) {
      add(
          "Each pair of source and tag is received %.0f times: where several like receives are"
              + " posted in a row, messages that arrive together want the same one, and the fast"
              + " path for such sequences may pay.",
          perPair);
    } else if (replay.play(Engine.BLOCKS).fastPath() > 0) {
      add(
          "Each pair of source and tag is received %.0f times, and like receives are posted in a"
              + " row: matched in blocks, %.1f %% of the messages took the fast path for such"
              + " sequences (in Lacis ordered().threads(n), on cores of its own).",
          perPair, 100 * replay.play(Engine.BLOCKS).fastPathShare());
    } else {
      add(
          "Each pair of source and tag is received %.0f times; but matched in blocks, no message"
              + " took the fast path for sequences of like receives.",
          perPair);
    }
  }

  private void add(String format, Object... values) {
    advice.add(text(format, values));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
