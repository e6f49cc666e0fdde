package org.lacis.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lacis.Graph;
import org.lacis.Graph.Node;
import org.lacis.LacisException;
import org.lacis.PeerMemory;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.Startable;

/**
 * What this member does in a collective. An algorithm is written down as if its steps were done one
 * after the other; a graph comes of it in which only those keep their order that touch the same
 * bytes, and all others go on at once.
 *
 * <p>The k-th message that one member sends another meets the k-th receive there.
 */
final class Plan {

  /** Long messages that are combined and forgotten land in so many places in turn. */
  private static final int LANDINGS = 2;

  /** Data that two swap lands there from here on, in bytes: a copy more does not pay for less. */
  private static final long SWAP_MAPPED = 128 << 10;

  final int me;
  final int size;
  private final Members members;
  private final Graph graph;
  private final IntUnaryOperator tags;
  private final int kind;
  private final @Nullable Node first;
  private final List<Access> accesses = new ArrayList<>();
  private final int[] sent;
  private final int[] received;
  private final Arena arena = Arena.ofAuto();
  private final @Nullable MemorySegment[] landings = new MemorySegment[LANDINGS];

  /** Places for two operands and a result that are on the heap. */
  private final @Nullable MemorySegment[] offHeap = new MemorySegment[3];

  private final List<Region> shared = new ArrayList<>();
  private final List<Region> offered = new ArrayList<>();
  private final List<Plan> parts = new ArrayList<>();
  private int landed;

  /** A node that reads or writes some bytes. */
  private record Access(Node node, MemorySegment bytes, boolean writes) {}

  /**
   * Makes an empty plan.
   *
   * @param graph gets the nodes; its name is that of a kind
   * @param tags gives the tag of a message by its number among those of one member to another
   * @param first comes before all others; null if there is no such node
   */
  Plan(Members members, Graph graph, IntUnaryOperator tags, @Nullable Node first) {
    this.members = members;
    this.graph = graph;
    this.tags = tags;
    this.kind = Kinds.number(graph.name());
    this.first = first;
    this.me = members.me;
    this.size = members.size;
    this.sent = new int[size];
    this.received = new int[size];
  }

  /** The member so many places after another, around the group. */
  int member(long number) {
    return (int) Math.floorMod(number, (long) size);
  }

  Node send(int member, MemorySegment buffer) {
    var transfer = new Transfer(members, true, member, buffer, tags, sent[member]++, kind);
    return place(graph.post("send to " + member, transfer), List.of(buffer), List.of());
  }

  Node receive(int member, MemorySegment buffer) {
    var transfer = new Transfer(members, false, member, buffer, tags, received[member]++, kind);
    return place(graph.post("receive from " + member, transfer), List.of(), List.of(buffer));
  }

  /**
   * Receives while this member sends as much. Then both ends are busy, none helps the other to
   * copy, and memory that both have mapped, and a copy out of it, cost less than the kernel's copy
   * from process to process.
   */
  void swapIn(int member, MemorySegment buffer) {
    long bytes = buffer.byteSize();
    boolean mapped = bytes >= SWAP_MAPPED && members.haveMapped();
    MemorySegment place = mapped ? sharedPlace(bytes) : null;
    if (place == null) {
      receive(member, buffer);
    } else {
      receive(member, place);
      copy(place, buffer);
    }
  }

  /** Copies, unless both are the same memory. */
  void copy(MemorySegment from, MemorySegment to) {
    if (from.byteSize() > 0 && !from.equals(to)) {
      call("copy", () -> to.copyFrom(from), List.of(from), List.of(to));
    }
  }

  /**
   * Combines elements: those of left come from members before those of right. Not on the heap: a
   * loop that has seen both kinds of memory becomes tens of times slower.
   */
  void combine(Reduction reduction, MemorySegment left, MemorySegment right, MemorySegment result) {
    if (result.byteSize() > 0) {
      Reduction.Operator operator = reduction.operator();
      MemorySegment first = offHeap(left, 0);
      MemorySegment second = offHeap(right, 1);
      MemorySegment combined = offHeap(result, 2);
      copy(left, first);
      copy(right, second);
      call(
          reduction.name(),
          () -> operator.apply(first, second, combined),
          List.of(first, second),
          List.of(combined));
      copy(combined, result);
    }
  }

  /** Memory that is not on the heap, or a place for it; those of one use take turns in one. */
  private MemorySegment offHeap(MemorySegment memory, int use) {
    if (memory.isNative()) {
      return memory;
    }
    MemorySegment place = offHeap[use];
    if (place == null || place.byteSize() < memory.byteSize()) {
      place = scratch(memory.byteSize());
      offHeap[use] = place;
    }
    return place.asSlice(0, memory.byteSize());
  }

  /** Calls a function, which says what it reads and writes. */
  void call(String name, Runnable function, List<MemorySegment> reads, List<MemorySegment> writes) {
    Runnable guarded =
        () -> {
          try {
            function.run();
          } catch (RuntimeException e) {
            throw members.failed(e);
          }
        };
    place(graph.call(name, guarded), reads, writes);
  }

  /** Memory for as long as the graph lives. */
  MemorySegment scratch(long bytes) {
    return arena.allocate(bytes, Long.BYTES);
  }

  /**
   * Memory for a message that is combined and forgotten. Short ones have a place each, and so are
   * received as soon as they come.
   */
  MemorySegment landing(long bytes) {
    MemorySegment place = bytes > members.lacis.eagerLimit() ? sharedPlace(bytes) : null;
    return place == null ? scratch(bytes) : place;
  }

  /** One of a few places that peers reach in the quickest way; null if there are none. */
  private @Nullable MemorySegment sharedPlace(long bytes) {
    int turn = landed++ % LANDINGS;
    MemorySegment place = landings[turn];
    if (place == null || place.byteSize() < bytes) {
      Region region = members.landings.take(bytes);
      if (region == null) {
        return null;
      }
      shared.add(region);
      place = region.segment();
      landings[turn] = place;
    }
    return place.asSlice(0, bytes);
  }

  /**
   * Lets peers touch memory of this member for as long as the plan is kept.
   *
   * @return null if they cannot
   */
  @Nullable Region offer(MemorySegment memory, Rights rights) {
    if (!memory.isNative() || memory.byteSize() == 0) {
      return null;
    }
    Region region;
    try {
      region = members.lacis.register(graph.name(), memory, rights);
    } catch (LacisException e) {
      return null; // too many are registered
    }
    if (members.lacis.map(region.remote()) == null) {
      region.close();
      return null;
    }
    offered.add(region);
    return region;
  }

  /** Takes a place that peers can touch; null if there is none. */
  @Nullable Region stage(long bytes) {
    Region region = bytes > 0 && members.haveMapped() ? members.landings.take(bytes) : null;
    if (region != null) {
      shared.add(region);
    }
    return region;
  }

  /** Memory that a peer has offered; null if it is not mapped here. */
  @Nullable PeerMemory map(RemoteRegion region) {
    return members.lacis.map(region);
  }

  /**
   * A part that is run if it is needed.
   *
   * @param needed asked when all that comes before it is done
   * @param steps how many messages one member sends another outside of it
   * @param writer writes it down
   */
  void otherwise(
      BooleanSupplier needed,
      int steps,
      Consumer<Plan> writer,
      List<MemorySegment> reads,
      List<MemorySegment> writes) {
    Graph inner = members.lacis.newGraph(graph.name());
    Plan part = new Plan(members, inner, step -> tags.applyAsInt(steps + step), null);
    writer.accept(part);
    parts.add(part);
    Startable ifNeeded = done -> needed.getAsBoolean() ? inner.start(done) : Post.DONE;
    place(graph.post("by messages", ifNeeded), reads, writes);
  }

  /**
   * Gives back what it has taken.
   *
   * @param quiet whether none of its steps is under way. What is may still write to the places
   *     where data lands: that memory is given back with the runtime
   */
  void close(boolean quiet) {
    graph.close();
    offered.forEach(Region::close);
    offered.clear();
    if (quiet) {
      members.landings.give(shared);
    }
    shared.clear();
    parts.forEach(part -> part.close(quiet));
  }

  private Node place(Node node, List<MemorySegment> reads, List<MemorySegment> writes) {
    Set<Node> before = new LinkedHashSet<>();
    reads.forEach(bytes -> follow(before, bytes, false));
    writes.forEach(bytes -> follow(before, bytes, true));
    // Only now: what a node does itself is no reason for it to wait.
    reads.forEach(bytes -> accesses.add(new Access(node, bytes, false)));
    writes.forEach(bytes -> accesses.add(new Access(node, bytes, true)));
    if (before.isEmpty() && first != null) {
      before.add(first);
    }
    return node.after(before.toArray(Node[]::new));
  }

  /**
   * Collects the nodes that an access has to come after. Those whose bytes it writes, all of them,
   * need not be looked at again: whoever would have to follow them has to follow this one.
   */
  private void follow(Set<Node> before, MemorySegment bytes, boolean writes) {
    accesses.removeIf(
        access -> {
          if (!writes && !access.writes()) {
            return false;
          }
          Optional<MemorySegment> common = access.bytes().asOverlappingSlice(bytes);
          if (common.isEmpty()) {
            return false;
          }
          before.add(access.node());
          return writes && common.get().byteSize() == access.bytes().byteSize();
        });
  }
}
