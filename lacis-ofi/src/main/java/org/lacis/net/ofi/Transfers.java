package org.lacis.net.ofi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.net.LocalCopy;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;

/**
 * The puts, gets and atomics of a device that are under way. The owner of the memory carries them
 * out: it is sent the data, or asked for it, in pieces; or, if both sides' memory is native and
 * there is much of it, it is told where the data is and reads or writes it there. All of it under
 * the device's lock, but for what says otherwise.
 */
final class Transfers {

  /** The most that are under way for the user. */
  private static final int CAPACITY = 1024;

  /** The most pieces of one transfer that are under way. */
  private static final int DEPTH = 16;

  private static final int INDEX_BITS = 14;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  private final Endpoint endpoint;
  private final Outbox outbox;
  private final LargePackets large;
  private final int capacity;
  private final long directFrom;

  private @Nullable Transfer[] all = new @Nullable Transfer[64];
  private int made;
  private @Nullable Transfer spare;
  private @Nullable Transfer first;
  private @Nullable Transfer last;

  /** How many of them the user knows of. */
  private int live;

  /** How many have something left to ask for, or a notification to send. */
  private int stalled;

  // What has ended and the sink does not know yet.
  private final long[] endedCookies = new long[CAPACITY];
  private final int[] endedResults = new int[CAPACITY];
  private int ended;
  private int reported;

  /**
   * None yet.
   *
   * @param capacity the longest message that this rank receives, without the header
   * @param directFrom from how many bytes on a peer reads or writes the memory itself
   */
  Transfers(Endpoint endpoint, Outbox outbox, LargePackets large, int capacity, long directFrom) {
    this.endpoint = endpoint;
    this.outbox = outbox;
    this.large = large;
    this.capacity = capacity;
    this.directFrom = directFrom;
  }

  /** As {@link NetDevice#notifiesAlong}. */
  boolean notifiesAlong(long length) {
    return length > capacity
        && isDirect(length, endpoint.provider().writes())
        && endpoint.provider().confirms();
  }

  private boolean isDirect(long length, boolean possible) {
    return possible && length >= directFrom && length <= endpoint.provider().maxMessage();
  }

  /** Why nothing can be started with a peer, or {@link NetDevice#OK}. */
  int room(Peer peer) {
    if (peer.gone != null) {
      return NetDevice.PEER_GONE;
    }
    return live + ended < CAPACITY ? NetDevice.OK : NetDevice.NO_MEMORY;
  }

  /** One to be filled in and given to {@link #start}. */
  Transfer take(Peer peer) {
    Transfer transfer = spare;
    if (transfer == null) {
      transfer = make();
    } else {
      spare = transfer.after;
    }
    transfer.peer = peer;
    transfer.operation = 0;
    transfer.h0 = 0;
    transfer.issued = 0;
    transfer.begun = false;
    transfer.outstanding = 0;
    transfer.result = NetDevice.OK;
    transfer.registration = 0;
    transfer.notified = false;
    transfer.packet = 0;
    return transfer;
  }

  private Transfer make() {
    if (made == all.length) {
      all = Arrays.copyOf(all, Math.min(2 * made, INDEX_MASK + 1));
    }
    Transfer transfer = new Transfer(made);
    all[made++] = transfer;
    return transfer;
  }

  /** Starts one. */
  void start(Transfer transfer) {
    transfer.direct =
        transfer.operation == 0
            && transfer.local.isNative()
            && isDirect(
                transfer.length,
                transfer.put ? endpoint.provider().reads() : endpoint.provider().writes());
    transfer.before = last;
    transfer.after = null;
    if (last == null) {
      first = transfer;
    } else {
      last.after = transfer;
    }
    last = transfer;
    if (transfer.packet == 0) {
      live++;
    }
    stalled++;
    issue(transfer);
  }

  /** Asks for as much as there is room for. */
  private void issue(Transfer transfer) {
    Peer peer = Objects.requireNonNull(transfer.peer);
    while (!transfer.isIssued()
        && transfer.result == NetDevice.OK
        && transfer.outstanding < DEPTH
        && outbox.refuse(peer, peer.room()) == NetDevice.OK) {
      if (!transfer.direct || !issueDirect(transfer, peer)) {
        issuePiece(transfer, peer);
      }
      if (transfer.isIssued()) {
        stalled--;
      }
    }
  }

  private boolean issueDirect(Transfer transfer, Peer peer) {
    long address = transfer.local.address() + transfer.offset;
    long access = transfer.put ? Libfabric.REMOTE_READ : Libfabric.REMOTE_WRITE;
    long registration = endpoint.register(address, transfer.length, access);
    if (registration == 0) {
      transfer.direct = false;
      return false;
    }
    transfer.registration = registration;
    long slot = outbox.take();
    Frame.request(
        Slot.frame(slot),
        number(transfer),
        0,
        transfer.key,
        transfer.keyOffset,
        transfer.length,
        Endpoint.key(registration),
        endpoint.remoteAddress(address));
    send(transfer, peer, slot, transfer.put ? Frame.PULL : Frame.PUSH, true, 0);
    transfer.issued = transfer.length;
    return true;
  }

  private void issuePiece(Transfer transfer, Peer peer) {
    long place = transfer.issued;
    int limit = Math.min(peer.capacity, capacity) - Frame.REQUEST;
    int length = (int) Math.min(limit, transfer.length - place);
    long slot = outbox.take();
    long frame = Slot.frame(slot);
    // Atomics have an operand and an expected value where pieces have their place.
    boolean atomic = transfer.operation != 0;
    Frame.request(
        frame,
        number(transfer),
        transfer.operation,
        transfer.key,
        transfer.keyOffset + place,
        length,
        atomic ? transfer.operand : place,
        transfer.expected);
    if (transfer.put) {
      transfer.fail(
          LocalCopy.move(
              false, transfer.local, transfer.offset + place, Frame.data(frame), length));
      if (transfer.result != NetDevice.OK) {
        outbox.give(slot);
        return;
      }
    }
    boolean whole = length == transfer.length;
    transfer.issued = place + length;
    int kind = atomic ? Frame.ATOMIC : transfer.put ? Frame.PUT : Frame.GET;
    send(transfer, peer, slot, kind, whole, transfer.put ? length : 0);
  }

  private void send(Transfer transfer, Peer peer, long slot, int kind, boolean whole, int bytes) {
    transfer.begun = true;
    transfer.outstanding++;
    transfer.notified = whole;
    outbox.send(
        peer, slot, kind, whole ? transfer.h0 : 0, whole ? transfer.h1 : 0, Frame.REQUEST + bytes);
  }

  private static int number(Transfer transfer) {
    return (transfer.generation << INDEX_BITS) | transfer.index;
  }

  private @Nullable Transfer find(int number) {
    int index = number & INDEX_MASK;
    Transfer transfer = index < made ? all[index] : null;
    return transfer != null && transfer.outstanding > 0 && number(transfer) == number
        ? transfer
        : null;
  }

  /** The owner of the memory has answered. */
  void answered(Peer peer, long slot) {
    long frame = Slot.frame(slot);
    Transfer transfer = find(Frame.operation(frame));
    if (transfer == null || transfer.peer != peer) {
      return;
    }
    int result = Frame.code(frame);
    transfer.outstanding--;
    if (result == Server.NOT_DIRECT && transfer.direct) {
      inPieces(transfer);
      return;
    }
    if (result == NetDevice.OK && !transfer.put) {
      result = take(transfer, slot);
    }
    transfer.fail(result == NetDevice.OK ? NetDevice.OK : NetDevice.NO_ACCESS);
    if (transfer.isSettled()) {
      finish(transfer);
    } else {
      issue(transfer);
    }
  }

  private static int take(Transfer transfer, long slot) {
    long frame = Slot.frame(slot);
    long place = Frame.offset(frame);
    long length = Frame.length(frame);
    if (place < 0
        || length != Slot.length(slot) - (long) Frame.REQUEST
        || place > transfer.length - length) {
      return NetDevice.NO_ACCESS;
    }
    return LocalCopy.move(true, transfer.local, transfer.offset + place, Frame.data(frame), length);
  }

  /** The owner's memory cannot be reached directly. */
  private void inPieces(Transfer transfer) {
    endpoint.deregister(transfer.registration);
    transfer.registration = 0;
    transfer.direct = false;
    transfer.begun = false;
    transfer.issued = 0;
    stalled++;
    issue(transfer);
  }

  /** The owner of the memory has written all of it here. */
  void written(int number) {
    Transfer transfer = find(number);
    if (transfer != null && transfer.direct && !transfer.put) {
      transfer.outstanding--;
      finish(transfer);
    }
  }

  /** Goes on with what had no room before. */
  void proceed() {
    Transfer transfer = first;
    while (transfer != null && stalled > 0) {
      Transfer next = transfer.after;
      issue(transfer);
      if (transfer.isSettled()) {
        finish(transfer);
      }
      transfer = next;
    }
  }

  /** Whether something had no room before. */
  boolean isStalled() {
    return stalled != 0;
  }

  /** Notifies the peer, if that is left to do and can be done now, and ends it. */
  private void finish(Transfer transfer) {
    Peer peer = Objects.requireNonNull(transfer.peer);
    if (transfer.result == NetDevice.OK && transfer.h0 != 0 && !transfer.notified) {
      int answer =
          outbox.message(peer, Frame.MESSAGE, transfer.h0, transfer.h1, MemorySegment.NULL, 0, 0);
      if (answer == NetDevice.FULL) {
        if (!transfer.waitsToNotify) {
          transfer.waitsToNotify = true;
          stalled++;
        }
        return;
      }
      if (transfer.put) {
        transfer.fail(answer);
      }
    }
    end(transfer);
  }

  private void end(Transfer transfer) {
    endpoint.deregister(transfer.registration);
    if (!transfer.isIssued()) {
      stalled--;
    }
    if (transfer.waitsToNotify) {
      transfer.waitsToNotify = false;
      stalled--;
    }
    leave(transfer);
    transfer.generation++;
    transfer.outstanding = 0;
    if (transfer.packet != 0) {
      large.fetched(Objects.requireNonNull(transfer.peer), transfer);
    } else {
      endedCookies[ended] = transfer.cookie;
      endedResults[ended] = transfer.result;
      ended++;
      live--;
    }
    transfer.local = MemorySegment.NULL;
    transfer.peer = null;
    transfer.after = spare;
    spare = transfer;
  }

  private void leave(Transfer transfer) {
    Transfer before = transfer.before;
    Transfer after = transfer.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
  }

  /** Ends those with peers that are gone. */
  void abandon() {
    Transfer transfer = first;
    while (transfer != null) {
      Transfer next = transfer.after;
      if (Objects.requireNonNull(transfer.peer).gone != null) {
        // A get that has only nobody left to notify is complete.
        if (transfer.put || !transfer.waitsToNotify) {
          transfer.result = NetDevice.PEER_GONE;
        }
        end(transfer);
      }
      transfer = next;
    }
  }

  /** Tells the sink what has ended. The polling thread's, outside of the lock. */
  int report(NetSink sink) {
    int count = 0;
    while (reported < ended) {
      int next = reported++;
      count++;
      sink.completed(endedCookies[next], endedResults[next]);
    }
    reported = 0;
    ended = 0;
    return count;
  }
}
