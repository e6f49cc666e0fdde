package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;

/**
 * The puts, gets and atomics that this rank has under way with one peer. They are taken under the
 * lock of the outbox, and ended by the polling thread.
 */
final class Requests {

  /** The most that are under way; the peer keeps room for as many answers. */
  static final int CAPACITY = 1024;

  /** A transfer. */
  static final class Request {
    /** What is sent of it; of a get, where the data goes. */
    final Load load = new Load();

    long cookie;

    /** How much of a get has come. */
    long received;

    /** Written last when it is posted, and when it has ended. */
    private volatile boolean active;

    private Request(int id) {
      load.id = id;
    }
  }

  private final @Nullable Request[] table = new Request[CAPACITY];
  private int next;

  /** A free one, to be filled and started; null if there is none. Under the lock of the outbox. */
  @Nullable Request take() {
    for (int i = 0; i < CAPACITY; i++) {
      int id = (next + i) % CAPACITY;
      Request request = table[id];
      if (request == null) {
        request = new Request(id);
        table[id] = request;
      }
      if (!request.active) {
        next = (id + 1) % CAPACITY;
        return request;
      }
    }
    return null;
  }

  /** From now on its answer may come. */
  static void start(Request request) {
    request.received = 0;
    request.active = true;
  }

  /** The one that an answer is for; null if there is no such. The polling thread's. */
  @Nullable Request find(int id, boolean put) {
    Request request = id < 0 || id >= CAPACITY ? null : table[id];
    return request != null && request.active && put == (request.load.kind == Frames.PUT)
        ? request
        : null;
  }

  /** Tells the sink how one has ended, and frees it. The polling thread's. */
  static void end(Request request, int result, NetSink sink) {
    long cookie = request.cookie;
    request.load.segment = MemorySegment.NULL;
    request.active = false;
    sink.completed(cookie, result);
  }

  /** Ends all that are left, as the peer is gone. Nothing is posted any more. Answers how many. */
  int abandon(NetSink sink) {
    int count = 0;
    for (Request request : table) {
      if (request != null && request.active) {
        end(request, NetDevice.PEER_GONE, sink);
        count++;
      }
    }
    return count;
  }
}
