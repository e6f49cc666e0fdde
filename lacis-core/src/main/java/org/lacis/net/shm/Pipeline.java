package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.lacis.net.LocalCopy;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;
import org.lacis.net.NetSink;
import org.lacis.net.Padded;
import org.lacis.net.TryLock;

/**
 * Puts, gets and atomics that the target takes part in. The requester owns a few slots in its
 * shared memory; it asks the target to copy from or to one of them, several at a time, and sees in
 * the slot when that is done. That is how to reach memory only the target reaches; and it is
 * quicker than the kernel where two cores share a cache, if the target polls. If it does not, the
 * requester takes over what it can do by itself. Posting threads and the polling thread share it by
 * its lock; what has ended is reported by the polling thread, outside of the lock.
 */
final class Pipeline extends Padded {

  /** The most transfers under way. */
  static final int CAPACITY = 1024;

  /** The shortest copy that is worth a request, where the kernel could do it. */
  static final long MIN = 8 * 1024;

  /** A peer that is not heard of for one or two times as long does not poll. */
  private static final long PATIENCE_NANOS = 20_000;

  private final TryLock lock = new TryLock();
  private final RingProducer[] rings;

  /**
   * How many transfers are under way; written under the lock, read by the polling thread without.
   */
  private final AtomicInteger live = new AtomicInteger();

  // Under the lock.
  private final Slots slots;
  private final JointSlots joint;
  private final Ways ways;
  private final boolean both;
  private final TakeOver takeOver;
  private final boolean[] heardOf;
  private final Transfer list = new Transfer();
  private final Transfer spare = new Transfer();
  private final NetPieces one = new NetPieces();
  private int made;
  private int unnotified;

  /** How many transfers this rank could do by itself, and when they were looked at last. */
  private int reachable;

  private long looked;

  // The polling thread's: what has ended and who has not been told yet, in order.
  private final long[] endedCookies = new long[CAPACITY];
  private final int[] endedResults = new int[CAPACITY];
  private int ended;
  private int reported;

  /**
   * Creates it.
   *
   * @param both whether slots and the kernel are both for memory that this rank reaches; or else
   *     the kernel only
   */
  Pipeline(RingProducer[] rings, Slots slots, JointSlots joint, TakeOver takeOver, boolean both) {
    this.rings = rings;
    this.slots = slots;
    this.joint = joint;
    this.takeOver = takeOver;
    this.both = both;
    this.ways = new Ways(rings.length);
    this.heardOf = new boolean[rings.length];
  }

  /**
   * Starts a transfer: a copy, or, if the operation is not 0, an atomic, which is a get of the word
   * as it was. Answers {@link NetDevice#PENDING}, {@link NetDevice#BUSY} or {@link
   * NetDevice#NO_MEMORY}.
   */
  int post(
      boolean put,
      int operation,
      long operand,
      long expected,
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    if (!lock.tryLock()) {
      return NetDevice.BUSY;
    }
    Transfer transfer = take();
    if (transfer == null) {
      lock.unlock();
      return NetDevice.NO_MEMORY;
    }
    begin(transfer, put, peer, local, offset, length, key, keyOffset, h0, h1, cookie);
    transfer.operation = operation;
    transfer.operand = operand;
    transfer.expected = expected;
    issue(transfer);
    lock.unlock();
    return NetDevice.PENDING;
  }

  /**
   * Starts a copy that this rank could do by itself, and both do if the peer polls.
   *
   * @param plain whether one of them can do it without the kernel: then slots are a detour
   * @return false if that is not possible now
   */
  boolean share(
      boolean put,
      boolean plain,
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    if (!lock.tryLock()) {
      return false;
    }
    boolean choice = both && !plain && !slots.isAbsent(peer);
    boolean bySlots = choice && ways.choose(peer, length, System.nanoTime());
    boolean joined = !bySlots && length >= JointCopy.MIN && local.isNative() && joint.available();
    Transfer transfer = bySlots || joined ? take() : null;
    if (transfer != null) {
      begin(transfer, put, peer, local, offset, length, key, keyOffset, h0, h1, cookie);
      transfer.reachable = bySlots;
      transfer.timed = choice;
      if (choice) {
        ways.begin(peer, length);
      }
      if (bySlots) {
        reachable++;
        issue(transfer);
      } else {
        one.add(local, offset, length, key, keyOffset);
        joint.start(transfer, one, 0, 1);
        one.clear();
      }
    }
    lock.unlock();
    return transfer != null;
  }

  /** A copy that was not started here was done at once, by the kernel, and took so long. */
  void took(int peer, long length, long nanos) {
    if (lock.tryLock()) {
      ways.took(peer, length, nanos);
      lock.unlock();
    }
  }

  /**
   * Starts a copy of the next so many pieces that this rank, when it polls, and its peer do
   * together, without a notification.
   *
   * @param plain as for {@link #share}
   * @return false if that is not possible now, or slower than one piece after the other
   */
  boolean join(
      boolean put, boolean plain, int peer, NetPieces pieces, int count, long length, long cookie) {
    if (!lock.tryLock()) {
      return false;
    }
    boolean oneByOne =
        both
            && !plain
            && length / count >= MIN
            && !slots.isAbsent(peer)
            && ways.prefersSlots(peer, length);
    Transfer transfer = !oneByOne && joint.available() ? take() : null;
    if (transfer != null) {
      begin(transfer, put, peer, MemorySegment.NULL, 0, 0, 0, 0, 0, 0, cookie);
      joint.start(transfer, pieces, pieces.next(), count);
    }
    lock.unlock();
    return transfer != null;
  }

  private void begin(
      Transfer transfer,
      boolean put,
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    transfer.put = put;
    transfer.operation = 0;
    transfer.reachable = false;
    transfer.late = false;
    transfer.timed = false;
    transfer.issued = 0;
    transfer.peer = peer;
    transfer.local = local;
    transfer.offset = offset;
    transfer.length = length;
    transfer.key = key;
    transfer.keyOffset = keyOffset;
    transfer.h0 = h0;
    transfer.h1 = h1;
    transfer.cookie = cookie;
    transfer.result = NetDevice.OK;
    transfer.insertBefore(list);
    live.incrementAndGet();
  }

  private @Nullable Transfer take() {
    Transfer transfer = spare.after;
    if (transfer != spare) {
      transfer.leave();
      return transfer;
    }
    if (made == CAPACITY) {
      return null;
    }
    made++;
    return new Transfer();
  }

  /** Asks for as much of a transfer as there are slots, and room in the ring. */
  private void issue(Transfer transfer) {
    RingProducer ring = rings[transfer.peer];
    while (transfer.issued < transfer.length
        && transfer.result == NetDevice.OK
        && slots.availableFor(transfer.peer)
        && !(transfer.reachable && slots.isAbsent(transfer.peer))) {
      long position = ring.claim();
      if (position < 0) {
        if (position == NetDevice.PEER_GONE) {
          transfer.fail(NetDevice.PEER_GONE);
        }
        return;
      }
      issueOne(transfer, ring, position);
    }
  }

  private void issueOne(Transfer transfer, RingProducer ring, long position) {
    int slot = slots.free();
    long place = transfer.issued;
    int length = (int) Math.min(ShmLayout.SLOT_CAPACITY, transfer.length - place);
    if (transfer.put) {
      transfer.fail(
          LocalCopy.move(false, transfer.local, transfer.offset + place, slots.data(slot), length));
    }
    if (transfer.result != NetDevice.OK) {
      ring.publishNothing(position);
      return;
    }
    slots.occupy(slot, transfer, place, length);
    transfer.issued = place + length;
    if (transfer.operation != 0) {
      ring.publishLongRequest(
          position,
          ShmLayout.ATOMIC,
          transfer.key,
          transfer.keyOffset,
          transfer.operation,
          transfer.operand,
          transfer.expected,
          slots.offset(slot));
      return;
    }
    int kind = transfer.put ? ShmLayout.WRITE : ShmLayout.READ;
    ring.publishRequest(
        position, kind, transfer.key, transfer.keyOffset + place, length, slots.offset(slot));
  }

  /** Whether there is anything to do. */
  boolean active() {
    return live.get() != 0 || ended != 0;
  }

  /**
   * Goes on with everything and reports what has ended. The polling thread's. Answers how many
   * transfers ended, and one more if it has copied something.
   */
  int poll(NetSink sink) {
    int count = report(sink);
    int together = 0;
    if (lock.tryLock()) {
      if (!collect() && reachable > 0) {
        hurry();
      }
      proceed();
      together = joint.busy();
      lock.unlock();
    }
    if (together != 0 && joint.work(together)) {
      count++;
      if (lock.tryLock()) {
        collectJoint();
        lock.unlock();
      }
    }
    return count + report(sink);
  }

  /** Takes the answers that have come; whether there was one. */
  private boolean collect() {
    boolean any = false;
    for (int busy = slots.busy(); busy != 0; busy &= busy - 1) {
      int slot = Integer.numberOfTrailingZeros(busy);
      long answer = slots.stateAcquire(slot);
      if (Slots.isAnswer(answer)) {
        any = true;
        heardOf[slots.peer(slot)] = true;
        Transfer transfer = slots.vacate(slot);
        if (transfer != null) {
          collect(slot, answer, transfer);
        }
      }
    }
    collectJoint();
    return any;
  }

  private void collect(int slot, long answer, Transfer transfer) {
    if (answer != ShmLayout.SLOT_DONE) {
      transfer.fail(NetDevice.NO_ACCESS);
    } else if (!transfer.put) {
      long to = transfer.offset + slots.place(slot);
      transfer.fail(LocalCopy.move(true, transfer.local, to, slots.data(slot), slots.length(slot)));
    }
    if (transfer.settled()) {
      finish(transfer);
    }
  }

  /** Takes over what a peer does not do, one transfer at a time. */
  private void hurry() {
    long now = System.nanoTime();
    boolean time = now - looked > PATIENCE_NANOS;
    if (!time && !slots.someoneIsAbsent()) {
      return;
    }
    Transfer found = null;
    for (Transfer transfer = list.after; transfer != list; transfer = transfer.after) {
      if (transfer.reachable && !transfer.settled()) {
        boolean waited = time && transfer.late && !heardOf[transfer.peer];
        if (found == null && (waited || slots.isAbsent(transfer.peer))) {
          found = transfer;
        }
        transfer.late |= time;
      }
    }
    if (time) {
      looked = now;
      Arrays.fill(heardOf, false);
    }
    if (found == null || !takeOver.finish(found)) {
      return;
    }
    if (found.settled()) {
      finish(found);
    } else {
      // The peer is at a part of it, for however long: others first.
      found.leave();
      found.insertBefore(list);
    }
  }

  /** Ends what was copied together and is done. */
  private void collectJoint() {
    for (int busy = joint.busy(); busy != 0; busy &= busy - 1) {
      int slot = Integer.numberOfTrailingZeros(busy);
      if (joint.doneAcquire(slot)) {
        finish(joint.vacate(slot, joint.result(slot)));
      }
    }
  }

  /** Asks for more, oldest first, and notifies where there was no room before. */
  private void proceed() {
    Transfer transfer = list.after;
    while (transfer != list && (slots.available() || unnotified > 0)) {
      Transfer next = transfer.after;
      issue(transfer);
      if (transfer.settled()) {
        finish(transfer);
      }
      transfer = next;
    }
  }

  /**
   * Notifies the peer, and if that is not possible now leaves the transfer in the list; otherwise
   * ends it.
   */
  private void finish(Transfer transfer) {
    if (transfer.result == NetDevice.OK && transfer.h0 != 0) {
      RingProducer ring = rings[transfer.peer];
      long position = ring.claim();
      if (position >= 0) {
        ring.publishMessage(position, transfer.h0, transfer.h1);
      } else if (position == NetDevice.PEER_GONE) {
        transfer.fail(NetDevice.PEER_GONE);
      } else {
        unnotified += transfer.unnotified ? 0 : 1;
        transfer.unnotified = true;
        return;
      }
    }
    end(transfer);
  }

  private void end(Transfer transfer) {
    reachable -= transfer.reachable ? 1 : 0;
    if (transfer.timed) {
      ways.end(transfer.peer, transfer.length, System.nanoTime());
    }
    endedCookies[ended] = transfer.cookie;
    endedResults[ended] = transfer.result;
    ended++;
    unnotified -= transfer.unnotified ? 1 : 0;
    transfer.unnotified = false;
    transfer.local = MemorySegment.NULL;
    transfer.leave();
    transfer.insertBefore(spare);
    live.decrementAndGet();
  }

  /** Tells the sink what has ended. The polling thread's. */
  private int report(NetSink sink) {
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

  /**
   * Ends and reports all transfers with a peer that will never answer. The polling thread's.
   *
   * @return how many there were, or -1 if a thread is posting just now: try again
   */
  int abandon(int peer, NetSink sink) {
    if (!lock.tryLock()) {
      return -1;
    }
    collectJoint();
    joint.abandon(peer);
    for (int busy = slots.busy(); busy != 0; busy &= busy - 1) {
      int slot = Integer.numberOfTrailingZeros(busy);
      if (slots.peer(slot) == peer) {
        slots.vacate(slot);
      }
    }
    Transfer transfer = list.after;
    while (transfer != list) {
      Transfer next = transfer.after;
      if (transfer.peer == peer) {
        transfer.fail(NetDevice.PEER_GONE);
        end(transfer);
      }
      transfer = next;
    }
    lock.unlock();
    return report(sink);
  }

  /** Ends it: nothing is posted or goes on any more. Waits for a thread that is at it. */
  void close(PeerWatch watch) {
    lock.close();
    joint.close(watch);
  }

  /**
   * Whether no peer writes to its slots any more. After it was closed.
   *
   * @param watch says which peers are gone
   */
  boolean quiet(PeerWatch watch) {
    for (int busy = slots.busy(); busy != 0; busy &= busy - 1) {
      int slot = Integer.numberOfTrailingZeros(busy);
      if (!Slots.isAnswer(slots.stateAcquire(slot)) && !watch.gone(slots.peer(slot))) {
        return false;
      }
    }
    return joint.quiet(watch);
  }
}
