package org.lacis.testkit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.collective.Algorithm;
import org.lacis.collective.Collective;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Collectives;
import org.lacis.collective.Reduction;

/** The collectives, with what each should do. */
enum CollectiveKind {
  BARRIER(Algorithm.Barrier.class) {
    @Override
    Collective<?> build(Collectives collectives, CollectiveTrial trial, int member) {
      return collectives.newBarrier();
    }

    @Override
    byte @Nullable [] expected(CollectiveTrial trial, int member, long run) {
      return null;
    }
  },
  BROADCAST(Algorithm.Broadcast.class) {
    @Override
    void buffers(CollectiveTrial trial, int member) {
      var buffer = trial.memory(trial.shape.bytes());
      trial.ins.add(buffer);
      trial.outs.add(buffer);
    }

    @Override
    Collective<?> build(Collectives collectives, CollectiveTrial trial, int member) {
      return collectives.newBroadcast(trial.ins.get(member), trial.shape.root());
    }

    @Override
    byte @Nullable [] expected(CollectiveTrial trial, int member, long run) {
      return trial.input(trial.shape.root(), run);
    }
  },
  REDUCE(Algorithm.Reduce.class) {
    @Override
    Collective<?> build(Collectives collectives, CollectiveTrial trial, int member) {
      return collectives.newReduce(
          trial.ins.get(member),
          trial.outs.get(member),
          trial.shape.reduction(),
          trial.shape.root());
    }

    @Override
    byte @Nullable [] expected(CollectiveTrial trial, int member, long run) {
      return member == trial.shape.root() ? trial.combined(trial.size(), run) : null;
    }
  },
  ALLREDUCE(Algorithm.Allreduce.class) {
    @Override
    Collective<?> build(Collectives collectives, CollectiveTrial trial, int member) {
      return collectives.newAllreduce(
          trial.ins.get(member), trial.outs.get(member), trial.shape.reduction());
    }

    @Override
    byte @Nullable [] expected(CollectiveTrial trial, int member, long run) {
      return trial.combined(trial.size(), run);
    }
  };

  private final Class<? extends Algorithm> algorithms;

  CollectiveKind(Class<? extends Algorithm> algorithms) {
    this.algorithms = algorithms;
  }

  /** Makes the buffers of a member: one as long as the shape says for each, or one for both. */
  void buffers(CollectiveTrial trial, int member) {
    var in = trial.memory(trial.shape.bytes());
    trial.ins.add(in);
    trial.outs.add(trial.shape.inPlace() ? in : trial.memory(trial.shape.bytes()));
  }

  final Collective<?> build(CollectiveTrial trial, int member) {
    return build(trial.ensemble.member(member), trial, member);
  }

  abstract Collective<?> build(Collectives collectives, CollectiveTrial trial, int member);

  /** What a member gets; null if it gets nothing. */
  abstract byte @Nullable [] expected(CollectiveTrial trial, int member, long run);

  /** Its algorithms. */
  List<Algorithm> algorithms() {
    return Arrays.<Algorithm>asList(algorithms.getEnumConstants());
  }

  /** Whether an algorithm is for any operator. */
  static boolean fits(@Nullable Algorithm algorithm, Reduction reduction) {
    return reduction.commutative() || algorithm != Algorithm.Allreduce.RING;
  }

  /** Options with the k-th algorithm for every collective that has so many, else the last. */
  static CollectiveOptions forced(int k) {
    Map<Class<? extends Algorithm>, Algorithm> forced = new HashMap<>();
    for (CollectiveKind kind : values()) {
      List<Algorithm> all = kind.algorithms();
      forced.put(kind.algorithms, all.get(Math.min(k, all.size() - 1)));
    }
    return new CollectiveOptions(null, null, forced);
  }
}
