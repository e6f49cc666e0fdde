package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.CommunicationException;
import org.lacis.Status;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.net.Memory;

/**
 * The status. Its payload is in one of three places: in the segment the user posted; at an address
 * that is leased from the network or from {@link LongBuffers}; or at an address that is valid
 * during a call only, which {@link #moveTo} copies inline.
 */
public final class StatusRecord extends Status implements Matcher.Wanted {

  /** The most that travels inside a frame and so may have to be kept inline. */
  static final int INLINE_BYTES = 128;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Whether there is anything to forget. */
  private boolean filled;

  /** Whether there is more to forget than what a plain message brings. */
  private boolean rich;

  private int rank;
  private int tag;
  private long length;
  private @Nullable Object context;
  private @Nullable CommunicationException error;

  /** The user's buffer, where the payload starts at {@link #offset}; else null. */
  private @Nullable MemorySegment segment;

  private long offset;

  /** Where the payload is if it is not in {@link #segment}; 0 if there is none. */
  private long address;

  /** The list that was posted here; else null. */
  private @Nullable BufferList list;

  /** Whether {@link #list} is what the message was, and not where one buffer has gone. */
  private boolean sent;

  /** The {@link ListFrame} of a list that has come, within what is leased; 0 if none. */
  private long table;

  private long immediate;

  /** What must be released; 0 if nothing. */
  private long lease;

  private @Nullable Engine owner;

  /** A place of its own for payloads; made at first use, and kept. */
  private @Nullable MemorySegment inline;

  /** Its address; 0 as long as there is none. */
  private long inlineAddress;

  /** Whether a probe has found something. */
  private boolean probed;

  StatusRecord() {}

  /** With a place of its own for inline payloads, such as a slice of a slab. */
  StatusRecord(MemorySegment inline) {
    this.inline = inline;
    this.inlineAddress = inline.address();
  }

  /** Makes a status that users hold. */
  public static StatusRecord standalone() {
    return new StatusRecord();
  }

  /** Makes a status with values of the user's. */
  public static StatusRecord of(int rank, int tag, MemorySegment buffer, @Nullable Object context) {
    StatusRecord status = new StatusRecord();
    status.filled = true;
    status.rich = true;
    status.rank = rank;
    status.tag = tag;
    status.length = buffer.byteSize();
    status.segment = buffer;
    status.context = context;
    return status;
  }

  /** Makes a status that tells of a failure only. */
  public static StatusRecord failure(CommunicationException error) {
    StatusRecord status = new StatusRecord();
    status.filled = true;
    status.rich = true;
    status.rank = error.rank();
    status.error = error;
    return status;
  }

  // ---- filled by the engine

  /**
   * An operation of this rank, with the buffer that was posted; what an atomic without one has
   * fetched is inline.
   */
  void local(Operation op, int rank, int tag, long length) {
    this.filled = true;
    this.rich = true;
    this.rank = rank;
    this.tag = tag;
    this.length = length;
    this.context = op.context;
    this.error = null;
    this.segment = op.buffer;
    this.offset = op.offset;
    this.list = op.list;
    this.sent = op.matcher == null;
    this.address = op.atomic != 0 && op.buffer == null ? op.inlineAddress : 0;
  }

  /** An arrival whose payload is at an address; with a lease if it is not 0. It is empty before. */
  void arrival(int rank, int tag, long length, long address, long lease, Engine owner) {
    this.filled = true;
    this.rank = rank;
    this.tag = tag;
    this.length = length;
    this.address = address;
    this.lease = lease;
    if (this.owner != owner) {
      this.owner = owner;
    }
  }

  /** Tells of the message that a receive of this key would be given; false if there is none. */
  boolean probe(Matcher matcher, long key) {
    close();
    probed = false;
    matcher.takeArrival(key, this);
    return probed;
  }

  /** Tells of a message that waits, while nobody can take it, and leaves it where it is. */
  @Override
  public boolean test(MatchEntry message) {
    Operation waiting = (Operation) message;
    filled = true;
    rank = waiting.rank;
    tag = waiting.tag;
    length = ClaimedRecord.length(waiting);
    probed = true;
    return false;
  }

  /**
   * A message that came as a list, after {@link #local} or {@link #arrival}.
   *
   * @param table its frame, which the lease keeps
   */
  void list(long table, long lease, Engine owner) {
    this.rich = true;
    this.table = table;
    this.lease = lease;
    this.owner = owner;
  }

  /** A message that is lent to whoever posted the receive, after {@link #local}. */
  void lend(long address, long lease, Engine owner) {
    this.address = address;
    this.lease = lease;
    this.owner = owner;
  }

  /** Tells of nothing, as a new one does. */
  void empty() {
    close();
    rank = 0;
    tag = 0;
  }

  void immediate(long value) {
    immediate = value;
  }

  void fail(CommunicationException error) {
    this.rich = true;
    this.error = error;
  }

  /** Forgets everything without releasing the lease: the message was not delivered after all. */
  void undo() {
    lease = 0;
    forget();
  }

  // ---- read by users

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int tag() {
    return tag;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public @Nullable Object context() {
    return context;
  }

  @Override
  public @Nullable CommunicationException error() {
    return error;
  }

  @Override
  public MemorySegment buffer() {
    MemorySegment s = segment;
    if (s != null) {
      return offset == 0 ? s : s.asSlice(offset);
    }
    requireMemory();
    MemorySegment own = inline;
    if (own != null && address == inlineAddress) {
      return own;
    }
    checkLease();
    return Objects.requireNonNull(owner).view(address, length);
  }

  @Override
  public long longAt(long at) {
    requirePayload();
    Objects.checkFromIndexSize(at, 8L, length);
    MemorySegment s = segment;
    if (s != null) {
      return s.get(LONG, offset + at);
    }
    checkLease();
    return Memory.getLong(address + at);
  }

  @Override
  public int intAt(long at) {
    requirePayload();
    Objects.checkFromIndexSize(at, 4L, length);
    MemorySegment s = segment;
    if (s != null) {
      return s.get(INT, offset + at);
    }
    checkLease();
    return Memory.getInt(address + at);
  }

  @Override
  public byte byteAt(long at) {
    requirePayload();
    Objects.checkIndex(at, length);
    MemorySegment s = segment;
    if (s != null) {
      return s.get(ValueLayout.JAVA_BYTE, offset + at);
    }
    checkLease();
    return Memory.getByte(address + at);
  }

  @Override
  public void copyTo(MemorySegment target, long targetOffset) {
    requirePayload();
    MemorySegment s = segment;
    if (s != null) {
      MemorySegment.copy(s, offset, target, targetOffset, length);
    } else {
      Objects.checkFromIndexSize(targetOffset, length, target.byteSize());
      Memory.copyOut(payloadAddress(), target, targetOffset, length);
    }
  }

  private void requirePayload() {
    CommunicationException e = error;
    if (e != null) {
      throw hasFailed(e);
    }
    requireMemory();
  }

  private void requireMemory() {
    if (segment == null && address == 0) {
      throw new IllegalStateException(
          list != null
              ? "the payload is in the list of buffers that was posted: read it there"
              : "this status has no payload: it is empty, or was used again, closed or moved");
    }
  }

  @Override
  public int parts() {
    BufferList l = list;
    if (table != 0) {
      checkLease();
      return ListFrame.count(table);
    }
    return l != null && sent ? l.count() : 1;
  }

  @Override
  public long partLength(int index) {
    BufferList l = list;
    Objects.checkIndex(index, parts());
    if (table != 0) {
      return ListFrame.length(table, index);
    }
    return l != null && sent ? l.part(index).byteSize() : length;
  }

  @Override
  public long immediate() {
    return immediate;
  }

  @Override
  public MemorySegment piggyback() {
    BufferList l = list;
    if (table != 0) {
      checkLease();
      int bytes = ListFrame.piggyback(table);
      return bytes == 0
          ? MemorySegment.NULL
          : Objects.requireNonNull(owner).view(ListFrame.piggybackAddress(table), bytes);
    }
    MemorySegment own = l != null && sent ? l.piggyback() : null;
    return own == null ? MemorySegment.NULL : own;
  }

  private long payloadAddress() {
    checkLease();
    return address;
  }

  /** What is leased is gone with its runtime: reading it would read memory of somebody else. */
  private void checkLease() {
    if (lease != 0 && Objects.requireNonNull(owner).isEnded()) {
      throw new IllegalStateException("the payload is gone: its runtime was closed");
    }
  }

  @Override
  public void moveTo(Status target) {
    StatusRecord t = (StatusRecord) target;
    if (t == this) {
      return;
    }
    if (!filled) {
      t.empty(); // and this one is not touched: several threads may have it
      return;
    }
    t.close();
    t.filled = true;
    t.rank = rank;
    t.tag = tag;
    t.length = length;
    if (rich) {
      t.rich = true;
      t.context = context;
      t.error = error;
      t.segment = segment;
      t.offset = offset;
      t.list = list;
      t.sent = sent;
      t.table = table;
    }
    t.immediate = immediate;
    if (t.owner != owner) {
      t.owner = owner;
    }
    if (lease == 0 && address != 0) {
      long to = t.inlineAddress != 0 ? t.inlineAddress : t.makeInline();
      Memory.copy(address, to, length);
      t.address = to;
    } else {
      t.address = address;
      t.lease = lease;
      lease = 0;
    }
    forget();
  }

  /**
   * Moves everything to the record of a completion object. A failure stays here as well: whoever
   * signals a second object with it, which has no payload to be moved, must not report success.
   */
  void tellTo(StatusRecord target) {
    CommunicationException failure = error;
    Object user = context;
    moveTo(target);
    if (failure != null) {
      filled = true;
      rich = true;
      error = failure;
      context = user;
    }
  }

  @Override
  public void close() {
    if (!filled) {
      return;
    }
    long l = lease;
    if (l != 0) {
      lease = 0;
      Objects.requireNonNull(owner).release(l);
    }
    forget();
  }

  private void forget() {
    filled = false;
    address = 0;
    immediate = 0;
    length = 0;
    if (rich) {
      forgetMore();
    }
  }

  private void forgetMore() {
    rich = false;
    segment = null;
    list = null;
    table = 0;
    context = null;
    error = null;
  }

  private long makeInline() {
    MemorySegment made = Arena.ofAuto().allocate(INLINE_BYTES, 8);
    inline = made;
    inlineAddress = made.address();
    return inlineAddress;
  }

  @Override
  public String toString() {
    CommunicationException e = error;
    return "Status[rank "
        + rank
        + ", tag "
        + tag
        + ", "
        + length
        + " bytes"
        + (e == null ? "" : ", failed: " + e.getMessage())
        + "]";
  }
}
