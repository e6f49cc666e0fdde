package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lacis.Lacis;
import org.lacis.Post;

/**
 * One way of doing an operation.
 *
 * @param form how it is posted
 * @param number tells it apart from others; its tag and contents follow from it
 * @param size of the message, in bytes
 * @param memory of both buffers
 * @param ending the kind of completion object
 */
record OperationCase(Form form, int number, int size, BufferKind memory, Witness.Kind ending) {

  /** The two forms of every operation. */
  enum Form {
    POSITIONAL,
    FLUENT
  }

  /** Around every limit, and some more. */
  static List<Integer> sizes(Lacis lacis) {
    int inject = lacis.injectLimit();
    int eager = lacis.eagerLimit();
    return List.of(0, 1, 8, inject, inject + 1, 100, eager, eager + 1, 100_003, (1 << 20) + 1);
  }

  /** Every size in every memory with every completion object. */
  static List<OperationCase> all(Form form, Lacis lacis) {
    List<OperationCase> cases = new ArrayList<>();
    for (int size : sizes(lacis)) {
      for (BufferKind memory : BufferKind.values()) {
        for (Witness.Kind ending : Witness.Kind.values()) {
          cases.add(new OperationCase(form, cases.size() + 1, size, memory, ending));
        }
      }
    }
    return cases;
  }

  int tag() {
    return number * 1001;
  }

  boolean fluent() {
    return form == Form.FLUENT;
  }

  /** What the fluent form gives as the user's context. */
  @Nullable Object context() {
    return fluent() ? this : null;
  }

  void fill(MemorySegment segment) {
    Pattern.fill(segment, number);
  }

  void check(MemorySegment segment) {
    Pattern.check(toString(), segment, 0, size, number);
  }

  /** Checks what was heard of the operation by the rank that posted it. */
  void checkLocal(Witness witness, Post answer, int peer, int tag, MemorySegment buffer) {
    if (answer.isDone()) {
      assertThat(ending == Witness.Kind.NONE || !witness.heard())
          .as("%s: an operation that is DONE signals nothing", this)
          .isTrue();
    } else if (ending.tells()) {
      Outcome told = witness.told();
      checkTold(told, peer, tag);
      assertThat(told.context()).as("%s: context", this).isSameAs(context());
      assertThat(told.buffer()).as("%s: buffer", this).isEqualTo(buffer);
    }
  }

  /** Checks what a rank was told. */
  void checkTold(Outcome told, int peer, int tag) {
    assertThat(told.error()).as("%s: error", this).isNull();
    assertThat(told.rank()).as("%s: rank", this).isEqualTo(peer);
    assertThat(told.tag()).as("%s: tag", this).isEqualTo(tag);
    assertThat(told.length()).as("%s: length", this).isEqualTo(size);
  }
}
