package org.lacis.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes samples of all subjects in turn, round after round. A subject that fails is left out of
 * what follows in its set, whenever that is; the others go on.
 */
final class Sampler implements AutoCloseable {
  /** More than any sample takes on a machine that works. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Duration READY_LIMIT = Duration.ofSeconds(60);
  private static final int BOUNCES = 800;

  /** The least of so many times counts: a core that is taken away for a moment is no other core. */
  private static final int BURSTS = 3;

  /** What is not compiled yet would look like cores that are far from each other. */
  private static final int WARM_BOUNCES = 200;

  /** The share of the time to get warm that is spent by those who have done something alike. */
  private static final double ALIKE = 0.5;

  /** The share of the time to get warm that is spent once more when all others are warm. */
  private static final double AGAIN = 0.1;

  /** How often a round is taken once more, at most, in which the way of a cache line changed. */
  private static final int REPEATS = 2;

  /** The way of a cache line has changed if it takes so many times as long, or as short. */
  private static final double CHANGE = 2;

  private final Coordinator coordinator;
  private final BenchOptions options;
  private final Consumer<String> failures;
  private final Duration limit;
  private final Map<Place, Set<String>> failed = new HashMap<>();
  private @Nullable SubjectRun probe;

  /** A set over a network. */
  private record Place(String network, List<Measure> set) {}

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

  /** Starts what measures the way of a cache line around each sample. */
  void probeWith(Subject memory) throws InterruptedException {
    List<SubjectRun> runs = start(List.of(memory), new Setup(2, Placement.PINNED, false));
    probe = runs.isEmpty() ? null : runs.getFirst();
    for (int i = 0; i < WARM_BOUNCES; i++) {
      bounce();
    }
  }

  /**
   * Takes the samples of a set that belong to one start. All subjects are there at once, and rest
   * while another one is measured.
   *
   * @param start how many times the subjects have been started for this set
   */
  List<Series> measure(
      String network, List<Subject> subjects, List<Measure> set, int start, Progress progress)
      throws InterruptedException {
    List<Measure> due =
        set.stream()
            .filter(m -> options.firstRound(m, start) < options.firstRound(m, start + 1))
            .toList();
    List<Series> all = new ArrayList<>();
    if (due.isEmpty()) {
      return all;
    }
    if (set.getFirst().verb().equals("hello")) {
      for (Measure measure : due) {
        all.add(hello(network, subjects, measure, start, progress));
      }
      return all;
    }
    Set<String> lost = failed.computeIfAbsent(new Place(network, set), _ -> new HashSet<>());
    List<Subject> concerned =
        subjects.stream()
            .filter(subject -> due.stream().anyMatch(subject::knows))
            .filter(subject -> !lost.contains(subject.name()))
            .toList();
    List<SubjectRun> runs = start(concerned, Setup.of(set.getFirst()));
    try {
      double share = 1;
      for (Measure measure : due) {
        all.add(measure(network, subjects, runs, measure, start, share, progress));
        share = ALIKE;
      }
      concerned.stream()
          .filter(subject -> runs.stream().noneMatch(run -> run.subject() == subject))
          .forEach(subject -> lost.add(subject.name()));
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
      int start,
      double share,
      Progress progress) {
    progress.begin(network + " " + measure.title());
    var samples = new Samples(measure, options, limit);
    for (SubjectRun run : List.copyOf(runs)) {
      if (!run.subject().knows(measure)) {
        continue;
      }
      progress.show(network + " " + measure.title() + ": " + run.subject().name() + " warms up");
      attempt(runs, run, () -> samples.warm(run, share));
    }
    // A pause has ranks do what their compilers have not seen before, such as looking at the clock.
    for (SubjectRun run : samples.warm()) {
      attempt(runs, run, () -> samples.warm(run, AGAIN));
    }
    List<Round> rounds = new ArrayList<>();
    int end = options.firstRound(measure, start + 1);
    for (int number = options.firstRound(measure, start); number < end; number++) {
      for (int i = 0; i <= REPEATS; i++) {
        Round round = round(runs, samples, start, number);
        if (!round.readings().isEmpty()) {
          rounds.add(round);
        }
        if (!round.changes(CHANGE)) {
          break;
        }
      }
      progress.step(network + " " + measure.title());
    }
    return new Series(network, measure, subjects, rounds, Double.NaN);
  }

  /** Samples of all that are left. Nobody is always the first, or behind the same other. */
  private Round round(List<SubjectRun> runs, Samples samples, int start, int number) {
    Map<String, Reading> readings = new HashMap<>();
    samples.keep(runs);
    List<SubjectRun> order = samples.warm();
    Collections.rotate(order, -number);
    double last = bounce();
    for (SubjectRun run : order) {
      String name = run.subject().name();
      attempt(runs, run, () -> readings.put(name, samples.sample(run)));
      double before = last;
      double after = bounce();
      readings.computeIfPresent(name, (_, reading) -> reading.between(before, after));
      last = after;
    }
    return new Round(start, readings);
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

  /** Nanoseconds a cache line takes from one core to the other; NaN if nobody can tell. */
  private double bounce() {
    SubjectRun run = probe;
    if (run == null) {
      return Double.NaN;
    }
    try {
      double least = Double.NaN;
      for (int i = 0; i < BURSTS; i++) {
        Answer answer = run.ask("run bounce " + BOUNCES, limit);
        if (answer == null) {
          return Double.NaN;
        }
        double nanos = answer.nanos() / 2.0 / BOUNCES;
        least = i == 0 ? nanos : Math.min(least, nanos);
      }
      return least;
    } catch (SubjectException e) {
      probe = null;
      failures.accept(e.getMessage());
      return Double.NaN;
    }
  }

  /** Starts programs that say hello and end. */
  private Series hello(
      String network, List<Subject> subjects, Measure measure, int start, Progress progress)
      throws InterruptedException {
    progress.begin(network + " " + measure.title());
    List<Round> rounds = new ArrayList<>();
    List<Subject> left = new ArrayList<>(subjects);
    left.removeIf(s -> !s.knows(measure) || s.hello(measure.ranks()).isEmpty());
    int end = options.firstRound(measure, start + 1);
    for (int round = options.firstRound(measure, start); round < end; round++) {
      Map<String, Reading> readings = new HashMap<>();
      for (Subject subject : List.copyOf(left)) {
        progress.show(network + " " + measure.title() + ": " + subject.name());
        try {
          long nanos = Hello.time(coordinator, subject, measure.ranks(), limit);
          readings.put(subject.name(), Reading.of(measure.value(1, (double) nanos), 1, Map.of()));
        } catch (SubjectException e) {
          left.remove(subject);
          failures.accept(e.getMessage());
        }
      }
      double bounce = bounce();
      readings.replaceAll((_, reading) -> reading.between(bounce, bounce));
      if (!readings.isEmpty()) {
        rounds.add(new Round(start, readings));
      }
      progress.step(network + " " + measure.title());
    }
    return new Series(network, measure, subjects, rounds, Double.NaN);
  }

  @Override
  public void close() {
    if (probe != null) {
      probe.close();
    }
  }
}
