package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lacis.net.AtomicWord;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;

/** A link to every rank. It is not closed while another thread polls. */
final class TcpDevice implements NetDevice {

  private final TcpContext context;
  private final PollMark polling;
  private final Link[] links;
  private final @Nullable Sleepers sleepers;
  private final int injectLimit;
  private volatile boolean closed;

  // The polling thread's.
  private int next;
  private long lookedAt;

  TcpDevice(TcpContext context, PollMark polling, Link[] links) {
    this.context = context;
    this.polling = polling;
    this.links = links;
    this.sleepers =
        Sleepers.of(
            Stream.of(links)
                .filter(Connection.class::isInstance)
                .map(Connection.class::cast)
                .toList());
    this.injectLimit = context.injectLimit();
  }

  @Override
  public int inject(int peer, long h0, long h1, MemorySegment payload, long offset, int length) {
    if (length < 0 || length > injectLimit) {
      throw new IllegalArgumentException(
          "cannot inject " + length + " bytes: the limit is " + injectLimit);
    }
    return links[peer].inject(h0, h1, payload, offset, length);
  }

  @Override
  public int mark(int peer, long h0, long h1) {
    return links[peer].mark(h0, h1);
  }

  @Override
  public int sendPacket(int peer, long h0, long h1, long address, int length) {
    if (length < 0
        || length > Frames.MAX_PACKET
        || !context.owns(
            address - NetContext.PACKET_HEADER, (long) length + NetContext.PACKET_HEADER)) {
      throw new IllegalArgumentException(
          "%d bytes at %#x are not a packet: allocate it from the context, with at most %d bytes"
              .formatted(length, address, Frames.MAX_PACKET));
    }
    return links[peer].packet(h0, h1, address, length);
  }

  @Override
  public int put(
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    Objects.checkFromIndexSize(offset, length, local.byteSize());
    return links[peer].transfer(
        Frames.PUT, local, offset, length, key, keyOffset, 0, 0, 0, h0, h1, cookie);
  }

  @Override
  public int get(
      int peer,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      long h0,
      long h1,
      long cookie) {
    checkWritable(local, offset, length);
    return links[peer].transfer(
        Frames.GET, local, offset, length, key, keyOffset, 0, 0, 0, h0, h1, cookie);
  }

  @Override
  public int atomic(
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
    if (!AtomicWord.isKnown(operation)) {
      throw new IllegalArgumentException(operation + " is not an atomic operation");
    }
    int length = AtomicWord.bytes(operation);
    checkWritable(local, offset, length);
    return links[peer].transfer(
        Frames.ATOMIC,
        local,
        offset,
        length,
        key,
        keyOffset,
        operation,
        operand,
        expected,
        h0,
        h1,
        cookie);
  }

  private static void checkWritable(MemorySegment local, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, local.byteSize());
    if (local.isReadOnly()) {
      throw new IllegalArgumentException("cannot get into a read-only segment");
    }
  }

  @Override
  public int poll(NetSink sink, int limit) {
    int count = 0;
    // Another one first each time: the limit must not keep the last ones from being heard.
    int at = next + 1 < links.length ? next + 1 : 0;
    next = at;
    polling.set(true);
    for (int i = 0; i < links.length && count < limit && !closed; i++) {
      count += links[at].poll(sink, limit - count);
      at = at + 1 < links.length ? at + 1 : 0;
    }
    Sleepers watched = sleepers;
    if (watched != null && !closed) {
      // However much the others have brought: who is woken has its turn from now on.
      int woken = watched.wake();
      for (int i = 0; i < woken && count < limit && !closed; i++) {
        count += watched.woken(i).poll(sink, limit - count);
      }
    }
    // Before the last look at what waits: what is left behind it is the keeper's.
    polling.set(false);
    boolean moved = false;
    for (Link link : links) {
      moved |= link.flush();
    }
    long now = context.keeper().now();
    if (now != lookedAt) {
      look(now);
    }
    return count == 0 && moved ? 1 : count;
  }

  private void look(long now) {
    lookedAt = now;
    for (Link link : links) {
      if (link instanceof Connection connection) {
        connection.look(now);
      }
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (sleepers != null) {
      sleepers.close();
    }
    for (Link link : links) {
      link.close();
    }
    context.forget(this);
  }
}
