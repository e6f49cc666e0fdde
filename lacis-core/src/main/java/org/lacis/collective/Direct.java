package org.lacis.collective;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;
import org.lacis.PeerMemory;
import org.lacis.Region;
import org.lacis.RemoteRegion;
import org.lacis.Rights;

/**
 * An allreduce in which each member combines one piece, straight out of the memory of all members
 * and into it. Messages only say where that is, and when it is done. A member whose memory others
 * cannot touch copies the pieces of others to a place where they can, and the results from there;
 * if there is no room for that, all members learn so, and do it by messages.
 */
final class Direct {

  /** How many messages one member sends another for that. */
  static final int STEPS = 2;

  /**
   * What is combined at once, in bytes: the results are still in the cache when they are copied.
   */
  private static final int CHUNK = Reduction.InBoth.CHUNK;

  /**
   * How far from the start of a line of the cache the elements of a long array are taken to begin,
   * in bytes: as with G1. Where they do not, copies are a little slower.
   */
  private static final int ARRAY_HEADER = 16;

  /** What a member tells: whether its memory can be touched, and what it reads and writes. */
  private static final long IN = Long.BYTES;

  private static final long OUT = IN + RemoteRegion.BYTES;
  private static final long TOLD_BYTES = OUT + RemoteRegion.BYTES;

  private final Plan plan;
  private final MemorySegment in;
  private final MemorySegment out;
  private final Reduction reduction;
  private final long from;
  private final long length;

  /**
   * What members have told, this one included, and what they had told when it was last looked at.
   */
  private final MemorySegment[] told;

  private final MemorySegment[] known;
  private final List<PeerMemory> memories = new ArrayList<>();

  /** By member: its data, in chunks. */
  private final MemorySegment[][] ins;

  /** The results of the others, in chunks. */
  private final MemorySegment[][] outs;

  /**
   * By chunk: what combines data of this member, for its target, and of another one whose results
   * take its place; null for all else.
   */
  private final @Nullable Runnable[] inBoth;

  /** Whether that is quicker than to combine and copy. */
  private final Quicker quicker = new Quicker();

  /** What this member has and gets, in chunks. */
  private final MemorySegment[] data;

  private final MemorySegment[] targets;

  /** Where results are computed: the targets, or a place for each of them in turn. */
  private final MemorySegment[] results;

  private final MemorySegment[] between;

  /** Whether this run is done without messages. */
  private boolean reached;

  private Direct(Plan plan, MemorySegment in, MemorySegment out, Reduction reduction) {
    this.plan = plan;
    this.in = in;
    this.out = out;
    this.reduction = reduction;
    Blocks pieces = Blocks.even(in.byteSize(), plan.size, reduction.elementBytes());
    this.from = pieces.offset(plan.me);
    this.length = pieces.length(plan.me);
    this.told = new MemorySegment[plan.size];
    this.known = new MemorySegment[plan.size];
    for (int member = 0; member < plan.size; member++) {
      told[member] = plan.scratch(TOLD_BYTES);
      known[member] = plan.scratch(TOLD_BYTES);
    }
    this.ins = new MemorySegment[plan.size][];
    this.outs = new MemorySegment[plan.size - 1][];
    this.data = chunks(in.asSlice(from, length));
    this.targets = chunks(out.asSlice(from, length));
    boolean onHeap = !in.isNative() || !out.isNative();
    this.ins[plan.me] = onHeap ? oneForAll() : data;
    this.results = onHeap ? ins[plan.me] : targets;
    this.between = oneForAll();
    this.inBoth = new Runnable[results.length];
  }

  static void allreduce(Plan plan, MemorySegment in, MemorySegment out, Reduction reduction) {
    if (plan.size == 1) {
      plan.copy(in, out);
    } else {
      new Direct(plan, in, out, reduction).write();
    }
  }

  private void write() {
    MemorySegment stage = offer();
    if (stage != null) {
      plan.call("copy", () -> copyOthers(in, stage), List.of(in), List.of(stage, told[plan.me]));
    }
    MemorySegment done = plan.scratch(1);
    List<MemorySegment> data = new ArrayList<>(List.of(told));
    List<MemorySegment> ends = new ArrayList<>();
    data.add(in);
    for (int far = 1; far < plan.size; far++) {
      plan.receive(plan.member(plan.me - far), told[plan.member(plan.me - far)]);
      plan.send(plan.member(plan.me + far), told[plan.me]);
    }
    plan.call(reduction.name(), this::combine, data, List.of(out, done));
    for (int far = 1; far < plan.size; far++) {
      MemorySegment end = plan.scratch(1);
      ends.add(end);
      plan.receive(plan.member(plan.me - far), end);
      plan.send(plan.member(plan.me + far), done);
    }
    if (stage != null) {
      plan.call("copy", () -> copyBack(stage), ends, List.of(out));
    }
    plan.otherwise(
        () -> !reached,
        STEPS,
        part -> Doubling.allreduceByHalves(part, in, out, reduction),
        List.of(in, done),
        List.of(out));
  }

  /**
   * Writes down what to tell the others. It is the same in every run.
   *
   * @return a place that stands for memory which others cannot touch; null if there is no need, or
   *     no room
   */
  private @Nullable MemorySegment offer() {
    Region source = plan.offer(in, Rights.READ);
    Region target = plan.offer(out, Rights.READ_WRITE);
    if (source != null && target != null) {
      tell(source.remote(), target.remote());
      return null;
    }
    // Operators see the memory of others as aligned as words.
    int shift = inLine(in, 0) & -Long.BYTES;
    Region place = plan.stage(in.byteSize());
    if (place == null) {
      return null;
    }
    RemoteRegion used = place.remote().slice(shift, in.byteSize());
    tell(used, used);
    return place.segment().asSlice(shift, in.byteSize());
  }

  /** How far from the start of a line of the cache an offset is. */
  private static int inLine(MemorySegment memory, long offset) {
    long base = memory.isNative() ? memory.address() : ARRAY_HEADER + memory.address();
    return (int) ((base + offset) % Landings.LINE);
  }

  private void tell(RemoteRegion source, RemoteRegion target) {
    MemorySegment mine = told[plan.me];
    mine.set(JAVA_LONG_UNALIGNED, 0, 1);
    source.writeTo(mine, IN);
    target.writeTo(mine, OUT);
  }

  /** Copies all but the piece of this member. */
  private void copyOthers(MemorySegment source, MemorySegment target) {
    copy(source, target, 0, from);
    copy(source, target, from + length, source.byteSize());
  }

  /** Copies whole lines of the cache, but for the ends. */
  private static void copy(MemorySegment source, MemorySegment target, long from, long to) {
    long first = Math.min(Landings.LINE - inLine(source, from), to - from);
    MemorySegment.copy(source, from, target, from, first);
    MemorySegment.copy(source, from + first, target, from + first, to - from - first);
  }

  private void copyBack(MemorySegment stage) {
    if (reached) {
      copyOthers(stage, out);
    }
  }

  private void combine() {
    reached = true;
    boolean changed = false;
    for (int member = 0; member < told.length; member++) {
      reached &= told[member].get(JAVA_LONG_UNALIGNED, 0) != 0;
      changed |= told[member].mismatch(known[member]) >= 0;
    }
    if (!reached) {
      return;
    }
    if (changed) {
      find();
    }
    int entered = 0;
    try {
      for (; entered < memories.size(); entered++) {
        if (!memories.get(entered).enter()) {
          throw new CommunicationException(
              ErrorKind.NO_ACCESS, -1, "a member has closed its collectives during an allreduce");
        }
      }
      boolean atOnce = quicker.second();
      long start = System.nanoTime();
      for (int chunk = 0; chunk < results.length; chunk++) {
        Runnable shortcut = atOnce ? inBoth[chunk] : null;
        if (shortcut != null) {
          shortcut.run();
        } else {
          move(data[chunk], ins[plan.me][chunk]);
          combine(chunk);
          move(results[chunk], targets[chunk]);
        }
      }
      quicker.took(atOnce, System.nanoTime() - start);
    } finally {
      while (entered > 0) {
        memories.get(--entered).leave();
      }
    }
  }

  /** Copies, unless both are the same memory; {@link Plan#combine} tells what is not combined. */
  private static void move(MemorySegment from, MemorySegment to) {
    if (!from.equals(to)) {
      to.copyFrom(from);
    }
  }

  private void combine(int chunk) {
    Reduction.Operator operator = reduction.operator();
    MemorySegment result = results[chunk];
    MemorySegment left = ins[0][chunk];
    for (int member = 1; member < ins.length; member++) {
      // The result may be in the place of the data: it is written last.
      MemorySegment to = member == ins.length - 1 ? result : between[chunk];
      operator.apply(left, ins[member][chunk], to);
      left = to;
    }
    for (MemorySegment[] other : outs) {
      other[chunk].copyFrom(result);
    }
  }

  /** Finds the memory of all members. */
  private void find() {
    memories.clear();
    known[plan.me].copyFrom(told[plan.me]);
    for (int far = 1; far < plan.size; far++) {
      int member = plan.member(plan.me + far);
      ins[member] = chunks(memory(member, IN));
      outs[far - 1] = chunks(memory(member, OUT));
      known[member].copyFrom(told[member]);
    }
    Arrays.setAll(inBoth, this::inBoth);
  }

  private @Nullable Runnable inBoth(int chunk) {
    Reduction.InBoth combiner = reduction.inBoth();
    if (combiner == null || plan.size != 2 || targets[chunk].byteSize() != CHUNK || !inPlace()) {
      return null;
    }
    MemorySegment target = targets[chunk];
    MemorySegment theirs = outs[0][chunk];
    Runnable atOnce = combiner.of(data[chunk], theirs, target);
    if (atOnce != null) {
      return atOnce;
    }
    Runnable there = combiner.of(target, theirs, target);
    return there == null
        ? null
        : () -> {
          move(data[chunk], target);
          there.run();
        };
  }

  /** Whether results take the place of the data of the other one of two. */
  private boolean inPlace() {
    return ins[1 - plan.me][0].address() == outs[0][0].address();
  }

  /** The piece of this member in the memory of another. */
  private MemorySegment memory(int member, long where) {
    RemoteRegion region = RemoteRegion.from(told[member], where);
    if (region.length() != in.byteSize()) {
      throw new CommunicationException(
          ErrorKind.MISMATCH,
          region.rank(),
          "rank %d has %d bytes for an allreduce, but rank %d has %d"
              .formatted(
                  region.rank(),
                  region.length(),
                  RemoteRegion.from(told[plan.me], where).rank(),
                  in.byteSize()));
    }
    PeerMemory memory = plan.map(region.slice(from, length));
    if (memory == null) {
      throw new CommunicationException(
          ErrorKind.NO_ACCESS,
          region.rank(),
          "the memory of rank %d, which it has mapped, cannot be touched here"
              .formatted(region.rank()));
    }
    memories.add(memory);
    return memory.segment();
  }

  private int chunkBytes() {
    int element = reduction.elementBytes();
    return Math.max(element, CHUNK / element * element);
  }

  /** The same memory for each chunk. */
  private MemorySegment[] oneForAll() {
    MemorySegment place = plan.scratch(chunkBytes());
    MemorySegment[] places = data.clone();
    Arrays.setAll(places, chunk -> place.asSlice(0, data[chunk].byteSize()));
    return places;
  }

  private MemorySegment[] chunks(MemorySegment piece) {
    int bytes = chunkBytes();
    MemorySegment[] chunks = new MemorySegment[Math.toIntExact(Math.ceilDiv(length, bytes))];
    for (int i = 0; i < chunks.length; i++) {
      long at = (long) i * bytes;
      chunks[i] = piece.asSlice(at, Math.min(bytes, length - at));
    }
    return chunks;
  }
}
