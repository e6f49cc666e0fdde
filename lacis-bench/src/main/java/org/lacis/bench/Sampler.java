package org.lacis.bench;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes samples of all subjects in turn, round after round. A subject that fails is left out of
 * what follows in its set; the others go on.
 */
final class Sampler implements AutoCloseable {
  /** More than any sample takes on a machine that works. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final int BOUNCES = 20_000;

  /** What is not compiled yet would look like cores that are far from each other. */
  private static final int WARM_BOUNCES = 20;

  private static final double GROWTH = 8;
  private static final double SHRINKING = 0.05;

  /** Compilers that work for a greater share of the time than this are in the way. */
  private static final double JIT_SHARE = 0.1;

  /** How many times as long as usual a subject is waited for whose compilers do not rest. */
  private static final double PATIENCE = 6;

  private final Coordinator coordinator;
  private final BenchOptions options;
  private final Consumer<String> failures;
  private final Duration limit;
  private @Nullable SubjectRun probe;

  /**
   * A sampler.
   *
   * @param failures is told of subjects that fail
   */
  Sampler(Coordinator coordinator, BenchOptions options, Consumer<String> failures) {
    this(coordinator, options, failures, LIMIT);
  }

  Sampler(
      Coordinator coordinator, BenchOptions options, Consumer<String> failures, Duration limit) {
    this.coordinator = coordinator;
    this.options = options;
    this.failures = failures;
    this.limit = limit;
  }

  /** Starts what measures the way of a cache line around each round. */
  void probeWith(Subject memory) throws InterruptedException {
    List<SubjectRun> runs = start(List.of(memory), new Setup(2, Placement.PINNED, false));
    probe = runs.isEmpty() ? null : runs.getFirst();
    for (int i = 0; i < WARM_BOUNCES; i++) {
      bounce();
    }
  }

  /** Measures a set. All subjects are there at once, and rest while another one is measured. */
  List<Series> measure(String network, List<Subject> subjects, List<Measure> set, Progress progress)
      throws InterruptedException {
    List<Series> all = new ArrayList<>();
    if (set.getFirst().verb().equals("hello")) {
      for (Measure measure : set) {
        all.add(hello(network, subjects, measure, progress));
      }
      return all;
    }
    List<Subject> concerned =
        subjects.stream().filter(subject -> set.stream().anyMatch(subject::knows)).toList();
    List<SubjectRun> runs = start(concerned, Setup.of(set.getFirst()));
    try {
      for (Measure measure : set) {
        all.add(measure(network, subjects, runs, measure, progress));
      }
    } finally {
      runs.parallelStream().forEach(SubjectRun::close);
    }
    return all;
  }

  private List<SubjectRun> start(List<Subject> subjects, Setup setup) throws InterruptedException {
    List<SubjectRun> begun = new ArrayList<>();
    for (Subject subject : subjects) {
      try {
        begun.add(coordinator.start(subject, setup));
      } catch (SubjectException e) {
        failures.accept(e.getMessage());
      }
    }
    List<SubjectRun> ready = new ArrayList<>();
    for (SubjectRun run : begun) {
      try {
        run.awaitReady(READY_LIMIT);
        ready.add(run);
      } catch (SubjectException e) {
        failures.accept(e.getMessage());
      }
    }
    return ready;
  }

  private Series measure(
      String network,
      List<Subject> subjects,
      List<SubjectRun> runs,
      Measure measure,
      Progress progress) {
    progress.begin(network + " " + measure.title());
    Map<SubjectRun, Long> counts = new LinkedHashMap<>();
    for (SubjectRun run : List.copyOf(runs)) {
      if (!run.subject().knows(measure)) {
        continue;
      }
      progress.show(network + " " + measure.title() + ": " + run.subject().name() + " warms up");
      attempt(runs, run, () -> warm(run, measure, counts));
    }
    List<Round> rounds = new ArrayList<>();
    double before = bounce();
    for (int round = 0; round < options.rounds(measure); round++) {
      Map<String, Reading> readings = new HashMap<>();
      // Nobody is always the first after a bounce, or behind the same other.
      List<SubjectRun> order = new ArrayList<>(counts.keySet());
      java.util.Collections.rotate(order, -round);
      for (SubjectRun run : order) {
        attempt(runs, run, () -> readings.put(run.subject().name(), sample(run, measure, counts)));
        if (!runs.contains(run)) {
          counts.remove(run);
        }
      }
      double after = bounce();
      rounds.add(new Round(before, after, readings));
      before = after;
      progress.step(network + " " + measure.title());
    }
    return new Series(network, measure, subjects, rounds, Double.NaN);
  }

  /** Something that a subject is asked for. */
  @FunctionalInterface
  private interface Attempt {
    void run() throws SubjectException;
  }

  private void attempt(List<SubjectRun> runs, SubjectRun run, Attempt attempt) {
    try {
      attempt.run();
    } catch (SubjectException e) {
      runs.remove(run);
      failures.accept(e.getMessage());
    }
  }

  /**
   * Runs until it is warm and a count is found that takes as long as a sample should. Compilers
   * that work take the core from the ranks they work for, so they have to have come to rest.
   */
  private void warm(SubjectRun run, Measure measure, Map<SubjectRun, Long> counts)
      throws SubjectException {
    long count = measure.allowed(measure.batch());
    // What is compiled before it is run needs no time to become quick.
    boolean compiles =
        run.subject().family() != Family.MPI && run.subject().family() != Family.FABRIC;
    double total = compiles ? options.warmNanos() : options.warmNanos() / 4;
    double spent = 0;
    double calm = 0;
    while (true) {
      Answer answer = run.ask(measure.command(count), limit);
      if (answer == null) {
        return;
      }
      spent += answer.nanos();
      double jit = 1e6 * answer.more().getOrDefault("jit", 0.0);
      calm = jit > JIT_SHARE * answer.nanos() ? 0 : calm + answer.nanos();
      boolean warm = (spent > total && calm > total / 3) || spent > PATIENCE * total;
      boolean longEnough = answer.nanos() > options.sampleNanos() / 2;
      count = next(measure, count, answer.nanos());
      if (warm && longEnough) {
        counts.put(run, count);
        return;
      }
    }
  }

  private Reading sample(SubjectRun run, Measure measure, Map<SubjectRun, Long> counts)
      throws SubjectException {
    long count = counts.getOrDefault(run, 1L);
    Answer answer = run.ask(measure.command(count), limit);
    if (answer == null || answer.nanos() == 0) {
      throw new SubjectException(
          run.subject().name() + " has forgotten how to do " + measure.verb());
    }
    counts.put(run, next(measure, count, answer.nanos()));
    Double median = answer.more().get("p50");
    return new Reading(
        median != null ? median : measure.value(count, (double) answer.nanos()),
        count,
        answer.more());
  }

  private long next(Measure measure, long count, long nanos) {
    double factor = options.sampleNanos() / Math.max(1, nanos);
    return measure.allowed(count * Math.clamp(factor, SHRINKING, GROWTH));
  }

  /** Nanoseconds a cache line takes from one core to the other; NaN if nobody can tell. */
  private double bounce() {
    SubjectRun run = probe;
    if (run == null) {
      return Double.NaN;
    }
    try {
      Answer answer = run.ask("run bounce " + BOUNCES, limit);
      return answer == null ? Double.NaN : answer.nanos() / 2.0 / BOUNCES;
    } catch (SubjectException e) {
      probe = null;
      failures.accept(e.getMessage());
      return Double.NaN;
    }
  }

  /** Starts programs that say hello and end. */
  private Series hello(String network, List<Subject> subjects, Measure measure, Progress progress)
      throws InterruptedException {
    progress.begin(network + " " + measure.title());
    List<Round> rounds = new ArrayList<>();
    List<Subject> left = new ArrayList<>(subjects);
    left.removeIf(s -> !s.knows(measure) || s.hello(measure.ranks()).isEmpty());
    for (int round = 0; round < options.rounds(measure); round++) {
      Map<String, Reading> readings = new HashMap<>();
      for (Subject subject : List.copyOf(left)) {
        progress.show(network + " " + measure.title() + ": " + subject.name());
        try {
          long nanos = time(subject, subject.hello(measure.ranks()));
          readings.put(subject.name(), new Reading(measure.value(1, (double) nanos), 1, Map.of()));
        } catch (SubjectException e) {
          left.remove(subject);
          failures.accept(e.getMessage());
        }
      }
      double bounce = bounce();
      rounds.add(new Round(bounce, bounce, readings));
      progress.step(network + " " + measure.title());
    }
    return new Series(network, measure, subjects, rounds, Double.NaN);
  }

  private long time(Subject subject, List<String> command)
      throws SubjectException, InterruptedException {
    var builder = new ProcessBuilder(command);
    builder.environment().put("BENCH_HELLO", "1");
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectInput(new File("/dev/null"));
    long start = System.nanoTime();
    try {
      Process process = builder.start();
      try {
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
          throw new SubjectException(
              subject.name() + " has not said hello within " + limit.toSeconds() + " s");
        }
        if (process.exitValue() != 0) {
          throw new SubjectException(
              subject.name() + " ended with code " + process.exitValue() + " instead of hello");
        }
        return System.nanoTime() - start;
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new SubjectException(subject.name() + " cannot be started: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    if (probe != null) {
      probe.close();
    }
  }
}
