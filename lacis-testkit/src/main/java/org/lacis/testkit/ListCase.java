package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.lacis.BufferList;
import org.lacis.Lacis;
import org.lacis.testkit.BufferKind.Buffer;

/**
 * A list of buffers of one shape. The contents of part i belong to the number i + 1, those of the
 * piggyback to 1000.
 *
 * @param lengths of the parts
 * @param piggyback its length; -1 if there is none
 */
record ListCase(List<Integer> lengths, int piggyback) {

  private static final int PIGGYBACK = 1000;

  /** Around every limit: of parts, of packets, of piggybacks. */
  static List<ListCase> all(Lacis lacis) {
    int eager = lacis.eagerLimit();
    int most = lacis.piggybackLimit(2);
    return List.of(
        new ListCase(List.of(), -1),
        new ListCase(List.of(), 9),
        new ListCase(List.of(0), -1),
        new ListCase(List.of(8), 0),
        new ListCase(List.of(0, 5, 0), 3),
        new ListCase(List.of(1, 2, 3, 100), -1),
        new ListCase(List.of(8, most - 8), -1),
        new ListCase(List.of(8, most - 7), -1),
        new ListCase(List.of(8, 8), most),
        new ListCase(List.of(8, 0), most - 8),
        new ListCase(List.of(eager + 1), 17),
        new ListCase(List.of(0, 100_003, 0, 7, eager), -1),
        new ListCase(List.of(0, 100_003, 0, 7, eager), lacis.piggybackLimit(5)),
        new ListCase(Collections.nCopies(BufferList.MAX_PARTS, 16), 100),
        new ListCase(Collections.nCopies(BufferList.MAX_PARTS, 2001), 100));
  }

  int total() {
    return lengths.stream().mapToInt(Integer::intValue).sum();
  }

  /** What it consists of, filled, or else empty and each part longer by some bytes. */
  Parts allocate(Lacis lacis, BufferKind memory, boolean filled, int longer) {
    List<Buffer> buffers = new ArrayList<>();
    MemorySegment[] parts = new MemorySegment[lengths.size()];
    for (int i = 0; i < parts.length; i++) {
      buffers.add(memory.allocate(lacis, lengths.get(i) + longer));
      parts[i] = buffers.getLast().segment();
      if (filled) {
        Pattern.fill(parts[i], i + 1);
      }
    }
    BufferList list = BufferList.of(parts);
    if (piggyback >= 0) {
      buffers.add(memory.allocate(lacis, piggyback + longer));
      MemorySegment extra = buffers.getLast().segment();
      if (filled) {
        Pattern.fill(extra, PIGGYBACK);
      }
      list = list.withPiggyback(extra);
    }
    return new Parts(list, buffers);
  }

  /** Checks parts that have come one by one. */
  void check(BufferList received) {
    for (int i = 0; i < lengths.size(); i++) {
      Pattern.check(this + ", part " + i, received.part(i), 0, lengths.get(i), i + 1);
    }
    MemorySegment extra = received.piggyback();
    if (extra != null) {
      checkPiggyback(extra);
    }
  }

  void checkPiggyback(MemorySegment extra) {
    Pattern.check(this + ", piggyback", extra, 0, Math.max(0, piggyback), PIGGYBACK);
  }

  /** Checks parts that have come in one piece. */
  void check(MemorySegment received) {
    long at = 0;
    for (int i = 0; i < lengths.size(); i++) {
      Pattern.check(this + ", part " + i, received, at, lengths.get(i), i + 1);
      at += lengths.get(i);
    }
  }

  /** Checks what the receiver was told. */
  void checkTold(Outcome told, int source, int tag) {
    assertThat(told.error()).as("%s: error", this).isNull();
    assertThat(told.rank()).as("%s: rank", this).isEqualTo(source);
    assertThat(told.tag()).as("%s: tag", this).isEqualTo(tag);
    assertThat(told.length()).as("%s: length", this).isEqualTo(total());
    assertThat(told.parts())
        .as("%s: lengths of the parts", this)
        .isEqualTo(lengths.stream().map(Integer::longValue).toList());
    assertThat(told.piggyback().byteSize())
        .as("%s: length of the piggyback", this)
        .isEqualTo(Math.max(0, piggyback));
    checkPiggyback(told.piggyback());
  }

  @Override
  public String toString() {
    return "list of " + lengths.size() + " parts, " + total() + " bytes, piggyback " + piggyback;
  }

  /**
   * Memory of a list.
   *
   * @param list the list
   * @param buffers what it consists of
   */
  record Parts(BufferList list, List<Buffer> buffers) implements AutoCloseable {
    @Override
    public void close() {
      buffers.forEach(Buffer::close);
    }
  }
}
