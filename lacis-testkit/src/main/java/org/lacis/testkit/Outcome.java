package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;
import org.lacis.Status;

/**
 * What a status said while it was valid.
 *
 * @param buffer where the payload was; null if the status had none
 * @param payload a copy of it
 * @param parts the lengths of the parts it was sent in
 * @param immediate what came with a signal
 * @param piggyback a copy of what came with it
 */
record Outcome(
    int rank,
    int tag,
    long length,
    @Nullable Object context,
    @Nullable CommunicationException error,
    @Nullable MemorySegment buffer,
    MemorySegment payload,
    List<Long> parts,
    long immediate,
    MemorySegment piggyback) {

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
        copy,
        IntStream.range(0, status.parts()).mapToObj(status::partLength).toList(),
        status.immediate(),
        MemorySegment.ofArray(status.piggyback().toArray(ValueLayout.JAVA_BYTE)));
  }

  @Nullable ErrorKind kind() {
    return error == null ? null : error.kind();
  }
}
