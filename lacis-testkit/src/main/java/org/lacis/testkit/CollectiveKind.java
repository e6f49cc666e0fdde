package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lacis.collective.Algorithm;
import org.lacis.collective.Blocks;
import org.lacis.collective.Collective;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Collectives;

/** The collectives, with what each should do. Those with V have blocks of different lengths. */
enum CollectiveKind {
  BARRIER(Algorithm.Barrier.class),
  BROADCAST(Algorithm.Broadcast.class),
  REDUCE(Algorithm.Reduce.class),
  ALLREDUCE(Algorithm.Allreduce.class),
  GATHER(Algorithm.Gather.class),
  GATHER_V(Algorithm.Gather.class),
  SCATTER(Algorithm.Scatter.class),
  SCATTER_V(Algorithm.Scatter.class),
  ALLGATHER(Algorithm.Allgather.class),
  ALLGATHER_V(Algorithm.Allgather.class),
  ALLTOALL(Algorithm.Alltoall.class),
  ALLTOALL_V(Algorithm.Alltoall.class),
  REDUCE_SCATTER(Algorithm.ReduceScatter.class),
  REDUCE_SCATTER_V(Algorithm.ReduceScatter.class),
  SCAN(Algorithm.Scan.class),
  EXCLUSIVE_SCAN(Algorithm.Scan.class);

  private final Class<? extends Algorithm> algorithms;

  CollectiveKind(Class<? extends Algorithm> algorithms) {
    this.algorithms = algorithms;
  }

  /** Whether its blocks are of different lengths. */
  boolean varying() {
    return name().endsWith("_V");
  }

  /** Whether one member is different from all others. */
  boolean rooted() {
    return switch (this) {
      case BROADCAST, REDUCE, GATHER, GATHER_V, SCATTER, SCATTER_V -> true;
      default -> false;
    };
  }

  /** Whether it combines data. */
  boolean combines() {
    return switch (this) {
      case REDUCE, ALLREDUCE, REDUCE_SCATTER, REDUCE_SCATTER_V, SCAN, EXCLUSIVE_SCAN -> true;
      default -> false;
    };
  }

  /** Makes the buffers of a member. */
  void buffers(CollectiveTrial trial, int member) {
    Blocks blocks = trial.blocks();
    long own = blocks.length(member);
    switch (this) {
      case BARRIER, BROADCAST -> {
        MemorySegment buffer = trial.memory(trial.shape.bytes());
        trial.add(buffer, buffer);
      }
      case REDUCE, ALLREDUCE, SCAN, EXCLUSIVE_SCAN -> {
        MemorySegment in = trial.memory(trial.shape.bytes());
        trial.add(in, trial.shape.inPlace() ? in : trial.memory(in.byteSize()));
      }
      case GATHER, GATHER_V, ALLGATHER, ALLGATHER_V -> {
        boolean result = this == ALLGATHER || this == ALLGATHER_V || member == trial.shape.root();
        MemorySegment out = trial.memory(result ? blocks.extent() : 5);
        boolean inPlace = result && trial.shape.inPlace();
        trial.add(inPlace ? out.asSlice(blocks.offset(member), own) : trial.memory(own), out);
      }
      case SCATTER, SCATTER_V, REDUCE_SCATTER, REDUCE_SCATTER_V -> {
        boolean data =
            this == REDUCE_SCATTER || this == REDUCE_SCATTER_V || member == trial.shape.root();
        MemorySegment in = trial.memory(data ? blocks.extent() : 5);
        boolean inPlace = data && trial.shape.inPlace();
        trial.add(in, inPlace ? in.asSlice(blocks.offset(member), own) : trial.memory(own));
      }
      case ALLTOALL, ALLTOALL_V -> {
        long bytes = Math.max(trial.sent(member).extent(), trial.received(member).extent());
        MemorySegment in = trial.memory(bytes);
        trial.add(in, trial.shape.inPlace() ? in : trial.memory(bytes));
      }
    }
  }

  Collective<?> build(CollectiveTrial trial, int member) {
    Collectives c = trial.ensemble.member(member);
    MemorySegment in = trial.ins.get(member);
    MemorySegment out = trial.outs.get(member);
    int root = trial.shape.root();
    var reduction = trial.shape.reduction();
    Blocks blocks = trial.blocks();
    return switch (this) {
      case BARRIER -> c.newBarrier();
      case BROADCAST -> c.newBroadcast(in, root);
      case REDUCE -> c.newReduce(in, out, reduction, root);
      case ALLREDUCE -> c.newAllreduce(in, out, reduction);
      case GATHER -> c.newGather(in, out, root);
      case GATHER_V -> c.newGather(in, out, blocks, root);
      case SCATTER -> c.newScatter(in, out, root);
      case SCATTER_V -> c.newScatter(in, blocks, out, root);
      case ALLGATHER -> c.newAllgather(in, out);
      case ALLGATHER_V -> c.newAllgather(in, out, blocks);
      case ALLTOALL -> c.newAlltoall(in, out);
      case ALLTOALL_V -> c.newAlltoall(in, trial.sent(member), out, trial.received(member));
      case REDUCE_SCATTER -> c.newReduceScatter(in, out, reduction);
      case REDUCE_SCATTER_V -> c.newReduceScatter(in, blocks, out, reduction);
      case SCAN -> c.newScan(in, out, reduction);
      case EXCLUSIVE_SCAN -> c.newExclusiveScan(in, out, reduction);
    };
  }

  /**
   * Puts what a member gets in a run over what it had.
   *
   * @param result what it had in its buffer for the result
   */
  void expect(CollectiveTrial trial, int member, long run, byte[] result) {
    Blocks blocks = trial.blocks();
    int root = trial.shape.root();
    switch (this) {
      case BARRIER -> {}
      case BROADCAST -> put(trial.input(root, run), 0, result, 0, result.length);
      case REDUCE -> {
        if (member == root) {
          put(trial.combined(trial.size(), run), 0, result, 0, result.length);
        }
      }
      case ALLREDUCE -> put(trial.combined(trial.size(), run), 0, result, 0, result.length);
      case SCAN -> put(trial.combined(member + 1, run), 0, result, 0, result.length);
      case EXCLUSIVE_SCAN -> {
        if (member > 0) {
          put(trial.combined(member, run), 0, result, 0, result.length);
        }
      }
      case GATHER, GATHER_V, ALLGATHER, ALLGATHER_V -> {
        if (this == ALLGATHER || this == ALLGATHER_V || member == root) {
          for (int from = 0; from < trial.size(); from++) {
            put(trial.input(from, run), 0, result, blocks.offset(from), blocks.length(from));
          }
        }
      }
      case SCATTER, SCATTER_V ->
          put(trial.input(root, run), blocks.offset(member), result, 0, result.length);
      case REDUCE_SCATTER, REDUCE_SCATTER_V ->
          put(trial.combined(trial.size(), run), blocks.offset(member), result, 0, result.length);
      case ALLTOALL, ALLTOALL_V -> {
        Blocks received = trial.received(member);
        for (int from = 0; from < trial.size(); from++) {
          put(
              trial.input(from, run),
              trial.sent(from).offset(member),
              result,
              received.offset(from),
              received.length(from));
        }
      }
    }
  }

  private static void put(byte[] from, long at, byte[] to, long target, long bytes) {
    System.arraycopy(from, (int) at, to, (int) target, (int) bytes);
  }

  /** Its algorithms. */
  List<Algorithm> algorithms() {
    return Arrays.<Algorithm>asList(algorithms.getEnumConstants());
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
