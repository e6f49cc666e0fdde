package org.lacis.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Libfabric, with nothing on top of it.
 *
 * @param provider which of its providers
 * @param program our program, compiled for it
 * @param java has folders in shared memory
 */
record FabricSubject(String provider, Path program, JavaSubjects java) implements Subject {
  @Override
  public String name() {
    return "libfabric";
  }

  @Override
  public Family family() {
    return Family.FABRIC;
  }

  @Override
  public boolean knows(Measure measure) {
    return measure.placement() == Placement.PINNED
        && Set.of("am-latency", "sr-latency", "am-rate", "sr-rate", "bandwidth")
            .contains(measure.verb());
  }

  @Override
  public Start start(Setup setup) throws SubjectException {
    Path shared = java.sharedFolder();
    boolean pinned = !Cores.bind(setup).isEmpty();
    String rank = pinned ? "taskset -c %1$d \"$0\" %1$d & " : "\"$0\" %1$d & ";
    return new Start(
        List.of("sh", "-c", rank.formatted(0) + rank.formatted(1) + "wait", program.toString()),
        Map.of("BENCH_FOLDER", shared.toString(), "BENCH_PROVIDER", provider),
        List.of(shared));
  }
}
