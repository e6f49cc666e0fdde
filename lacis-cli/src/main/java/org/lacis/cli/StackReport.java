package org.lacis.cli;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.lacis.boot.Ranks;

/**
 * What the ranks of a job are doing. Ranks that do the same are shown together, so that the one
 * that does something else stands out; then what the runtimes of each have under way. With very
 * many lines, the rest is left out.
 */
final class StackReport {
  static final int MAX_LINES = 400;

  private final BitSet silent;
  private final Map<String, BitSet> ranksByStacks = new LinkedHashMap<>();
  private final Map<Integer, String> reports = new TreeMap<>();

  /** Begins a report on these ranks, none of which has answered yet. */
  StackReport(BitSet ranks) {
    silent = (BitSet) ranks.clone();
  }

  /** Takes the answer of a rank: indented lines. */
  void add(int rank, String stacks) {
    silent.clear(rank);
    ranksByStacks.computeIfAbsent(stacks, text -> new BitSet()).set(rank);
  }

  /** Takes what the runtimes of a rank have to say: indented lines, or none. */
  void addReport(int rank, String report) {
    if (!report.isEmpty()) {
      reports.put(rank, report);
    }
  }

  /** A rank will not answer any more. */
  void ended(int rank) {
    silent.clear(rank);
  }

  /** Whether nobody is left who could answer. */
  boolean isComplete() {
    return silent.isEmpty();
  }

  /** Lines to print. */
  String text() {
    StringBuilder text = new StringBuilder("where the ranks are:\n");
    append(text, ranksByStacks);
    if (!silent.isEmpty()) {
      text.append(Ranks.named(silent)).append(": no answer\n");
    }
    if (!reports.isEmpty()) {
      text.append("what they have under way:\n");
      Map<String, BitSet> ranksByReport = new LinkedHashMap<>();
      reports.forEach(
          (rank, report) -> ranksByReport.computeIfAbsent(report, _ -> new BitSet()).set(rank));
      append(text, ranksByReport);
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Map<String, BitSet> ranksByText) {
    BitSet left = new BitSet();
    long lines = 0;
    for (Map.Entry<String, BitSet> entry : ranksByText.entrySet()) {
      long more = entry.getKey().lines().count();
      if (lines + more > MAX_LINES) {
        left.or(entry.getValue());
      } else {
        lines += more;
        text.append(Ranks.named(entry.getValue())).append(":\n").append(entry.getKey());
      }
    }
    if (!left.isEmpty()) {
      text.append(Ranks.named(left)).append(": left out\n");
    }
  }
}
