package org.lacis.bench;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * What Lacis is to reach in one measure.
 *
 * @param measure the id of the measure
 * @param against what it is compared with
 * @param other the id of another measure, or an empty one for the same
 * @param factor how many times the other value is the mark
 */
record Target(String measure, Against against, String other, double factor) {
  /** What a value of Lacis is compared with. */
  enum Against {
    /** The best MPI. */
    MPI("the best MPI"),
    /** MPICH, whatever others do. */
    MPICH("MPICH", "mpich"),
    /** Open MPI as it comes. */
    OPEN_MPI("Open MPI", "openmpi"),
    /** Open MPI over UCX. */
    OPEN_MPI_UCX("Open MPI over UCX", "openmpi-ucx"),
    /** Aeron. */
    AERON("Aeron"),
    /** Libfabric without anything on top. */
    FABRIC("libfabric"),
    /** The memory, without a library. */
    MEMORY("memory alone"),
    /** Lacis itself, in another measure. */
    LACIS("Lacis"),
    /** A number. */
    NUMBER("");

    private final String label;
    private final String subject;

    /** The best of a family. */
    Against(String label) {
      this(label, "");
    }

    /** One subject, by its name. */
    Against(String label, String subject) {
      this.label = label;
      this.subject = subject;
    }

    private Optional<Subject> in(Series series) {
      return subject.isEmpty()
          ? series.best(Family.valueOf(name()))
          : series.measured().filter(each -> each.name().equals(subject)).findFirst();
    }
  }

  /**
   * Whether a target was reached.
   *
   * @param target which
   * @param ratio how many times the other value ours is; of a number, our value
   * @param reached whether that is enough
   * @param state of the rounds it is formed of; MIXED if no two were in the same
   * @param enough whether there were enough of them
   * @param needed the group that was not measured, without which nothing can be said; or none
   */
  record Verdict(
      Target target,
      double ratio,
      boolean reached,
      State state,
      boolean enough,
      Optional<Group> needed) {
    /** What it says in tables: the mark, what there is, and by how much it is missed. */
    String text(Unit unit) {
      return target.mark(unit) + ": " + is() + ", " + outcome();
    }

    /** What there is. Two measures may have been in another state than each is told for. */
    String is() {
      String named = target.other.isEmpty() || state == State.STEADY ? "" : " " + state.label();
      return Tables.number(ratio, enough) + (Double.isNaN(ratio) ? "" : named);
    }

    /** What has become of it. */
    String outcome() {
      if (needed.isPresent()) {
        return "unknown: it needs " + needed.get().label() + " in the same run";
      }
      if (Double.isNaN(ratio)) {
        return "unknown: the two were never measured in the same state";
      }
      return reached
          ? "reached"
          : "missed by %.0f %%".formatted(Math.abs(ratio / target.factor - 1) * 100);
    }
  }

  /** All targets, over shared memory. */
  static final List<Target> ALL =
      List.of(
          of("am-latency", Against.MPI, 0.6),
          of("am-latency", Against.AERON, 0.9),
          of("am-latency", Against.MEMORY, 1.3),
          of("sr-latency", Against.MPI, 0.8),
          of("am-rate[window=64]", Against.MPI, 5),
          of("am-rate[window=64]", Against.AERON, 1.5),
          of("amq-rate[window=64]", Against.MPI, 2),
          of("sr-rate[window=64]", Against.MPI, 2),
          of("both-rate[window=64]", Against.MPI, 3),
          threads("dedicated", 2, Against.MPI, 5),
          threads("dedicated", 4, Against.MPI, 5),
          threads("dedicated", 2, Against.LACIS, 0.8),
          threads("dedicated", 4, Against.LACIS, 0.8),
          threads("shared", 2, Against.LACIS, 0.5),
          threads("shared", 4, Against.LACIS, 0.5),
          bandwidth(13, Against.MPI, 1.2),
          bandwidth(16, Against.MPI, 1.2),
          bandwidth(20, Against.MPI, 1.2),
          bandwidth(24, Against.MPI, 1.2),
          bandwidth(16, Against.FABRIC, 1),
          bandwidth(20, Against.FABRIC, 1),
          bandwidth(20, Against.MEMORY, 0.8),
          new Target(id(20), Against.MEMORY, "copy[bytes=1048576]", 0.8),
          of("allreduce[bytes=1048576]", Against.MEMORY, 0.5),
          of("allreduce[bytes=1048576,memory=mapped]", Against.MEMORY, 0.5),
          of("matching[engine=ordered,kind=nc,window=100]", Against.MPI, 2),
          of("matching[engine=ordered,kind=wc,window=100]", Against.MPI, 2),
          of("matching[engine=ordered,kind=rev,window=1000]", Against.MPICH, 20),
          of("matching[engine=ordered,kind=rev,window=1000]", Against.OPEN_MPI, 20),
          of("matching[engine=ordered,kind=rev,window=1000]", Against.OPEN_MPI_UCX, 2),
          of("put", Against.MPI, 1),
          new Target("put-signal", Against.LACIS, "am-latency", 1.2),
          of("am-latency@one-core", Against.NUMBER, 50),
          of("hello-2", Against.NUMBER, 1.0),
          of("hello-16", Against.NUMBER, 4.0));

  /** What has become of the targets of a measure. They are meant for shared memory. */
  static List<Verdict> verdicts(Series series, List<Series> all) {
    if (!series.network().equals("shm")) {
      return List.of();
    }
    return ALL.stream()
        .filter(target -> target.measure.equals(series.measure().id()))
        .flatMap(target -> target.verdict(all, series.network()).stream())
        .toList();
  }

  private static Target of(String measure, Against against, double factor) {
    return new Target(measure, against, "", factor);
  }

  private static Target threads(String devices, int threads, Against against, double factor) {
    String id = "thread-rate[devices=%s,threads=%d,window=64]";
    return new Target(
        id.formatted(devices, threads),
        against,
        against == Against.LACIS ? id.formatted("dedicated", 1) : "",
        factor);
  }

  private static Target bandwidth(int power, Against against, double factor) {
    return of(id(power), against, factor);
  }

  private static String id(int power) {
    int bytes = 1 << power;
    return "bandwidth[bytes=%d,window=%d]".formatted(bytes, Math.clamp((4 << 20) / bytes, 2, 64));
  }

  /** How a value is to be, in words. */
  String mark(Unit unit) {
    String sign = unit.lessIsBetter() ? "≤" : "≥";
    if (against == Against.NUMBER) {
      return "%s %s %s".formatted(sign, Tables.number(factor), unit.label());
    }
    return "%s %s × %s%s"
        .formatted(
            sign,
            Tables.number(factor),
            against.label,
            other.isEmpty() ? "" : " in “" + title(other) + "”");
  }

  /** What people call a measure. */
  private static String title(String id) {
    return known(id).map(Measure::title).orElse(id);
  }

  private static Optional<Measure> known(String id) {
    return Agenda.of(EnumSet.allOf(Group.class), false, Cores.count()).stream()
        .filter(measure -> measure.id().equals(id))
        .findFirst();
  }

  /** Whether it was reached; empty if Lacis, or who it is compared with, was not measured. */
  Optional<Verdict> verdict(List<Series> all, String network) {
    Optional<Series> ours = find(all, network, measure);
    Optional<Subject> lacis = ours.flatMap(Series::lacis);
    if (ours.isEmpty() || lacis.isEmpty()) {
      return Optional.empty();
    }
    return verdict(all, ours.get(), lacis.get());
  }

  private Optional<Verdict> verdict(List<Series> all, Series ours, Subject lacis) {
    State told = ours.state();
    boolean enough = ours.basis().isEnough();
    if (against == Against.NUMBER) {
      return Optional.of(verdict(ours, ours.median(lacis), told, enough));
    }
    if (!other.isEmpty()) {
      Family family = against == Against.LACIS ? Family.LACIS : Family.MEMORY;
      Optional<Series> series = find(all, ours.network(), other);
      if (series.isEmpty()) {
        Optional<Group> group = known(other).map(Measure::group);
        return Optional.of(new Verdict(this, Double.NaN, false, State.MIXED, false, group));
      }
      return series.get().best(family).map(it -> verdict(ours, lacis, series.get(), it));
    }
    return against
        .in(ours)
        .map(subject -> ours.ratios(lacis, subject))
        .filter(ratios -> !ratios.all().isEmpty())
        .map(ratios -> verdict(ours, ratios.middle(), told, ratios.isReliable()));
  }

  /** Two measures are not of the same rounds, but have to be of the same state. */
  private Verdict verdict(Series ours, Subject lacis, Series series, Subject subject) {
    State state = ours.commonState(series).orElse(State.MIXED);
    double ratio =
        state == State.MIXED
            ? Double.NaN
            : Statistics.middle(ours.values(lacis, state))
                / Statistics.middle(series.values(subject, state));
    boolean enough = ours.basis(state).isEnough() && series.basis(state).isEnough();
    return verdict(ours, ratio, state, enough);
  }

  private Verdict verdict(Series ours, double ratio, State state, boolean enough) {
    boolean reached = ratio == factor || ours.measure().unit().better(ratio, factor);
    return new Verdict(this, ratio, reached, state, enough, Optional.empty());
  }

  private static Optional<Series> find(List<Series> all, String network, String id) {
    return all.stream()
        .filter(series -> series.network().equals(network) && series.measure().id().equals(id))
        .findFirst();
  }
}
