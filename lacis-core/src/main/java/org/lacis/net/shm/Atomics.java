package org.lacis.net.shm;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.lacis.net.AtomicWord;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/**
 * The atomics of a device: by this rank where it maps the word, otherwise by the target, with the
 * same instructions.
 */
final class Atomics {

  private final ShmPeer[] peers;
  private final boolean mapped;
  private final RingProducer[] out;
  private final Pipeline pipeline;

  Atomics(ShmPeer[] peers, boolean mapped, RingProducer[] out, Pipeline pipeline) {
    this.peers = peers;
    this.mapped = mapped;
    this.out = out;
    this.pipeline = pipeline;
  }

  /** As {@link NetDevice#atomic}. */
  int post(
      int peer,
      int operation,
      long operand,
      long expected,
      MemorySegment local,
      long offset,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    int bytes = AtomicWord.bytes(operation);
    Objects.checkFromIndexSize(offset, bytes, local.byteSize());
    RingProducer ring = out[peer];
    int ended = ring.ended();
    if (ended != NetDevice.OK) {
      return ended;
    }
    ShmPeer target = peers[peer];
    long grant =
        Grant.hold(target.table, key, keyOffset, bytes, NetContext.READ | NetContext.WRITE);
    if (grant == Grant.REFUSED) {
      return NetDevice.NO_ACCESS;
    }
    try {
      if (Grant.kind(grant) != Grant.SHARED || !mapped) {
        return pipeline.post(
            false, operation, operand, expected, peer, local, offset, bytes, key, keyOffset, h0, h1,
            cookie);
      }
      long word = target.address + Grant.place(grant);
      return (word & (bytes - 1)) == 0
          ? change(operation, operand, expected, word, local, offset, ring, h0, h1)
          : NetDevice.NO_ACCESS;
    } finally {
      Grant.release(target.table, key);
    }
  }

  private static int change(
      int operation,
      long operand,
      long expected,
      long word,
      MemorySegment local,
      long offset,
      RingProducer ring,
      long h0,
      long h1) {
    long position = h0 == 0 ? 0 : ring.claim();
    if (position < 0) {
      return (int) position;
    }
    try {
      long found = AtomicWord.apply(operation, Memory.all(), word, operand, expected);
      AtomicWord.store(operation, found, local, offset);
    } finally {
      // Also if the arena of the local memory was closed just now: the word is changed.
      if (h0 != 0) {
        ring.publishMessage(position, h0, h1);
      }
    }
    return NetDevice.OK;
  }
}
