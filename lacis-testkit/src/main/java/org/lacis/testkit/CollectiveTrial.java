package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lacis.Lacis;
import org.lacis.collective.Blocks;
import org.lacis.collective.Collective;
import org.lacis.collective.Reduction;

/**
 * A collective with buffers at every member, and what should be in them at the end, worked out
 * directly. What is not part of the result must stay as it was.
 */
final class CollectiveTrial {

  /** Two by two matrices: their product depends on the order. */
  static final Reduction MATRIX =
      Reduction.of("matrix product", 4 * Long.BYTES, false, CollectiveTrial::multiply);

  /** Not those that only one thread may touch. */
  private static final List<BufferKind> KINDS =
      List.of(BufferKind.NATIVE, BufferKind.HEAP, BufferKind.ALLOCATED);

  /** Which collective it is, of what size. */
  record Shape(CollectiveKind kind, int elements, int root, boolean inPlace, Reduction reduction) {

    int bytes() {
      return elements * reduction.elementBytes();
    }
  }

  final Ensemble ensemble;
  final Shape shape;
  final List<MemorySegment> ins = new ArrayList<>();
  final List<MemorySegment> outs = new ArrayList<>();
  final List<Collective<?>> built = new ArrayList<>();
  private final List<byte[]> expected = new ArrayList<>();
  private final List<BufferKind.Buffer> buffers = new ArrayList<>();
  private final RandomGenerator random;

  /** Of the run looked at last: what members give, and that combined; null where nobody asked. */
  private final byte[][] inputs;

  private final byte[][] sums;
  private long known = -1;

  /** Whether all of its memory is such that peers can touch it. */
  private final boolean allocated;

  CollectiveTrial(Ensemble ensemble, Shape shape, RandomGenerator random) {
    this.ensemble = ensemble;
    this.shape = shape;
    this.random = random;
    this.allocated = random.nextInt(3) == 0;
    this.inputs = new byte[ensemble.size()][];
    this.sums = new byte[ensemble.size()][];
    for (int member = 0; member < ensemble.size(); member++) {
      shape.kind().buffers(this, member);
      built.add(shape.kind().build(this, member));
      expected.add(new byte[0]);
    }
  }

  int size() {
    return ensemble.size();
  }

  void add(MemorySegment in, MemorySegment out) {
    ins.add(in);
    outs.add(out);
  }

  /** A block for every member; if they are of different lengths there is room between them. */
  Blocks blocks() {
    long[] lengths = new long[size()];
    for (int member = 0; member < lengths.length; member++) {
      lengths[member] = length(member);
    }
    return layout(lengths);
  }

  /** The blocks that a member sends to all. */
  Blocks sent(int member) {
    long[] lengths = new long[size()];
    for (int to = 0; to < lengths.length; to++) {
      lengths[to] = length(member + 2 * to);
    }
    return layout(lengths);
  }

  /** The blocks that a member receives from all. */
  Blocks received(int member) {
    long[] lengths = new long[size()];
    for (int from = 0; from < lengths.length; from++) {
      lengths[from] = length(from + 2 * member);
    }
    return layout(lengths);
  }

  private long length(int variant) {
    int more = shape.kind().varying() ? variant % 3 : 0;
    return (long) (shape.elements() + more) * shape.reduction().elementBytes();
  }

  private Blocks layout(long[] lengths) {
    if (!shape.kind().varying()) {
      return Blocks.of(lengths);
    }
    // At offsets that are whole elements, since that is how the test combines them.
    long gap = shape.reduction().elementBytes();
    long[] offsets = new long[lengths.length];
    for (int i = 1; i < offsets.length; i++) {
      offsets[i] = offsets[i - 1] + lengths[i - 1] + gap;
    }
    return Blocks.of(lengths, offsets);
  }

  /** Memory of some kind and alignment for the next member. */
  MemorySegment memory(long bytes) {
    int offset = random.nextInt(3);
    Lacis lacis = ensemble.job.rank(ensemble.group.rank(ins.size()));
    BufferKind kind = allocated ? BufferKind.ALLOCATED : KINDS.get(random.nextInt(KINDS.size()));
    BufferKind.Buffer buffer = kind.allocate(lacis, bytes + offset);
    buffers.add(buffer);
    return buffer.segment().asSlice(offset, bytes);
  }

  /** Fills the buffers of a member with what belongs to a run. */
  void fill(int member, long run) {
    outs.get(member).copyFrom(MemorySegment.ofArray(data(-1 - member, run, outBytes(member))));
    ins.get(member).copyFrom(MemorySegment.ofArray(input(member, run)));
    // In place, what is overwritten is the input.
    expected.set(member, bytes(outs.get(member)));
  }

  private int outBytes(int member) {
    return (int) outs.get(member).byteSize();
  }

  /** What a member has to give in a run; not to be changed. */
  byte[] input(int member, long run) {
    lookAt(run);
    if (inputs[member] == null) {
      inputs[member] = data(member, run, (int) ins.get(member).byteSize());
    }
    return inputs[member];
  }

  private void lookAt(long run) {
    if (run != known) {
      known = run;
      Arrays.fill(inputs, null);
      Arrays.fill(sums, null);
    }
  }

  private static byte[] data(int member, long run, int bytes) {
    byte[] data = new byte[bytes];
    Seeds.random(member * 1_000_003L + run, "data").nextBytes(data);
    return data;
  }

  /** Checks the result of a member in a run. */
  void check(int member, long run) {
    byte[] result = expected.get(member).clone();
    shape.kind().expect(this, member, run, result);
    assertThat(bytes(outs.get(member)))
        .as("%s by %s at member %d of %d, run %d", shape, built.get(member), member, size(), run)
        .isEqualTo(result);
  }

  /** Runs it at all members so often. */
  void run(int times) {
    for (int run = 0; run < times; run++) {
      for (int member = 0; member < size(); member++) {
        fill(member, run);
      }
      ensemble.run(built);
      for (int member = 0; member < size(); member++) {
        check(member, run);
      }
    }
  }

  void close() {
    built.forEach(Collective::close);
    buffers.forEach(BufferKind.Buffer::close);
  }

  /** The data of members combined in their order, from the first to before another. */
  byte[] combined(int end, long run) {
    lookAt(run);
    int last = end - 1;
    if (sums[last] == null) {
      byte[] mine = input(last, run);
      sums[last] = last == 0 ? mine : combine(combined(last, run), mine);
    }
    return sums[last];
  }

  private byte[] combine(byte[] left, byte[] right) {
    byte[] result = left.clone();
    MemorySegment into = MemorySegment.ofArray(result);
    shape.reduction().operator().apply(into, MemorySegment.ofArray(right), into);
    return result;
  }

  static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private static void multiply(MemorySegment left, MemorySegment right, MemorySegment result) {
    var layout = ValueLayout.JAVA_LONG_UNALIGNED;
    long[] a = new long[4];
    long[] b = new long[4];
    for (long at = 0; at < result.byteSize(); at += 4 * Long.BYTES) {
      for (int i = 0; i < 4; i++) {
        a[i] = left.get(layout, at + 8L * i);
        b[i] = right.get(layout, at + 8L * i);
      }
      for (int i = 0; i < 4; i++) {
        int row = i & 2;
        int column = i & 1;
        result.set(layout, at + 8L * i, a[row] * b[column] + a[row + 1] * b[2 + column]);
      }
    }
  }
}
