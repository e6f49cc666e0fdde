package org.lacis.boot;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the server knows of a job: its keys, and where each rank is. Guarded by its own lock. */
final class PmiState {
  /** A job may hold this many characters of keys and values: more is a program gone wrong. */
  private static final long MAX_STORED = 1L << 28;

  private final int size;
  private final String kvs;
  private final PmiServer.Listener listener;
  private final @Nullable PmiChannel[] channels;
  private final Map<String, String> values = new HashMap<>();
  private final BitSet opened = new BitSet();
  private final BitSet waiting = new BitSet();
  private final BitSet left = new BitSet();
  private final BitSet holding = new BitSet();
  private final BitSet hungUp = new BitSet();
  private final List<PmiLine> losses = new ArrayList<>();
  private long stored;
  private boolean closed;

  PmiState(int size, String kvs, PmiServer.Listener listener) {
    this.size = size;
    this.kvs = kvs;
    this.listener = listener;
    this.channels = new PmiChannel[size];
  }

  int size() {
    return size;
  }

  String kvs() {
    return kvs;
  }

  PmiServer.Listener listener() {
    return listener;
  }

  /**
   * A rank has shown its token. Refused if it has done so before: a token is good for one
   * connection.
   */
  synchronized boolean connected(int rank, PmiChannel channel) {
    if (closed || channels[rank] != null) {
      return false;
    }
    channels[rank] = channel;
    return true;
  }

  synchronized void opened(int rank) {
    opened.set(rank);
  }

  synchronized BitSet opened() {
    return (BitSet) opened.clone();
  }

  synchronized BitSet waiting() {
    return (BitSet) waiting.clone();
  }

  /** A rank says whether it has a runtime open. */
  synchronized void holds(int rank, boolean open) {
    holding.set(rank, open);
  }

  synchronized boolean holds(int rank) {
    return holding.get(rank);
  }

  /** The connection of a rank has ended. */
  void hungUp(int rank) {
    synchronized (this) {
      hungUp.set(rank);
    }
    listener.hungUp(rank);
  }

  synchronized boolean isHungUp(int rank) {
    return hungUp.get(rank);
  }

  synchronized boolean put(String key, String value) {
    String old = values.put(key, value);
    stored += value.length() + (old == null ? key.length() : -old.length());
    return stored <= MAX_STORED;
  }

  synchronized @Nullable String get(String key) {
    return values.get(key);
  }

  /**
   * A rank has failed, and this line tells it: there are no more fences, as it will not come to
   * one. Who waits leaves when it is told.
   */
  synchronized void lost(PmiLine line) {
    losses.add(line);
    waiting.clear();
  }

  /** What was told of ranks that have failed. */
  synchronized List<PmiLine> losses() {
    return List.copyOf(losses);
  }

  /** A rank comes to a fence; the last one to come ends it for all. */
  void join(int rank) {
    boolean stuck;
    synchronized (this) {
      if (!losses.isEmpty()) {
        return;
      }
      waiting.set(rank);
      if (waiting.cardinality() == size) {
        waiting.clear();
        release();
      }
      stuck = stuck();
    }
    if (stuck) {
      listener.stuck();
    }
  }

  // Under the lock, so that no rank can come to the next fence before all have left this one. A
  // line is too short to fill a socket's buffer: this does not block.
  private void release() {
    tell(channels, PmiLine.of("barrier_out"));
  }

  /** Sends a line to all ranks that are connected. Blocks if one of them does not read. */
  void tellAll(PmiLine line) {
    @Nullable PmiChannel[] connected;
    synchronized (this) {
      connected = channels.clone();
    }
    tell(connected, line);
  }

  private static void tell(@Nullable PmiChannel[] channels, PmiLine line) {
    for (PmiChannel channel : channels) {
      try {
        if (channel != null) {
          channel.write(line);
        }
      } catch (IOException e) {
        // That rank is gone; the launcher notices by itself.
      }
    }
  }

  void left(int rank) {
    boolean stuck;
    synchronized (this) {
      left.set(rank);
      stuck = stuck();
    }
    if (stuck) {
      listener.stuck();
    }
  }

  private boolean stuck() {
    BitSet absent = (BitSet) left.clone();
    absent.andNot(waiting);
    return !waiting.isEmpty() && !absent.isEmpty();
  }

  /** The ranks that are not in the fence others wait in. */
  synchronized BitSet missing() {
    BitSet missing = new BitSet();
    missing.set(0, size);
    missing.andNot(waiting);
    return missing;
  }

  synchronized void close() {
    closed = true;
    for (PmiChannel channel : channels) {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException e) {
        // Closed all the same.
      }
    }
  }
}
