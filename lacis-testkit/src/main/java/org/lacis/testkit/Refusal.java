package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls that must be refused. */
final class Refusal {

  private final Job job;

  Refusal(Job job) {
    this.job = job;
  }

  /**
   * Checks that a call throws, that the message has what one needs to know, and that ranks 0 and 1
   * still understand each other.
   *
   * @param words what the message names: the argument, its value, what is allowed
   */
  void of(Class<? extends RuntimeException> type, ThrowingCallable call, Object... words) {
    var thrown = assertThatThrownBy(call).isInstanceOf(type);
    for (Object word : words) {
      thrown.hasMessageContaining(String.valueOf(word));
    }
    Talk.check(job, 0, 1);
  }

  /** A wrong argument. */
  void ofArgument(ThrowingCallable call, Object... words) {
    of(IllegalArgumentException.class, call, words);
  }

  /** A place outside of what there is. */
  void ofRange(ThrowingCallable call, Object... words) {
    of(IndexOutOfBoundsException.class, call, words);
  }

  /** An argument that is missing. */
  void ofNull(String name, ThrowingCallable call) {
    of(NullPointerException.class, call, name);
  }

  /** A call that comes too late, or twice. */
  void ofState(ThrowingCallable call, Object... words) {
    of(IllegalStateException.class, call, words);
  }

  /** A null where none is allowed. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  static <T> T nothing() {
    return null;
  }
}
