package org.lacis;

/**
 * A function as completion object. It runs inside the progress call that finds the completion, or
 * on a matching thread, or inside a post of what is complete at once, so it must be short and must
 * not wait (calls that would wait throw {@link IllegalStateException}); posting from it is allowed,
 * best with {@code allowRetry(false)}. It is told of failures too: ask {@link Status#failed} before
 * reading.
 */
@FunctionalInterface
public interface Handler extends Completion {}
