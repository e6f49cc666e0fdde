package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.Lacis;
import org.lacis.collective.Algorithm;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Collectives;
import org.lacis.collective.Group;
import org.lacis.collective.Reduction;

/**
 * Long data is combined by every reduction that there is, in arrays and in other memory, in place
 * or not. Members differ in where they have it.
 */
interface CollectiveReductions extends RuntimeSuite {

  /** Several chunks of each member, and some more. */
  int COUNT = 17_003;

  /** How often each is tried, with other memory. */
  int TRIES = 2;

  /** Where data is. */
  enum Place {
    /** An array of such elements, from the second on. */
    ARRAY,
    /** Another array, which begins with an element or does not. */
    OTHER_ARRAY,
    BYTES,
    /** Memory outside the heap that begins with a word or does not. */
    NATIVE,
    ODD,
    ALLOCATED;

    BufferKind.Buffer allocate(Lacis lacis, Reduction reduction) {
      int element = reduction.elementBytes();
      long bytes = (long) COUNT * element;
      return switch (this) {
        case ARRAY -> plain(array(reduction).asSlice(element, bytes));
        case OTHER_ARRAY -> plain(MemorySegment.ofArray(new char[COUNT * 4]).asSlice(0, bytes));
        case BYTES -> plain(MemorySegment.ofArray(new byte[(int) bytes + 3]).asSlice(3));
        case NATIVE -> BufferKind.NATIVE.allocate(lacis, bytes);
        case ODD -> plain(Talk.memory(bytes + 5).asSlice(5));
        case ALLOCATED -> BufferKind.ALLOCATED.allocate(lacis, bytes);
      };
    }

    private static MemorySegment array(Reduction reduction) {
      String name = reduction.name();
      return switch (name.substring(name.lastIndexOf(' ') + 1)) {
        case "int" -> MemorySegment.ofArray(new int[COUNT + 1]);
        case "long" -> MemorySegment.ofArray(new long[COUNT + 1]);
        case "float" -> MemorySegment.ofArray(new float[COUNT + 1]);
        case "double" -> MemorySegment.ofArray(new double[COUNT + 1]);
        default -> throw new AssertionError("of what is the " + name + "?");
      };
    }

    static Place any(RandomGenerator random) {
      return values()[random.nextInt(values().length)];
    }
  }

  /** Memory that need not be given back. */
  private static BufferKind.Buffer plain(MemorySegment memory) {
    return new BufferKind.Buffer(memory, () -> {});
  }

  private static List<Reduction> reductions() {
    List<Reduction> all = new ArrayList<>();
    try {
      for (Field field : Reduction.class.getFields()) {
        all.add((Reduction) field.get(null));
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
    return all;
  }

  @ParameterizedTest(name = "{0} ranks")
  @ValueSource(ints = {2, 3})
  default void longDataIsCombinedWhereverItIs(int ranks, RandomGenerator random) {
    long seed = random.nextLong();
    assertThat(reductions()).hasSizeGreaterThan(20);
    try (Job job = open(ranks)) {
      job.together("allreduces of long data", lacis -> combineAll(lacis, seed));
    }
  }

  private static boolean combineAll(Lacis lacis, long seed) {
    var options = CollectiveOptions.defaults().withAlgorithm(Algorithm.Allreduce.DIRECT);
    try (var collectives = Collectives.of(lacis, Group.all(lacis), options)) {
      RandomGenerator mine = Seeds.random(seed + lacis.rank(), "places");
      for (Reduction reduction : reductions()) {
        List<MemorySegment> data = new ArrayList<>();
        for (int member = 0; member < lacis.size(); member++) {
          data.add(values(seed + member, (long) COUNT * reduction.elementBytes()));
        }
        MemorySegment expected = Talk.memory(data.getFirst().byteSize());
        expected.copyFrom(data.getFirst());
        for (MemorySegment next : data.subList(1, data.size())) {
          reduction.operator().apply(expected, next, expected);
        }
        for (int i = 0; i < TRIES; i++) {
          Place from = Place.any(mine);
          Place to = Place.any(mine);
          boolean inPlace = mine.nextBoolean();
          try (var in = from.allocate(lacis, reduction);
              var out = inPlace ? plain(in.segment()) : to.allocate(lacis, reduction);
              var sum = collectives.newAllreduce(in.segment(), out.segment(), reduction)) {
            // So often that each way to combine is taken.
            for (int run = 0; run < 3; run++) {
              in.segment().copyFrom(data.get(lacis.rank()));
              sum.start();
              sum.await();
              assertThat(out.segment().mismatch(expected))
                  .as("%s from %s to %s, run %d", sum, from, inPlace ? from : to, run)
                  .isEqualTo(-1);
            }
            collectives.barrier();
          }
        }
      }
      return true;
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
