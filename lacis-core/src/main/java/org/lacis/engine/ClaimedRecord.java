package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.ClaimedMessage;
import org.lacis.Completion;
import org.lacis.match.Matcher;

/** A message that is in no matcher any more, and belongs to whoever claimed it. */
public final class ClaimedRecord extends ClaimedMessage {

  private @Nullable Operation message;
  private @Nullable Matching matching;

  /** One without a message. */
  public ClaimedRecord() {}

  boolean claim(Matching from, long key, int source, int tag) {
    if (message != null) {
      throw new IllegalStateException(
          "message has one already: receive it, or close it, before the next is claimed");
    }
    Operation taken = (Operation) from.matcher.takeArrival(key, CLAIM);
    message = taken;
    matching = from;
    if (taken != null) {
      taken.table.device.watch.claimed(taken, source, tag);
    }
    return taken != null;
  }

  private static final Matcher.Wanted CLAIM = _ -> true;

  private Operation given() {
    Operation m = message;
    if (m == null) {
      throw new IllegalStateException("there is no message: it was received or closed");
    }
    return m;
  }

  /** How long a message that waits is, whatever way it came. */
  static long length(Operation message) {
    if (Frame.kind(message.h0) == Frame.RTS_SEND) {
      return Pulls.length(message);
    }
    return Frame.isList(message.h0) ? ListFrame.total(message.payload) : message.length;
  }

  @Override
  public boolean isEmpty() {
    return message == null;
  }

  @Override
  public int rank() {
    return given().rank;
  }

  @Override
  public int tag() {
    return given().tag;
  }

  @Override
  public long length() {
    return length(given());
  }

  @Override
  public void receive(MemorySegment buffer, Completion done) {
    Operation m = given();
    Objects.requireNonNull(done, DevicePoster.NO_COMPLETION);
    long bytes = Objects.requireNonNull(buffer, "buffer").byteSize();
    Buffers.checkWritable(buffer, 0, bytes);
    EngineDevice device = m.table.device;
    device.requireOpen();
    message = null;
    device.receives.receiveClaimed(m, Objects.requireNonNull(matching), buffer, bytes, done);
  }

  @Override
  public void receive(BufferList buffers, Completion done) {
    Operation m = given();
    Objects.requireNonNull(done, DevicePoster.NO_COMPLETION);
    Buffers.checkList(Objects.requireNonNull(buffers, "buffers"), true);
    EngineDevice device = m.table.device;
    device.requireOpen();
    message = null;
    device.receives.receiveClaimed(m, Objects.requireNonNull(matching), buffers, done);
  }

  @Override
  public void close() {
    Operation m = message;
    message = null;
    if (m != null) {
      m.table.device.dropWaiting(m);
    }
  }
}
