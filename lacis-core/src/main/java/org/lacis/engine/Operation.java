package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.RemoteRegion;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.net.Memory;
import org.lacis.net.NetPieces;

/**
 * Something under way: a receive that waits, a message that waits for its receive, a transfer, or
 * something in the backlog. Pooled by its device, so that no operation allocates; its number goes
 * over the wire with a generation, so that a late or forged answer finds nobody.
 */
final class Operation extends MatchEntry {

  private static final VarHandle IN_HAND;

  /** Added to a use whose end is being told. */
  private static final long TELLING = Long.MIN_VALUE;

  private static final long LET_GO = -1;

  static {
    try {
      IN_HAND = MethodHandles.lookup().findVarHandle(Operation.class, "inHand", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What it is; an operation of state FREE is in the pool. */
  enum State {
    FREE,
    /** A posted receive, in a matcher. */
    RECEIVE,
    /** A message without a receive, in a matcher; or without a registered completion, parked. */
    ARRIVAL,
    /** A zero-copy send whose request is out: waits for FIN. */
    SEND,
    /** A receive, or active message, that pulls its data from the sender. */
    PULL,
    /** A put, get or atomic that the network works on. */
    TRANSFER,
    /** In the backlog: a send, put, get or atomic to be submitted. */
    BACKLOG,
    /** In the backlog: a receive to be put into its matcher. */
    RECEIVE_LATER,
    /** In the backlog: an answer to a sender. */
    FINISH,
    /** In the backlog: a message that was pulled; its sender has to be told before the receiver. */
    ANSWER,
    /** In the backlog: a put or get that is done, but whose signal is not on its way. */
    NOTIFY,
    /** In the backlog: a long active message that is here, but whose queue was full. */
    DELIVER,
    /** In the backlog: something that has ended, which is to be told. */
    END;

    /** Whether it was started here, by other than a receive: what a fence waits for. */
    boolean isOutgoing() {
      return this == SEND || this == TRANSFER || this == BACKLOG || this == NOTIFY || this == END;
    }

    /** Whether it is a long message that is fetched, or here and not handed over. */
    boolean isPulled() {
      return this == PULL || this == ANSWER || this == DELIVER;
    }

    /** Whether it is under way, and not just waiting for its counterpart. */
    boolean isInFlight() {
      return this != FREE && this != RECEIVE && this != ARRIVAL;
    }
  }

  final OperationTable table;
  final int id;
  final MemorySegment inline;
  final long inlineAddress;
  final StatusRecord status;

  /**
   * Plain: whoever looks at another thread's operations has synchronised with it by other means.
   */
  State state = State.FREE;

  int generation;

  /** When it was taken, by the coarse clock. */
  long since;

  /**
   * The use of it that a thread has in hand, to post it or to tell its end: whoever closes the
   * device leaves it to that thread.
   */
  @SuppressWarnings("UnusedVariable") // read by its handle
  private long inHand;

  /** The next free one, or the next in the backlog. */
  @Nullable Operation link;

  // What was posted.
  int rank;
  int tag;
  @Nullable MemorySegment buffer;

  /** The buffer of a receive, usable by any thread. */
  @Nullable MemorySegment target;

  /** Where in it. */
  long targetOffset;

  /** What was posted instead of a buffer; null if a buffer was. */
  @Nullable BufferList list;

  /** A receive that has neither: its message is lent to the user by the status. */
  boolean lends;

  long offset;
  long length;
  Completion done = Completion.NONE;
  @Nullable Object context;
  @Nullable Matcher matcher;
  @Nullable Pool pool;
  long h0;

  /** What the remote completion is told beside the tag, or the order of a message; 0 if none. */
  long immediate;

  /** A send that is not complete before the peer has the message. */
  boolean synchronous;

  boolean input;
  boolean allowDone;

  /** A packet that is sent in place; 0 if none. */
  long packet;

  /** The other side's registration and where in it. */
  long remoteKey;

  long remoteOffset;

  /** Those of each part; null if the parts lie one behind the other. */
  @Nullable List<RemoteRegion> places;

  /** What is done to a word of the other side, see AtomicWord; 0 if it is no atomic. */
  int atomic;

  long operand;
  long expected;

  /** This side's registration of a zero-copy send. */
  long localKey;

  /** Those of a list's parts, with 0 for empty ones; made at first use, and kept. */
  long @Nullable [] keys;

  /** How many of them there are now. */
  int keyCount;

  /** The sender's operation, to be answered with FIN. */
  long peerOperation;

  // A message that waits, or is being pulled.
  long payload;
  long lease;

  /** The receive that a pull fills; null for an active message. */
  @Nullable Operation receive;

  /** Where a pulled active message goes. */
  LongBuffers.@Nullable Block block;

  /** The result to be told to the sender. */
  int result;

  /** Whether the network tells it, along with the data. */
  boolean along;

  /** What the receiver is told then; null if all went well. */
  @Nullable CommunicationException error;

  // A transfer in pieces, see Pieces.
  boolean inPieces;

  /** They; made at first use, and kept. */
  @Nullable NetPieces pieces;

  /** What the network has still to report, and one more while there are pieces to be set off. */
  volatile int outstanding;

  /** Why one of them failed; 0 if none has. */
  volatile int failure;

  Operation(OperationTable table, int id, MemorySegment inline) {
    this.table = table;
    this.id = id;
    this.inline = inline;
    this.inlineAddress = inline.address();
    this.status = new StatusRecord(inline);
    this.inHand = wireId();
  }

  void key(long value, int itsHash) {
    key = value;
    hash = itsHash;
  }

  /** The name of this use of it on the wire. */
  long wireId() {
    return wireId(generation);
  }

  private long wireId(int use) {
    return ((use & 0xff_ffffL) << 32) | id;
  }

  @Override
  protected long use() {
    return wireId();
  }

  /** What this use of it is; {@link State#FREE} if it is over. */
  State stateOf(long use) {
    State now = state;
    // In this order: the state of a later use is not taken for that of this one.
    VarHandle.loadLoadFence();
    return wireId() == use ? now : State.FREE;
  }

  boolean isNamed(long wireId) {
    return stateOf(wireId) != State.FREE;
  }

  /** Ends this use of it. The next one is in the hand of whoever takes it. */
  void free() {
    clear();
    state = State.FREE;
    // Others look in the opposite order: who finds the next use in hand finds this one over.
    VarHandle.storeStoreFence();
    inHand = wireId(generation + 1);
    VarHandle.storeStoreFence();
    generation++;
  }

  /** This thread is going to tell its end. */
  void hold() {
    inHand = TELLING | wireId();
  }

  /** This thread leaves that use of it under way; false if it is in other hands by now. */
  boolean letGo(long use) {
    return IN_HAND.compareAndSet(this, use, LET_GO);
  }

  boolean isInHand(long use) {
    long now = (long) IN_HAND.getAcquire(this);
    return now != LET_GO && (now & ~TELLING) == use;
  }

  /** Keeps a message: holds its lease, or copies its payload. */
  void keep(int source, long frame, long h1, long address, int bytes, long leased) {
    rank = source;
    h0 = frame;
    tag = Frame.tag(frame);
    peerOperation = h1;
    length = bytes;
    lease = leased;
    if (leased == 0) {
      Memory.copy(address, inlineAddress, bytes);
      payload = inlineAddress;
    } else {
      payload = address;
    }
  }

  /** Forgets references, so that the pool keeps nothing alive. */
  private void clear() {
    buffer = null;
    target = null;
    list = null;
    lends = false;
    context = null;
    done = Completion.NONE;
    matcher = null;
    link = null;
    // A receive has nothing else, and a status only if its end was told.
    if (state != State.RECEIVE) {
      clearMore();
    } else if (inHand < 0) {
      status.close();
    }
  }

  private void clearMore() {
    pool = null;
    packet = 0;
    lease = 0;
    localKey = 0;
    atomic = 0;
    receive = null;
    error = null;
    block = null;
    places = null;
    immediate = 0;
    synchronous = false;
    if (inPieces) {
      inPieces = false;
      Objects.requireNonNull(pieces).clear();
    }
    status.close();
  }
}
