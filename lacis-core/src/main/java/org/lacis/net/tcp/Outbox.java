package org.lacis.net.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ByteChannel;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.PacketStack;
import org.lacis.net.TryLock;

/**
 * What goes to one peer. Any thread posts, under a lock that nobody waits for.
 *
 * <p>Many small messages go with one system call, and one alone goes at once: the first message
 * after a poll that found nothing to send is written by its post; those that follow stay in the
 * staging buffer until there are many, or until the next poll, or until the {@link Keeper} comes
 * by.
 *
 * <p>A peer that does not take messages lets the way become full: it tells how many it has taken,
 * and no more than a window are under way.
 */
final class Outbox {

  /** From so many bytes on staged messages are written by the post that brings them. */
  private static final int FLUSH_BYTES = 16 << 10;

  /** The longest packet that is copied into the staging buffer. */
  private static final int COPY_LIMIT = 16 << 10;

  private final TryLock lock = new TryLock();
  private final Requests requests;
  private final Decoder decoder;
  private final Credit credit;
  private final PollMark polling;
  private final PacketStack packets;
  private final Writer writer;
  private final Keeper keeper;
  private final int window;
  private final long unreadBytes;

  /** The keeper's: {@link Writer#written} at its last round. */
  private long lastWritten;

  // Under the lock.
  private long sent;
  private long sentBytes;
  private boolean broken;

  /** Whether it has ended; by the one who ends it. */
  private boolean over;

  /** Why the lock cannot be had any more. */
  private volatile int ended = NetDevice.BUSY;

  /**
   * Whether a poll has come by since the last write and found nothing to send; then the next
   * message is written at once.
   */
  private volatile boolean calm = true;

  /** Whether something waits for the socket, or for the next poll. */
  private volatile boolean unsent;

  Outbox(
      ByteChannel channel,
      Requests requests,
      Decoder decoder,
      Credit credit,
      PollMark polling,
      TcpContext context) {
    TcpOptions options = context.options();
    this.credit = credit;
    this.polling = polling;
    this.requests = requests;
    this.decoder = decoder;
    this.packets = context.packets();
    this.keeper = context.keeper();
    this.writer = new Writer(channel, decoder, context, options);
    this.window = context.window();
    this.unreadBytes = options.unreadBytes();
  }

  /** Takes the lock: {@link NetDevice#OK}, or why not. */
  private int enter() {
    if (!lock.tryLock()) {
      return ended;
    }
    if (broken) {
      lock.unlock();
      return NetDevice.PEER_GONE;
    }
    return NetDevice.OK;
  }

  /** Whether the peer keeps room for one more message. */
  private boolean mayTell() {
    long underWay = sent - credit.taken();
    return underWay < window || underWay - decoder.voided() < window;
  }

  /** As {@link NetDevice#inject}. */
  int inject(long h0, long h1, MemorySegment payload, long offset, int length) {
    int entered = enter();
    if (entered != NetDevice.OK) {
      return entered;
    }
    try {
      long at = mayTell() ? writer.append(Frames.MESSAGE_HEAD + length) : 0;
      if (at == 0) {
        return full();
      }
      copyIn(payload, offset, at + Frames.MESSAGE_HEAD, length);
      Frames.message(at, Frames.MESSAGE, length, h0, h1);
      sent++;
      staged();
      return NetDevice.OK;
    } finally {
      lock.unlock();
    }
  }

  private void copyIn(MemorySegment payload, long offset, long to, int length) {
    try {
      Memory.copyIn(payload, offset, to, length);
    } catch (RuntimeException e) {
      // Its arena is closed, or another thread's.
      writer.takeBack(Frames.MESSAGE_HEAD + length);
      throw e;
    }
  }

  /** As {@link NetDevice#mark}. Everything is in order, but long packets may still wait. */
  int mark(long h0, long h1) {
    int entered = enter();
    if (entered != NetDevice.OK) {
      return entered;
    }
    try {
      long at = mayTell() && writer.settled() ? writer.append(Frames.MESSAGE_HEAD) : 0;
      if (at == 0) {
        return full();
      }
      Frames.message(at, Frames.MESSAGE, 0, h0, h1);
      sent++;
      staged();
      return NetDevice.OK;
    } finally {
      lock.unlock();
    }
  }

  /** As {@link NetDevice#sendPacket}. */
  int packet(long h0, long h1, long address, int length) {
    int entered = enter();
    if (entered != NetDevice.OK) {
      return entered;
    }
    try {
      int charge = length + Leases.CHARGE;
      long unread = sentBytes - credit.released();
      if (!mayTell() || (unread > unreadBytes - charge && unread > 0)) {
        return full();
      }
      if (length <= COPY_LIMIT) {
        long at = writer.append(Frames.MESSAGE_HEAD + length);
        if (at == 0) {
          return full();
        }
        Frames.message(at, Frames.PACKET, length, h0, h1);
        Memory.copy(address, at + Frames.MESSAGE_HEAD, length);
        packets.give(address);
      } else {
        writer.addPacket(h0, h1, address, length);
      }
      sent++;
      sentBytes += charge;
      staged();
      return NetDevice.OK;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Starts a transfer.
   *
   * @param kind {@link Frames#PUT}, {@link Frames#GET} or {@link Frames#ATOMIC}
   * @param operation of an atomic, and so with its operands
   */
  int transfer(
      int kind,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      int operation,
      long operand,
      long expected,
      long h0,
      long h1,
      long cookie) {
    int entered = enter();
    if (entered != NetDevice.OK) {
      return entered;
    }
    try {
      if (h0 != 0 && !mayTell()) {
        return full();
      }
      long at = kind == Frames.PUT ? 0 : writer.append(Frames.ATOMIC_HEAD);
      if (kind != Frames.PUT && at == 0) {
        return full();
      }
      Requests.Request request = requests.take();
      if (request == null) {
        writer.takeBack(at == 0 ? 0 : Frames.ATOMIC_HEAD);
        return NetDevice.NO_MEMORY;
      }
      Load load = request.load;
      load.kind = kind;
      load.segment = local;
      load.offset = offset;
      load.length = length;
      load.sent = 0;
      load.key = key;
      load.keyOffset = keyOffset;
      load.h0 = h0;
      load.h1 = h1;
      request.cookie = cookie;
      Requests.start(request);
      if (kind == Frames.PUT) {
        writer.add(load);
      } else if (kind == Frames.ATOMIC) {
        Frames.atomic(at, load, operation, operand, expected);
      } else {
        writer.takeBack(Frames.ATOMIC_HEAD - Frames.GET_HEAD);
        Frames.get(at, load);
      }
      if (h0 != 0) {
        sent++;
      }
      staged();
      return NetDevice.PENDING;
    } finally {
      lock.unlock();
    }
  }

  /** There is something new to send. */
  private void staged() {
    if (calm || writer.staged() >= FLUSH_BYTES || writer.hasLong()) {
      calm = false;
      flush();
    } else if (!unsent) {
      unsent = true;
      if (!polling.isSet()) {
        keeper.disturb();
      }
    }
  }

  private int full() {
    if (writer.staged() > 0) {
      flush();
    }
    return broken ? NetDevice.PEER_GONE : NetDevice.FULL;
  }

  private void flush() {
    try {
      boolean more = !writer.flush();
      if (unsent != more) {
        unsent = more;
        if (more) {
          keeper.disturb();
        }
      }
    } catch (IOException e) {
      // What the peer had sent before can still be read; the reader finds the end.
      broken = true;
      unsent = false;
    }
  }

  /**
   * Sends what waits, if no other thread is at it; whether data of a long frame went. The polling
   * thread's.
   */
  boolean poll() {
    if (unsent || writer.isDue()) {
      return visit();
    }
    if (!calm) {
      calm = true;
    }
    return false;
  }

  private boolean visit() {
    if (enter() != NetDevice.OK) {
      return false;
    }
    try {
      long before = writer.hasLong() ? writer.written() : Long.MAX_VALUE;
      flush();
      return writer.written() > before;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends what nobody has come by to send since the last round. The keeper's.
   *
   * @param beat whether to tell the peer that this rank is alive, if nothing else does
   * @return whether something still waits
   */
  boolean keep(boolean beat) {
    boolean still = writer.written() == lastWritten;
    lastWritten = writer.written();
    if ((beat || (still && (unsent || writer.owes()))) && enter() == NetDevice.OK) {
      try {
        if (beat) {
          writer.beat();
        }
        writer.tellAll();
        flush();
      } finally {
        lock.unlock();
      }
    }
    return unsent;
  }

  /** Whether something waits for somebody to come by. */
  boolean isUnsent() {
    return unsent;
  }

  /**
   * Ends it. Waits for a thread that is posting.
   *
   * @param why what posts are answered from now on
   * @return what is left to be sent; null if it had ended before
   */
  @Nullable Writer end(int why) {
    synchronized (requests) {
      if (over) {
        return null;
      }
      over = true;
      ended = why;
      lock.close();
      return writer;
    }
  }
}
