package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;
import org.lacis.Status;

/**
 * What a status said while it was valid.
 *
 * @param buffer where the payload was; null if the status had none
 * @param payload a copy of it
 */
record Outcome(
    int rank,
    int tag,
    long length,
    @Nullable Object context,
    @Nullable CommunicationException error,
    @Nullable MemorySegment buffer,
    MemorySegment payload) {

  static Outcome of(Status status) {
    MemorySegment buffer;
    MemorySegment copy = MemorySegment.NULL;
    try {
      buffer = status.buffer();
      copy = MemorySegment.ofArray(new byte[(int) status.length()]);
      status.copyTo(copy, 0);
    } catch (IllegalStateException e) {
      buffer = null;
    }
    return new Outcome(
        status.rank(),
        status.tag(),
        status.length(),
        status.context(),
        status.error(),
        buffer,
        copy);
  }

  @Nullable ErrorKind kind() {
    return error == null ? null : error.kind();
  }
}
