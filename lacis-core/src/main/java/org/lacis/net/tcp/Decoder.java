package org.lacis.net.tcp;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.lacis.net.KeyTable;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;

/**
 * Understands the frames of one peer and does what they say. Whatever a frame says is checked
 * before it is believed; one that makes no sense ends the connection. For the polling thread.
 */
final class Decoder {

  private static final int ENDS = -1;

  private final int peer;
  private final Leases leases;
  private final Requests requests;
  private final Arrivals arrivals;
  private final Answers answers = new Answers();
  private final Server server;
  private final Target target;
  private final long unreadBytes;

  /** By number: puts of the peer of which a part has failed. */
  private final BitSet failedPuts = new BitSet(Requests.CAPACITY);

  /** The frame whose data is being read. */
  private long first;

  private long h0;
  private long h1;
  private int id;
  private long block;
  private Requests.@Nullable Request request;

  private boolean inData;
  private boolean deviceClosed;
  private boolean goodbye;
  private int delivered;
  private long packetBytes;
  private @Nullable String violation;

  /** Messages the sink has taken; the outbox tells the peer. */
  private final Tally taken = new Tally();

  /** Gets that have failed, and will not be told of though room was kept for that. */
  private final Tally voided = new Tally();

  private volatile boolean closed;
  private final Credits credits;

  /** Who hears what the peer has taken. */
  @FunctionalInterface
  interface Credits {
    /**
     * The peer has taken so many messages, and released so many bytes of packets, since the
     * beginning; false if that cannot be.
     */
    boolean credit(long taken, long released);
  }

  Decoder(
      int peer,
      KeyTable keys,
      Leases leases,
      Requests requests,
      Arrivals arrivals,
      long unread,
      Credits credits) {
    this.peer = peer;
    this.leases = leases;
    this.requests = requests;
    this.arrivals = arrivals;
    this.server = new Server(keys, answers);
    this.target = new Target(keys);
    this.unreadBytes = unread;
    this.credits = credits;
  }

  Answers answers() {
    return answers;
  }

  Target target() {
    return target;
  }

  long taken() {
    return taken.get();
  }

  long released() {
    return leases.released();
  }

  long voided() {
    return voided.get();
  }

  /** What was wrong with the last frame; null if it was the farewell. */
  @Nullable String violation() {
    return violation;
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  /** Whether a frame waits for the rest of its data, or for its end. */
  boolean wantsData() {
    return inData;
  }

  /** What the last frame has brought to the sink. */
  int delivered() {
    return delivered;
  }

  /** So many waiting messages were taken. */
  void tookWaiting(int count) {
    taken.add(count);
  }

  /**
   * Understands one frame, but for data that is longer than what is there.
   *
   * @return how many bytes it was; 0 if not all of its head is there; negative if there are no more
   */
  int frame(long at, int available, NetSink sink) {
    delivered = 0;
    if (available < Long.BYTES) {
      return 0;
    }
    first = Memory.getLong(at);
    int head = Frames.head(first);
    if (head == 0) {
      return refuse("a frame that begins with " + Long.toHexString(first));
    }
    int kind = Frames.kind(first);
    int length = Frames.length(first);
    if (available < (kind == Frames.MESSAGE ? head + length : head)) {
      return 0;
    }
    return switch (kind) {
      case Frames.MESSAGE -> {
        h0 = Memory.getLong(at + 8);
        h1 = Memory.getLong(at + 16);
        yield h0 != 0 && deliver(sink, at + head, length, 0)
            ? head + length
            : refuse("a message too many");
      }
      case Frames.PACKET -> packet(at) ? withData(head, length, sink) : refuse("a packet too many");
      case Frames.PUT -> put(at) ? withData(head, length, sink) : refuse("a put of nonsense");
      case Frames.GET -> server.get(at) ? head : refuse("a get too many");
      case Frames.ATOMIC -> atomic(at, sink) ? head : refuse("an atomic too many");
      case Frames.DATA -> data(at) ? withData(head, length, sink) : refuse("data of nonsense");
      case Frames.ACK -> ack(at, sink) ? head : refuse("an answer to nothing");
      case Frames.CREDIT ->
          credits.credit(Memory.getLong(at + 8), Memory.getLong(at + 16))
              ? head
              : refuse("less taken than before");
      case Frames.BEAT -> head;
      case Frames.DEVICE_CLOSED -> {
        deviceClosed = true;
        yield ENDS;
      }
      default -> {
        goodbye = true;
        yield ENDS;
      }
    };
  }

  /** Whether the peer has closed this device, and stays. */
  boolean isDeviceClosed() {
    return deviceClosed;
  }

  /** Whether the peer has closed its context in good order. */
  boolean saidGoodbye() {
    return goodbye;
  }

  private int refuse(String what) {
    violation = what;
    return ENDS;
  }

  /** A frame whose data follows; without data it has ended already. */
  private int withData(int head, int length, NetSink sink) {
    inData = true;
    if (length == 0) {
      delivered = dataEnded(sink);
    }
    return violation == null ? head : ENDS;
  }

  private boolean packet(long at) {
    h0 = Memory.getLong(at + 8);
    h1 = Memory.getLong(at + 16);
    int length = Frames.length(first);
    long unread = packetBytes - leases.released();
    if (h0 == 0 || (unread > 0 && unread > unreadBytes - length - Leases.CHARGE)) {
      return false;
    }
    packetBytes += length + Leases.CHARGE;
    block = leases.take(length);
    target.block(block, length);
    return true;
  }

  private boolean put(long at) {
    long number = Memory.getLong(at + 8);
    long total = Memory.getLong(at + 32);
    long position = Memory.getLong(at + 40);
    int length = Frames.length(first);
    int flags = Frames.flags(first);
    if (number < 0
        || number >= Requests.CAPACITY
        || position < 0
        || total < position
        || length > total - position
        || (flags == Frames.LAST && length != total - position)
        || flags == Frames.FAILED) {
      return false;
    }
    id = (int) number;
    h0 = Memory.getLong(at + 48);
    h1 = Memory.getLong(at + 56);
    target.registered(Memory.getLong(at + 16), Memory.getLong(at + 24), total, position, length);
    return true;
  }

  private boolean atomic(long at, NetSink sink) {
    Load answer = server.atomic(at);
    h0 = Memory.getLong(at + 56);
    h1 = Memory.getLong(at + 64);
    return answer != null && tell(answer.result, sink);
  }

  /** Tells the sink of a put or atomic that has ended well. */
  private boolean tell(int result, NetSink sink) {
    if (h0 != 0 && result == NetDevice.OK) {
      return deliver(sink, 0, 0, 0);
    }
    if (h0 != 0) {
      taken.add(1);
    }
    return true;
  }

  private boolean data(long at) {
    int number = Memory.getInt(at + 8);
    int result = Memory.getInt(at + 12);
    int length = Frames.length(first);
    boolean last = Frames.flags(first) == Frames.LAST;
    Requests.Request found = requests.find(number, false);
    if (found == null || Memory.getLong(at + 16) != found.received) {
      return false;
    }
    long left = found.load.length - found.received;
    if (result == NetDevice.OK
        ? length > left || last != (length == left)
        : result != NetDevice.NO_ACCESS || !last || length != 0) {
      return false;
    }
    id = result;
    request = found;
    target.segment(found.load.segment, found.load.offset + found.received, length);
    found.received += length;
    return true;
  }

  private boolean ack(long at, NetSink sink) {
    int result = Memory.getInt(at + 12);
    Requests.Request found = requests.find(Memory.getInt(at + 8), true);
    if (found == null || (result != NetDevice.OK && result != NetDevice.NO_ACCESS)) {
      return false;
    }
    Requests.end(found, result, sink);
    delivered++;
    return true;
  }

  /** All data of a frame is there: what it was for is done. Answers what was delivered. */
  int dataEnded(NetSink sink) {
    inData = false;
    delivered = 0;
    switch (Frames.kind(first)) {
      case Frames.PACKET -> {
        if (!deliver(sink, block, Frames.length(first), block)) {
          refuse("a packet too many");
        }
      }
      case Frames.PUT -> putEnded(sink);
      default -> getEnded(sink);
    }
    return delivered;
  }

  private void putEnded(NetSink sink) {
    boolean failed = target.hasFailed() || (Frames.flags(first) & Frames.FAILED) != 0;
    if (failed) {
      failedPuts.set(id);
    }
    if ((Frames.flags(first) & Frames.LAST) == 0) {
      return;
    }
    int result = failedPuts.get(id) ? NetDevice.NO_ACCESS : NetDevice.OK;
    failedPuts.clear(id);
    Load answer = answers.next();
    if (answer == null || !tell(result, sink)) {
      refuse("a put too many");
      return;
    }
    answer.kind = Frames.ACK;
    answer.id = id;
    answer.result = result;
    answers.add();
  }

  private void getEnded(NetSink sink) {
    Requests.Request ended = request;
    if (ended == null || Frames.flags(first) != Frames.LAST) {
      return;
    }
    request = null;
    int result = target.hasFailed() ? NetDevice.NO_ACCESS : id;
    Load load = ended.load;
    if (load.kind == Frames.GET && load.h0 != 0) {
      Load answer = result == NetDevice.OK ? answers.next() : null;
      if (answer == null) {
        voided.add(1);
      } else {
        answer.kind = Frames.MESSAGE;
        answer.h0 = load.h0;
        answer.h1 = load.h1;
        answers.add();
      }
    }
    Requests.end(ended, result, sink);
    delivered++;
  }

  /** Hands a message to the sink, or keeps it if it is not taken; false if there are too many. */
  private boolean deliver(NetSink sink, long payload, int length, long lease) {
    if (arrivals.isEmpty() && sink.message(peer, h0, h1, payload, length, lease)) {
      taken.add(1);
      delivered++;
      return true;
    }
    if (arrivals.isFull()) {
      return false;
    }
    arrivals.add(h0, h1, payload, length, lease);
    return true;
  }
}
