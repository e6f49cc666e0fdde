package org.lacis.trace;

import org.jspecify.annotations.Nullable;

/**
 * An argument of a call.
 *
 * @param index its place among the arguments, in the order of a binary file
 * @param name as MPI calls it
 * @param kind what it is
 * @param lengthAt the argument that is the length of this one, an array; -1 if it is none, or if it
 *     has its length to itself
 * @param rootAt the argument that is the caller's rank, if only the root has this one; else -1
 * @param bareBefore the version before which this array was a single number; null if never
 */
public record Field(
    int index,
    String name,
    FieldKind kind,
    int lengthAt,
    int rootAt,
    @Nullable FormatVersion bareBefore) {

  /** Whether it is an array whose length is an argument too. */
  public boolean isArray() {
    return lengthAt >= 0;
  }
}
