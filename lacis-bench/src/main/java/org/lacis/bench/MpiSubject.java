package org.lacis.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A library that implements MPI.
 *
 * @param name its name in tables
 * @param launcher the program that starts its ranks
 * @param program our program, compiled for it
 * @param flavour which options its launcher understands
 * @param transport options that choose what messages go through
 */
record MpiSubject(
    String name, String launcher, Path program, Flavour flavour, List<String> transport)
    implements Subject {

  /** Whose launcher it is. */
  enum Flavour {
    MPICH,
    OPEN_MPI
  }

  @Override
  public Family family() {
    return Family.MPI;
  }

  @Override
  public boolean knows(Measure measure) {
    // What messages will go through makes no difference to how its programs are started.
    boolean variant = name.contains("-");
    return measure.ranks() > 1
        && !Set.of("copy", "copy-in", "put-signal").contains(measure.verb())
        && !(variant && measure.verb().equals("hello"));
  }

  @Override
  public Start start(Setup setup) {
    List<String> command = Cores.oneCore(setup);
    boolean pinned = setup.placement() == Placement.PINNED && setup.ranks() <= Cores.count();
    command.addAll(launch(setup.ranks(), pinned));
    return Start.of(command, setup.threaded() ? Map.of("BENCH_THREADS", "1") : Map.of());
  }

  @Override
  public List<String> hello(int ranks) {
    return launch(ranks, false);
  }

  private List<String> launch(int ranks, boolean pinned) {
    List<String> words = new ArrayList<>(List.of(launcher));
    if (flavour == Flavour.MPICH) {
      words.addAll(List.of("-bind-to", pinned ? "core" : "none"));
    } else {
      words.addAll(List.of("--allow-run-as-root", "--oversubscribe"));
      words.addAll(List.of("--bind-to", pinned ? "core" : "none"));
    }
    words.addAll(transport);
    words.addAll(List.of("-n", Integer.toString(ranks), program.toString()));
    return words;
  }
}
