package org.lacis.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** A run of the benchmark: Lacis, its peers and the memory itself, side by side. */
public final class Bench {
  /** How often a folder is deleted, at most, that is written to meanwhile. */
  private static final int DELETIONS = 10;

  private final BenchOptions options;
  private final PrintWriter out;
  private final Progress progress;
  private final List<Measure> agenda;
  private final Map<String, Object> machine = Machine.describe();
  private final Results results = new Results();
  private final Shown shown = new Shown();
  private final Processes processes = new Processes();
  private final Set<String> failures = new LinkedHashSet<>();
  private String where = "at the beginning";

  private Bench(BenchOptions options, PrintWriter out, PrintWriter err, boolean terminal) {
    this(options, out, err, terminal, Agenda.of(options.groups(), options.quick(), Cores.count()));
  }

  Bench(
      BenchOptions options,
      PrintWriter out,
      PrintWriter err,
      boolean terminal,
      List<Measure> agenda) {
    this.options = options;
    this.out = out;
    this.machine.put("command", options.command());
    this.agenda = agenda;
    this.progress =
        new Progress(
            err,
            terminal,
            options.networks().size() * agenda.stream().mapToInt(options::rounds).sum());
  }

  /**
   * Runs, and prints what comes out of it.
   *
   * @param out for results
   * @param err for the progress bar
   * @param terminal whether somebody sees the bar
   * @return the exit code: 0 if Lacis was measured, 1 if not
   */
  public static int run(BenchOptions options, PrintWriter out, PrintWriter err, boolean terminal)
      throws IOException, InterruptedException {
    return new Bench(options, out, err, terminal).run();
  }

  /**
   * Two runs beside each other: by how much they differ about each ratio of Lacis to another.
   *
   * @param first a folder that a run has written to, or its {@code results.csv}
   * @param second the same of another run
   * @throws IllegalArgumentException if there are no results
   */
  public static String compare(Path first, Path second) throws IOException {
    return Comparison.of(first, second);
  }

  /** The names by which peers are chosen. */
  public static Set<String> peerNames() {
    return Peers.NAMES;
  }

  int run() throws IOException, InterruptedException {
    if (options.out() != null) {
      Files.createDirectories(options.out());
    }
    double load = Machine.load();
    if (Machine.isBusy(load)) {
      out.println(
          "this machine has other work to do (load %.1f on %d cores): expect nothing of the figures"
              .formatted(load, Cores.count()));
    }
    Path folder = Files.createTempDirectory("lacis-bench");
    Path shared = Folders.inSharedMemory();
    var coordinator = new Coordinator(folder, processes);
    // An interrupt from the keyboard leaves nothing behind.
    Thread hook =
        new Thread("bench-end") {
          @Override
          public void run() {
            end(coordinator, folder, shared);
          }
        };
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      measure(coordinator, folder, shared);
    } finally {
      end(coordinator, folder, shared);
      remove(hook);
    }
    progress.clear();
    out.print(shown.corrections(results.all()));
    failures.forEach(failure -> out.println("failed: " + failure));
    out.println(
        "garbage collections in ranks of Lacis while they were measured: "
            + Results.collections(results.all())
            + " (target: none)");
    if (options.out() != null) {
      out.println("results.json, results.csv and report.html are in " + options.out());
    }
    out.flush();
    return results.all().stream().anyMatch(series -> series.lacis().isPresent()) ? 0 : 1;
  }

  private static void remove(Thread hook) throws InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs, and this process ends behind it: there is nothing more to say.
      new CountDownLatch(1).await();
    }
  }

  private void measure(Coordinator coordinator, Path folder, Path shared)
      throws IOException, InterruptedException {
    noteCommit(folder);
    var java = new JavaSubjects(options, folder, shared);
    var peers = new Peers(options, java, folder, processes);
    try (var sampler = new Sampler(coordinator, options, this::failed)) {
      sampler.probeWith(java.memory());
      for (String network : options.networks()) {
        List<Subject> subjects = new ArrayList<>();
        subjects.add(java.lacis(network));
        subjects.addAll(peers.find(network).found());
        subjects.add(java.memory());
        peers.versions().forEach((name, version) -> machine.put("version of " + name, version));
        peers.missing().forEach((name, why) -> machine.put(name + " over " + network, why));
        progress.clear();
        say(network, peers);
        for (int start = 0; start < options.timesStarted(); start++) {
          round(sampler, network, subjects, start);
        }
      }
    }
  }

  /**
   * Everything once, of processes that are started for it. What one process is lucky with, and what
   * happens to the machine in one minute, then counts for a part of each measure, not for all of
   * one.
   */
  private void round(Sampler sampler, String network, List<Subject> subjects, int start)
      throws IOException, InterruptedException {
    boolean lastStart = start == options.timesStarted() - 1;
    Map<Group, List<List<Measure>>> groups =
        Agenda.sets(agenda, options.quick()).stream()
            .collect(
                Collectors.groupingBy(
                    set -> set.getFirst().group(), TreeMap::new, Collectors.toList()));
    for (Map.Entry<Group, List<List<Measure>>> entry : groups.entrySet()) {
      where = network + " " + entry.getKey().label();
      for (List<Measure> set : entry.getValue()) {
        List<Series> measured = attempt(sampler, network, subjects, set, start);
        processes.goOn(); // what was measured while all ended is not told
        results.add(measured);
      }
      if (lastStart) {
        show(network, entry.getKey());
      }
      write();
    }
  }

  /** A set that cannot be measured is named, and the rest goes on. */
  private List<Series> attempt(
      Sampler sampler, String network, List<Subject> subjects, List<Measure> set, int start)
      throws InterruptedException {
    try {
      return sampler.measure(network, subjects, set, start, progress);
    } catch (RuntimeException e) {
      failed("“" + set.getFirst().title() + "” and those like it: " + e);
      return List.of();
    }
  }

  /** Of a checkout, versions between releases do not say what was measured. */
  private void noteCommit(Path folder) throws InterruptedException {
    String home = System.getProperty("lacis.home");
    if (home != null) {
      List<String> command =
          List.of(
              "git", "-C", home, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*");
      String said = CompiledPeer.output(processes, command, folder.resolve("commit"));
      if (said.matches("[0-9a-f]{12,}(-dirty)?")) {
        machine.put("commit", said);
      }
    }
  }

  /** Writes what there is: who is interrupted keeps that. */
  private void write() throws IOException {
    Path folder = options.out();
    if (folder == null) {
      return;
    }
    List<Series> all = results.all();
    List<String> failed = List.copyOf(failures);
    Files.writeString(folder.resolve("results.json"), Data.json(machine, all, failed));
    Files.writeString(folder.resolve("results.csv"), Data.csv(all));
    Files.writeString(folder.resolve("report.html"), Report.of(machine, all, failed));
  }

  private void say(String network, Peers peers) {
    out.println(
        network
            + ": lacis"
            + peers.found().stream().map(peer -> ", " + peer.name()).reduce("", String::concat)
            + "; memory is the limit, without a library");
    peers.missing().forEach((name, why) -> out.println("  " + name + " " + why));
    out.println(Tables.LEGEND);
    out.println();
    out.flush();
  }

  private void show(String network, Group group) {
    progress.clear();
    out.print(shown.table(results.all(), network, group));
    out.flush();
  }

  private void failed(String message) {
    failures.add(where + ": " + message);
  }

  private static void end(Coordinator coordinator, Path... folders) {
    coordinator.close();
    for (Path folder : folders) {
      // Who was about to write into it finds the end the next time.
      for (int i = 0; i < DELETIONS && Files.exists(folder); i++) {
        Folders.delete(folder);
      }
    }
  }
}
