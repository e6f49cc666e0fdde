package org.lacis.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Samples of one measure, after a start: who is warm, and how much each does in one. */
final class Samples {
  private static final double GROWTH = 8;
  private static final double SHRINKING = 0.05;

  /** Compilers that work for a greater share of the time than this are in the way. */
  private static final double JIT_SHARE = 0.1;

  /** How many times as long as usual a subject is waited for whose compilers do not rest. */
  private static final double PATIENCE = 6;

  /** How often a sample is taken once more, at most, in which compilers were in the way. */
  private static final int REPEATS = 5;

  private final Measure measure;
  private final BenchOptions options;
  private final Duration limit;
  private final Map<SubjectRun, Long> counts = new LinkedHashMap<>();

  /**
   * No samples yet.
   *
   * @param limit how long one may take
   */
  Samples(Measure measure, BenchOptions options, Duration limit) {
    this.measure = measure;
    this.options = options;
    this.limit = limit;
  }

  /** Who is warm, and knows the measure. */
  List<SubjectRun> warm() {
    return new ArrayList<>(counts.keySet());
  }

  /** Leaves out all others. */
  void keep(Collection<SubjectRun> runs) {
    counts.keySet().retainAll(runs);
  }

  /**
   * Runs until it is warm and a count is found that takes as long as a sample should. Compilers
   * that work take the core from the ranks they work for, so they have to have come to rest.
   *
   * @param share of the usual time
   */
  void warm(SubjectRun run, double share) throws SubjectException {
    long count = counts.getOrDefault(run, measure.allowed(measure.batch()));
    // What is compiled before it is run needs no time to become quick.
    boolean compiles =
        run.subject().family() != Family.MPI && run.subject().family() != Family.FABRIC;
    double total = share * (compiles ? options.warmNanos() : options.warmNanos() / 10);
    double spent = 0;
    double calm = 0;
    while (true) {
      long start = System.nanoTime();
      Answer answer = run.ask(measure.command(count), limit);
      if (answer == null) {
        return;
      }
      long nanos = took(answer, start);
      spent += nanos;
      calm = isCompiling(answer, nanos) ? 0 : calm + nanos;
      boolean warm = (spent > total && calm > total / 3) || spent > PATIENCE * total;
      boolean longEnough = nanos > options.sampleNanos(measure) / 2;
      count = next(count, nanos);
      if (warm && longEnough) {
        counts.put(run, count);
        return;
      }
    }
  }

  /**
   * A sample. The last of what a loop needs may be compiled long after the rest: compilers that
   * were in the way in it are known by their time, whatever came out, and it is taken once more.
   */
  Reading sample(SubjectRun run) throws SubjectException {
    for (int i = 0; ; i++) {
      long count = counts.getOrDefault(run, 1L);
      long start = System.nanoTime();
      Answer answer = run.ask(measure.command(count), limit);
      if (answer == null || answer.nanos() == 0) {
        throw new SubjectException(
            run.subject().name() + " has forgotten how to do " + measure.verb());
      }
      long nanos = took(answer, start);
      counts.put(run, next(count, nanos));
      if (i == REPEATS || !isCompiling(answer, nanos)) {
        Double median = answer.more().get("p50");
        return Reading.of(
            median != null ? median : measure.value(count, (double) answer.nanos()),
            count,
            answer.more());
      }
    }
  }

  private static boolean isCompiling(Answer answer, long nanos) {
    return 1e6 * answer.more().getOrDefault("jit", 0.0) > JIT_SHARE * nanos;
  }

  /** How long a sample took in all: ranks may write what they send, and not time that. */
  private static long took(Answer answer, long start) {
    return Math.max(answer.nanos(), System.nanoTime() - start);
  }

  private long next(long count, long nanos) {
    double factor = options.sampleNanos(measure) / Math.max(1, nanos);
    return measure.allowed(count * Math.clamp(factor, SHRINKING, GROWTH));
  }
}
