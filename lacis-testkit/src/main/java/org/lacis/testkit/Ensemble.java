package org.lacis.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.lacis.collective.Collective;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Collectives;
import org.lacis.collective.Group;

/** The collectives of a group at all its members, driven by one thread. */
final class Ensemble implements AutoCloseable {

  final Job job;
  final Group group;
  private final List<Collectives> members = new ArrayList<>();

  private Ensemble(Job job, Group group) {
    this.job = job;
    this.group = group;
  }

  /** All ranks of a job. */
  static Ensemble of(Job job, CollectiveOptions options) {
    return of(job, Group.all(job.rank(0)), options);
  }

  /** Some ranks of a job; the others make their collectives too, to keep the order. */
  static Ensemble of(Job job, Group group, CollectiveOptions options) {
    Ensemble ensemble = new Ensemble(job, group);
    List<Collectives> all =
        job.ranks().stream().map(lacis -> Collectives.of(lacis, group, options)).toList();
    for (int member = 0; member < group.size(); member++) {
      ensemble.members.add(all.get(group.rank(member)));
    }
    return ensemble;
  }

  int size() {
    return group.size();
  }

  /** The collectives of a member. */
  Collectives member(int member) {
    return members.get(member);
  }

  /** Starts a collective at every member, and waits for all. */
  void run(List<? extends Collective<?>> collective) {
    collective.forEach(Collective::start);
    await(collective);
  }

  /** Waits until a collective has finished at every member. */
  void await(List<? extends Collective<?>> collective) {
    try {
      job.until(
          collective.getFirst() + " of " + size(),
          () -> collective.stream().allMatch(Collective::test));
    } catch (AssertionError e) {
      IntStream.range(0, size())
          .filter(member -> !collective.get(member).test())
          .forEach(member -> System.err.println(member + ": " + collective.get(member).describe()));
      throw e;
    }
  }

  @Override
  public void close() {
    members.forEach(Collectives::close);
  }
}
