package org.lacis.trace.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lacis.report.Grid;
import org.lacis.report.Piece;
import org.lacis.report.Words;
import org.lacis.trace.replay.Engine;
import org.lacis.trace.replay.ReplayResult;
import org.lacis.trace.replay.ReplayResult.Play;

/** What was seen when traces were played again, as text and as numbers. */
public final class Replays {
  private Replays() {}

  /** A table for a terminal: a line per engine. */
  public static String table(ReplayResult result) {
    var out = new StringBuilder();
    add(
        out,
        "  played again: %,d messages, %,d receives, %.1f %% of them with wildcards; %,d paired by"
            + " the trace%n",
        result.messages(),
        result.receives(),
        100 * result.wildcardShare(),
        result.paired());
    notes(result).forEach(note -> add(out, "  %s%n", note));
    add(
        out,
        "  %-8s %10s %10s %11s %16s %16s %18s%n",
        "engine",
        "matched",
        "unexpected",
        "as recorded",
        "posted max/mean",
        "unexp. max/mean",
        "attempts max/mean");
    for (Play p : result.plays()) {
      add(
          out,
          "  %-8s %,10d %8.1f %% %11s %16s %16s %18s%n",
          p.engine(),
          p.matched(),
          100 * p.unexpectedShare(),
          result.paired() == 0 ? "-" : text("%.1f %%", 100.0 * p.asRecorded() / result.paired()),
          text("%,d / %.2f", p.mostPosted(), p.meanPosted()),
          text("%,d / %.2f", p.mostUnexpected(), p.meanUnexpected()),
          p.searches() == 0 ? "-" : text("%,d / %.2f", p.mostAttempts(), p.attemptsPerSearch()));
    }
    Play blocks = result.play(Engine.BLOCKS);
    add(
        out,
        "  of messages in blocks: %.2f %% conflicts, %.2f %% fast path, %.2f %% slow path%n",
        100 * blocks.conflictShare(),
        100 * blocks.fastPathShare(),
        100 * blocks.slowPathShare());
    return out.toString();
  }

  /** What is not matched, and why. */
  private static List<String> notes(ReplayResult result) {
    List<String> notes = new ArrayList<>();
    ReplayResult.Nobody nobody = result.nobody();
    if (nobody.receives() + nobody.sends() > 0) {
      notes.add(
          text(
              "with nobody (MPI_PROC_NULL), and so never matched: %,d receives and %,d sends",
              nobody.receives(), nobody.sends()));
    }
    if (result.cancelled() > 0) {
      notes.add(text("receives that were cancelled: %,d", result.cancelled()));
    }
    notes.addAll(result.notes());
    return notes;
  }

  /** What an engine has shown, by name. */
  static Map<String, Object> numbers(ReplayResult result, Play p) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("engine", p.engine());
    map.put("messages", result.messages());
    map.put("receives", result.receives());
    map.put("wildcards", result.wildcards());
    map.put("paired", result.paired());
    map.put("from_nobody", result.nobody().receives());
    map.put("to_nobody", result.nobody().sends());
    map.put("cancelled", result.cancelled());
    map.put("left_out", result.leftOut());
    map.put("matched", p.matched());
    map.put("unexpected", p.unexpected());
    map.put("as_recorded", p.asRecorded());
    map.put("posted_max", p.mostPosted());
    map.put("posted_mean", p.meanPosted());
    map.put("unexpected_max", p.mostUnexpected());
    map.put("unexpected_mean", p.meanUnexpected());
    map.put("searches", p.searches());
    map.put("attempts", p.attempts());
    map.put("attempts_max", p.mostAttempts());
    map.put("blocks", p.blocks());
    map.put("optimistic", p.optimistic());
    map.put("conflicts", p.conflicts());
    map.put("fast_path", p.fastPath());
    map.put("slow_path", p.slowPath());
    return map;
  }

  /** A part of the page. */
  static List<Piece> pieces(ReplayResult result) {
    List<Piece> pieces = new ArrayList<>();
    pieces.add(Words.subheading("Played again"));
    pieces.add(
        Words.paragraph(
            text(
                "%,d messages and %,d receives, %.1f %% of them with wildcards, with the matching"
                    + " engines of Lacis. Of %,d receives the trace tells which message they got.",
                result.messages(),
                result.receives(),
                100 * result.wildcardShare(),
                result.paired())));
    notes(result).forEach(note -> pieces.add(Words.paragraph(note + ".")));
    pieces.add(
        new Grid(
            List.of(
                "engine",
                "matched",
                "unexpected",
                "as recorded",
                "posted, most",
                "mean",
                "unexpected, most",
                "mean",
                "attempts, most",
                "mean",
                "conflicts",
                "fast path",
                "slow path"),
            result.plays().stream().map(play -> row(result, play)).toList()));
    pieces.add(
        Words.paragraph(
            "Entries that were looked at to find a partner are the attempts. Of messages in blocks,"
                + " one that wanted what an earlier one had booked is a conflict; it makes all"
                + " behind it in its block look again (slow path), unless they all wanted the same"
                + " and there is a sequence of like receives (fast path)."));
    return pieces;
  }

  private static List<String> row(ReplayResult result, Play p) {
    boolean blocks = p.engine() == Engine.BLOCKS;
    return List.of(
        p.engine().toString(),
        text("%,d", p.matched()),
        text("%.1f %%", 100 * p.unexpectedShare()),
        result.paired() == 0 ? "–" : text("%.1f %%", 100.0 * p.asRecorded() / result.paired()),
        text("%,d", p.mostPosted()),
        text("%.2f", p.meanPosted()),
        text("%,d", p.mostUnexpected()),
        text("%.2f", p.meanUnexpected()),
        blocks ? "–" : text("%,d", p.mostAttempts()),
        blocks ? "–" : text("%.2f", p.attemptsPerSearch()),
        blocks ? text("%.2f %%", 100 * p.conflictShare()) : "–",
        blocks ? text("%.2f %%", 100 * p.fastPathShare()) : "–",
        blocks ? text("%.2f %%", 100 * p.slowPathShare()) : "–");
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static void add(StringBuilder out, String format, Object... values) {
    out.append(text(format, values));
  }
}
