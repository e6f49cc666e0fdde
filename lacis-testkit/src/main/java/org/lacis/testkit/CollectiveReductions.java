package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lacis.Lacis;
import org.lacis.collective.Algorithm;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Collectives;
import org.lacis.collective.Group;
import org.lacis.collective.Reduction;

/** Long data is combined in arrays and in other memory, in place or not, by every reduction. */
interface CollectiveReductions extends RuntimeSuite {

  /** Several chunks of each member, and some more. */
  int COUNT = 17_003;

  /** Where data is: an array of such elements, from an element on, and other memory. */
  enum Place {
    ARRAY,
    BYTES,
    NATIVE,
    ALLOCATED;

    BufferKind.Buffer allocate(Lacis lacis, Reduction reduction) {
      int element = reduction.elementBytes();
      long bytes = (long) COUNT * element;
      return switch (this) {
        case ARRAY -> new BufferKind.Buffer(array(reduction).asSlice(element, bytes), () -> {});
        case BYTES -> BufferKind.HEAP.allocate(lacis, bytes);
        case NATIVE -> BufferKind.NATIVE.allocate(lacis, bytes);
        case ALLOCATED -> BufferKind.ALLOCATED.allocate(lacis, bytes);
      };
    }

    private static MemorySegment array(Reduction reduction) {
      String name = reduction.name();
      return switch (name.substring(name.lastIndexOf(' ') + 1)) {
        case "int" -> MemorySegment.ofArray(new int[COUNT + 1]);
        case "long" -> MemorySegment.ofArray(new long[COUNT + 1]);
        case "float" -> MemorySegment.ofArray(new float[COUNT + 1]);
        default -> MemorySegment.ofArray(new double[COUNT + 1]);
      };
    }
  }

  private static List<Reduction> reductions() {
    return List.of(
        Reduction.SUM_INT,
        Reduction.MIN_INT,
        Reduction.MAX_INT,
        Reduction.XOR_INT,
        Reduction.SUM_LONG,
        Reduction.MIN_LONG,
        Reduction.MAX_LONG,
        Reduction.PRODUCT_LONG,
        Reduction.SUM_FLOAT,
        Reduction.MIN_FLOAT,
        Reduction.MAX_FLOAT,
        Reduction.SUM_DOUBLE,
        Reduction.MIN_DOUBLE,
        Reduction.MAX_DOUBLE);
  }

  @Test
  default void longDataOfAnyKindIsCombined(RandomGenerator random) {
    long seed = random.nextLong();
    try (Job job = open(2)) {
      job.together("allreduces of long data", lacis -> combineAll(lacis, seed));
    }
  }

  private static boolean combineAll(Lacis lacis, long seed) {
    var options = CollectiveOptions.defaults().withAlgorithm(Algorithm.Allreduce.DIRECT);
    try (var collectives = Collectives.of(lacis, Group.all(lacis), options)) {
      for (Reduction reduction : reductions()) {
        for (Place place : Place.values()) {
          try (var in = place.allocate(lacis, reduction);
              var out = place.allocate(lacis, reduction)) {
            check(collectives, reduction, in.segment(), out.segment(), seed);
            check(collectives, reduction, out.segment(), out.segment(), seed);
            collectives.barrier();
          }
        }
      }
      return true;
    }
  }

  /** Runs it so often that each way to combine is taken. */
  private static void check(
      Collectives collectives,
      Reduction reduction,
      MemorySegment in,
      MemorySegment out,
      long seed) {
    try (var allreduce = collectives.newAllreduce(in, out, reduction)) {
      for (int run = 0; run < 3; run++) {
        MemorySegment left = values(seed + 2L * run, in.byteSize());
        MemorySegment right = values(seed + 2L * run + 1, in.byteSize());
        in.copyFrom(collectives.member() == 0 ? left : right);
        allreduce.start();
        allreduce.await();
        reduction.operator().apply(left, right, left);
        assertThat(out.mismatch(left)).as("%s, run %d", allreduce, run).isEqualTo(-1);
      }
    }
  }

  /** Bytes that are no infinite numbers, nor none, whatever the elements are. */
  private static MemorySegment values(long seed, long bytes) {
    byte[] values = new byte[(int) bytes];
    Seeds.random(seed, "values").nextBytes(values);
    for (int i = 3; i < values.length; i += 4) {
      values[i] &= (byte) 0xbf;
    }
    return Talk.memory(bytes).copyFrom(MemorySegment.ofArray(values));
  }
}
