package org.lacis.net.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ByteChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.lacis.net.AtomicWord;
import org.lacis.net.KeyTable;
import org.lacis.net.LocalCopy;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.PacketStack;

/**
 * Brings frames to a socket: short ones out of the staging buffer, and in between, at one place at
 * a time, the data of a long one straight from where it is. What is long is sent in parts, in turn,
 * so that nothing waits for the end of something else. For one thread at a time.
 */
final class Writer {

  /**
   * Up to here data is copied into the staging buffer. So is the beginning of what is longer: a
   * head that goes alone is a segment of its own, which costs as much as a long one.
   */
  private static final int SHORT = 16 << 10;

  /** What one call writes at most, about. */
  private static final long BUDGET = 4 << 20;

  private final ByteChannel channel;
  private final KeyTable keys;
  private final PacketStack packets;
  private final Decoder decoder;
  private final Answers answers;
  private final Staging staging;
  private final Splice splice;
  private final int heapPart;
  private final int creditStep;
  private final long releaseStep;

  /** What is sent in parts, in turn. */
  private final ArrayDeque<Load> loads = new ArrayDeque<>();

  private int packetLoads;

  // What the peer was told.
  private volatile long toldTaken;
  private volatile long toldReleased;

  /** Bytes since the beginning; {@link Keeper} looks at it without the lock. */
  private final Tally written = new Tally();

  private long writtenAtBeat;

  private boolean closing;
  private int farewell;
  private boolean saidGoodbye;

  Writer(ByteChannel channel, Decoder decoder, TcpContext context, TcpOptions options) {
    this.channel = channel;
    this.decoder = decoder;
    this.answers = decoder.answers();
    this.keys = context.keys();
    this.packets = context.packets();
    this.splice = new Splice(channel, keys);
    this.staging = new Staging(options.bufferBytes());
    this.heapPart = options.bufferBytes() / 4;
    this.creditStep = Math.max(1, context.window() / 4);
    this.releaseStep = options.unreadBytes() / 4;
  }

  /** Room for a short frame, or 0. */
  long append(int bytes) {
    return staging.append(bytes);
  }

  /** Takes back the end of what was appended last. */
  void takeBack(int bytes) {
    staging.takeBack(bytes);
  }

  int staged() {
    return staging.size();
  }

  /** Whether something is there that does not go through the staging buffer. */
  boolean hasLong() {
    return splice.isSet() || !loads.isEmpty();
  }

  /** Whether whatever was accepted so far is ahead of what is appended next. */
  boolean settled() {
    return stageAnswers() && packetLoads == 0;
  }

  /** Sends a packet out of its place. */
  void addPacket(long h0, long h1, long address, int length) {
    Load load = answers.spare();
    load.kind = Frames.PACKET;
    load.sent = 0;
    load.offset = address;
    load.length = length;
    load.h0 = h0;
    load.h1 = h1;
    packetLoads++;
    loads.addLast(load);
  }

  /** Sends the data of a put. */
  void add(Load load) {
    loads.addLast(load);
    if (!splice.isSet() && loads.size() == 1 && load.length <= SHORT) {
      stageLoad();
    }
  }

  /** Whether the peer should hear something though nothing was posted; any thread. */
  boolean isDue() {
    return !answers.isEmpty()
        || decoder.taken() - toldTaken >= creditStep
        || decoder.released() - toldReleased >= releaseStep;
  }

  /** Sends that this rank is alive, if nothing was sent since the last time. */
  void beat() {
    if (written.get() == writtenAtBeat && staging.size() == 0) {
      appendFirst(Frames.BEAT);
    }
    writtenAtBeat = written.get();
  }

  /** Tells the peer of all that was taken and released, be it ever so little. */
  void tellAll() {
    stageCredit(1, 1);
  }

  long written() {
    return written.get();
  }

  /** Whether the peer does not know of all that was taken and released; any thread. */
  boolean owes() {
    return decoder.taken() != toldTaken || decoder.released() != toldReleased;
  }

  private boolean appendFirst(int kind) {
    long at = staging.append(Long.BYTES);
    if (at != 0) {
      Memory.putLong(at, Frames.first(kind, 0, 0));
    }
    return at != 0;
  }

  private void stageCredit(long step, long bytes) {
    long taken = decoder.taken();
    long released = decoder.released();
    if (taken - toldTaken >= step || released - toldReleased >= bytes) {
      long at = staging.append(Frames.CREDIT_HEAD);
      if (at != 0) {
        Frames.credit(at, taken, released);
        toldTaken = taken;
        toldReleased = released;
      }
    }
  }

  /**
   * Writes as much as the socket takes.
   *
   * @return whether nothing is left
   */
  boolean flush() throws IOException {
    stageCredit(creditStep, releaseStep);
    stageAnswers();
    long most = written.get() + BUDGET;
    while (true) {
      long before = staging.size();
      boolean emptied = staging.writeTo(channel, splice.isSet() ? splice.at() : staging.end());
      written.add(before - staging.size());
      if (!emptied || (splice.isSet() && !writeSplice())) {
        return false;
      }
      if (!splice.isSet() && staging.size() == 0) {
        stageAnswers();
        if (written.get() > most || !stageLoad()) {
          return staging.size() == 0 && loads.isEmpty() && (closing || answers.isEmpty());
        }
      }
    }
  }

  /** Stages what the polling thread wants to have sent; false if there was no room for all. */
  private boolean stageAnswers() {
    for (Load load = answers.peek(); load != null; load = answers.peek()) {
      if (load.kind == Frames.DATA && closing) {
        answers.remove();
        continue;
      }
      if (load.kind == Frames.DATA && !load.inline && load.result == NetDevice.OK) {
        answers.removeAndKeep();
        loads.addLast(load);
        continue;
      }
      long at = staging.append(Frames.DATA_HEAD + Long.BYTES);
      if (at == 0) {
        return false;
      }
      staging.takeBack(Frames.DATA_HEAD + Long.BYTES - stageAnswer(load, at));
      answers.remove();
    }
    return true;
  }

  private static int stageAnswer(Load load, long at) {
    if (load.kind == Frames.ACK) {
      Frames.ack(at, load.id, load.result);
      return Frames.ACK_HEAD;
    }
    if (load.kind == Frames.MESSAGE) {
      Frames.message(at, Frames.MESSAGE, 0, load.h0, load.h1);
      return Frames.MESSAGE_HEAD;
    }
    int length = load.result == NetDevice.OK ? (int) load.length : 0;
    Frames.data(at, Frames.LAST, length, load.id, load.result, 0);
    if (length > 0) {
      AtomicWord.store(
          length == Long.BYTES ? 0 : AtomicWord.INT,
          load.word,
          Memory.all(),
          at + Frames.DATA_HEAD);
    }
    return Frames.DATA_HEAD + length;
  }

  /** Stages the next part of what is long; false if there is none, or no room for its head. */
  private boolean stageLoad() {
    Load load = loads.peekFirst();
    if (load == null || splice.isSet() || staging.room() < SHORT + Frames.MAX_HEAD) {
      return false;
    }
    loads.removeFirst();
    long left = load.length - load.sent;
    if (load.kind == Frames.PACKET) {
      long at = staging.append(Frames.MESSAGE_HEAD);
      Frames.message(at, Frames.PACKET, (int) left, load.h0, load.h1);
      splice.set(load, staging.end(), (int) left);
    } else if (load.kind == Frames.PUT) {
      MemorySegment memory = load.segment;
      boolean alive = memory.scope().isAlive();
      int part = alive ? part(memory, left) : 0;
      long at = staging.append(Frames.PUT_HEAD);
      int last = part == left ? Frames.LAST : 0;
      Frames.put(at, alive ? last : Frames.LAST | Frames.FAILED, part, load);
      stageData(load, memory, load.offset + load.sent, part);
    } else {
      stageAnswerPart(load, left);
    }
    return true;
  }

  private void stageAnswerPart(Load load, long left) {
    KeyTable.@Nullable Entry entry =
        keys.hold(load.key, load.keyOffset, load.length, NetContext.READ);
    long at = staging.append(Frames.DATA_HEAD);
    if (entry == null) {
      Frames.data(at, Frames.LAST, 0, load.id, NetDevice.NO_ACCESS, load.sent);
      answers.giveBack(load);
      return;
    }
    try {
      MemorySegment memory = entry.segment();
      int part = part(memory, left);
      int last = part == left ? Frames.LAST : 0;
      Frames.data(at, last, part, load.id, NetDevice.OK, load.sent);
      stageData(load, memory, entry.at(load.keyOffset + load.sent), part);
    } finally {
      entry.release();
    }
  }

  private int part(MemorySegment memory, long left) {
    return (int)
        Math.min(
            left,
            memory.isNative()
                ? Frames.MAX_PART
                : Math.min(heapPart, staging.room() - Frames.MAX_HEAD));
  }

  /** Copies data into the staging buffer, and has the rest written from where it is. */
  private void stageData(Load load, MemorySegment memory, long offset, int part) {
    int copied = memory.isNative() ? Math.min(part, SHORT) : part;
    if (copied > 0) {
      // Memory that is gone by now has no content: its bytes are sent as they are in the buffer.
      LocalCopy.move(false, memory, offset, staging.append(copied), copied);
    }
    if (copied < part) {
      load.sent += copied;
      splice.set(load, staging.end(), part - copied);
    } else {
      sent(load, part);
    }
  }

  /** So much more of a load has gone: it ends, or waits for its next turn. */
  private void sent(Load load, int part) {
    load.sent += part;
    if (load.sent < load.length && !closing && load.segment.scope().isAlive()) {
      loads.addLast(load);
    } else if (load.kind == Frames.DATA) {
      answers.giveBack(load);
    }
  }

  /** Writes the data whose turn it is; whether that is all of it. */
  private boolean writeSplice() throws IOException {
    int some;
    do {
      some = splice.write();
      written.add(some);
    } while (some > 0);
    Load ended = splice.takeEnded();
    if (ended == null) {
      return false;
    }
    if (ended.kind == Frames.PACKET) {
      packetLoads--;
      packets.give(ended.offset);
      answers.giveBack(ended);
    } else {
      sent(ended, 0);
    }
    return true;
  }

  /**
   * The last of it: transfers are dropped, and users' memory is not touched any more; messages that
   * were accepted go on, and a farewell behind them.
   *
   * @param deviceOnly whether the rank stays
   */
  void close(boolean deviceOnly) {
    closing = true;
    splice.close();
    farewell = deviceOnly ? Frames.DEVICE_CLOSED : Frames.GOODBYE;
    loads.removeIf(load -> load.kind != Frames.PACKET);
  }

  /** Goes on with the last of it; whether all is written. */
  boolean finish() throws IOException {
    if (!flush()) {
      return false;
    }
    if (!saidGoodbye) {
      saidGoodbye = appendFirst(farewell);
      return flush() && saidGoodbye;
    }
    return true;
  }
}
