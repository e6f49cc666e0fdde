package org.lacis.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to measure, and with what.
 *
 * @param groups what to measure
 * @param networks over which networks, one after the other
 * @param peers names of peers to measure beside Lacis; null for all there are
 * @param out a folder for data and report, or null
 * @param quick less of everything
 * @param rounds samples of each subject; 0 for as many as is usual
 * @param starts how many times each subject is started anew for them; 0 for as many as is usual
 * @param launcher the words that begin every {@code lacis} command
 * @param classPath jars and folders with the classes of this module and what it needs
 * @param peerJars jars of peers that are written in Java
 */
public record BenchOptions(
    Set<Group> groups,
    List<String> networks,
    @Nullable Set<String> peers,
    @Nullable Path out,
    boolean quick,
    int rounds,
    int starts,
    List<String> launcher,
    List<String> classPath,
    List<Path> peerJars) {
  /** Samples of each subject, usually; where they take long, a part of that. */
  public static final int ROUNDS = 80;

  /** The same if time is short. */
  public static final int QUICK_ROUNDS = 8;

  /** Starts of each subject, usually. */
  public static final int STARTS = 5;

  /** The same if time is short. */
  public static final int QUICK_STARTS = 1;

  /** Samples of each subject, at most. */
  public static final int MOST_ROUNDS = 10_000;

  /**
   * How long a sample takes. What slows cores changes within tenths of a second, so short samples
   * of all subjects in turn have more in common than long ones.
   */
  private static final double SAMPLE_NANOS = 6e6;

  /** How many times as long it takes where the scheduler decides: it has to decide often. */
  private static final int CROWDED = 15;

  /** The same where little happens in that time, of which the first is slow after a rest. */
  private static final int SLOW = 5;

  /** Where samples take longer there is one for so many others. */
  private static final int FEWER = 4;

  /** Starts of each subject, at most. */
  public static final int MOST_STARTS = 100;

  /** Checks the values. */
  public BenchOptions {
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("groups must not be empty");
    }
    if (rounds < 0 || rounds > MOST_ROUNDS) {
      throw new IllegalArgumentException(
          "rounds must be from 0 to %d, but is %d".formatted(MOST_ROUNDS, rounds));
    }
    if (starts < 0 || starts > MOST_STARTS) {
      throw new IllegalArgumentException(
          "starts must be from 0 to %d, but is %d".formatted(MOST_STARTS, starts));
    }
  }

  /** The command that asks for this, written out. */
  String command() {
    List<String> words = new ArrayList<>(List.of("lacis", "bench"));
    groups.forEach(group -> words.add(group.label()));
    words.addAll(List.of("--net", String.join(",", networks)));
    if (peers != null) {
      words.addAll(List.of("--peers", peers.isEmpty() ? "none" : String.join(",", peers)));
    }
    if (quick) {
      words.add("--quick");
    }
    if (rounds > 0) {
      words.addAll(List.of("--rounds", Integer.toString(rounds)));
    }
    if (starts > 0) {
      words.addAll(List.of("--starts", Integer.toString(starts)));
    }
    return String.join(" ", words);
  }

  /** Samples of each subject. Programs that are started and end take long, and vary little. */
  int rounds(Measure measure) {
    int usual = quick ? QUICK_ROUNDS : ROUNDS;
    int wanted = rounds > 0 ? rounds : times(measure) > 1 ? usual / FEWER : usual;
    return measure.verb().equals("hello") ? Math.min(wanted, quick ? 2 : 5) : wanted;
  }

  /**
   * The first of the samples that are taken after a start, by the number of that start. The first
   * of the next start comes behind the last of them: all starts have the same share.
   */
  int firstRound(Measure measure, int start) {
    return (int) ((long) rounds(measure) * start / timesStarted());
  }

  /** How many times each subject is started. */
  int timesStarted() {
    return starts > 0 ? starts : quick ? QUICK_STARTS : STARTS;
  }

  /** How long a sample takes. */
  double sampleNanos(Measure measure) {
    return SAMPLE_NANOS * times(measure);
  }

  private static int times(Measure measure) {
    return measure.crowded(Cores.count()) ? CROWDED : measure.slow() ? SLOW : 1;
  }

  /** How long a subject runs before it is measured. */
  double warmNanos() {
    return quick ? 400e6 : 600e6;
  }
}
