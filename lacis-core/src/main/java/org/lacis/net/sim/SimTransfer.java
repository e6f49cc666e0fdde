package org.lacis.net.sim;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.AtomicWord;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/** A put, a get or an atomic, from its post to its end. */
final class SimTransfer {

  /** What an operand and what is expected take on the wire. */
  private static final long CHANGE_BYTES = 2 * Long.BYTES;

  final int peer;
  final long cookie;

  /** The peer's memory was read or written, or found out of reach: the answer is on its way. */
  boolean executed;

  private final SimPort port;
  private final SimPort target;
  private final boolean write;

  /** What is to be done to a word; null for a copy. */
  private final @Nullable Change change;

  private final SimRegion local;
  private final long key;
  private final long keyOffset;
  private final long h0;
  private final long h1;

  /** What is to be done to a word, see {@link AtomicWord}. */
  record Change(int operation, long operand, long expected) {}

  SimTransfer(
      SimPort port,
      int peer,
      boolean write,
      @Nullable Change change,
      MemorySegment segment,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    this.port = port;
    this.peer = peer;
    this.target = port.fabric.port(peer, port.index);
    this.write = write;
    this.change = change;
    this.local = new SimRegion(segment, offset, length, 0, !write);
    this.key = key;
    this.keyOffset = keyOffset;
    this.h0 = h0;
    this.h1 = h1;
    this.cookie = cookie;
  }

  /** How many messages it brings to the peer: none or one. */
  int cells() {
    return h0 == 0 ? 0 : 1;
  }

  /** Sets it off. It takes its cell of the link with it. */
  void start(long time) {
    target.link(port.rank).cells += cells();
    port.begin(this);
    long bytes = change != null ? CHANGE_BYTES : write ? local.length() : 0;
    port.fabric.wire.fly(port, target, time, bytes, this::arrive);
  }

  /** Does all of it at once; only the notification still travels. */
  int immediately(long time) {
    if (port.fabric.deaths.isGone(peer)) {
      return NetDevice.PEER_GONE;
    }
    int result = access(local);
    if (result == NetDevice.OK && h0 != 0) {
      target.link(port.rank).cells++;
      port.fabric.wire.fly(port, target, time, 0, this::notifyTarget);
    }
    return result;
  }

  private void arrive() {
    // Nothing happens at or for a rank that is gone; the news of it ends the transfer.
    if (port.fabric.deaths.isGone(peer) || port.fabric.deaths.isGone(port.rank)) {
      target.link(port.rank).cells -= cells();
      return;
    }
    executed = true;
    SimRegion far = write ? local : SimRegion.ofBytes(new byte[(int) local.length()]);
    int result = access(far);
    if (result != NetDevice.OK) {
      target.link(port.rank).cells -= cells();
    } else if (h0 != 0) {
      notifyTarget();
    }
    if (write || result != NetDevice.OK) {
      port.fabric.wire.answer(peer, port.rank, () -> port.end(this, result));
    } else {
      port.fabric.wire.fly(
          target, port, port.fabric.clock.now(), local.length(), () -> finishGet(far));
    }
  }

  private void finishGet(SimRegion far) {
    boolean alive = far.copyTo(0, local, 0, local.length());
    port.end(this, alive ? NetDevice.OK : NetDevice.NO_ACCESS);
  }

  private void notifyTarget() {
    target.add(new SimMail.Message(target.link(port.rank), h0, h1, SimMail.NONE, null));
  }

  /** Moves the data between the peer's memory and {@code near}, if the key allows it. */
  private int access(SimRegion near) {
    long length = near.length();
    SimContext context = port.fabric.context(peer);
    @Nullable SimRegion remote = context == null ? null : context.region(key);
    int right =
        change != null
            ? NetContext.READ | NetContext.WRITE
            : write ? NetContext.WRITE : NetContext.READ;
    if (remote == null || !remote.allows(right, keyOffset, length)) {
      return NetDevice.NO_ACCESS;
    }
    boolean alive =
        change != null
            ? remote.change(change, keyOffset, near)
            : write
                ? near.copyTo(0, remote, keyOffset, length)
                : remote.copyTo(keyOffset, near, 0, length);
    return alive ? NetDevice.OK : NetDevice.NO_ACCESS;
  }
}
