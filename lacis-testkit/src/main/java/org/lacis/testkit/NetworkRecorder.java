package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/**
 * A sink that writes down what it is told, and checks what must hold of every call. Polled by one
 * thread at a time.
 */
final class NetworkRecorder implements NetSink {

  /**
   * A message, with a copy of its payload.
   *
   * @param bytes the payload when it came
   * @param address where it is, if there is a lease
   */
  record Arrival(int source, long h0, long h1, MemorySegment bytes, long address, long lease) {
    boolean unharmed() {
      return bytes.mismatch(MemorySegment.ofArray(NetworkData.bytes(h1, (int) bytes.byteSize())))
          < 0;
    }
  }

  /** Messages that were taken. */
  final List<Arrival> arrivals = new ArrayList<>();

  /** Results by cookie. */
  final Map<Long, Integer> completions = new HashMap<>();

  /** Peers that are gone. */
  final List<Integer> gone = new ArrayList<>();

  /** And how. */
  final Map<Integer, PeerEnd> ends = new HashMap<>();

  /** Messages that were refused, as often as they were offered. */
  final List<Arrival> refused = new ArrayList<>();

  /** Which messages are taken. */
  Predicate<Arrival> takes = arrival -> true;

  /** Whether leases are kept until {@link #releaseAll} rather than until the end of the poll. */
  boolean keepsLeases;

  /** Messages whose lease is not released yet. */
  final List<Arrival> leased = new ArrayList<>();

  private final NetContext context;

  NetworkRecorder(NetContext context) {
    this.context = context;
  }

  @Override
  public boolean message(int source, long h0, long h1, long address, int length, long lease) {
    assertThat(source).as("source").isBetween(0, context.size() - 1);
    assertThat(h0).as("first header word").isNotZero();
    assertThat(gone).as("peers gone before a message from %d came", source).doesNotContain(source);
    MemorySegment copy = MemorySegment.ofArray(new byte[length]);
    Memory.copyOut(address, copy, 0, length);
    Arrival arrival = new Arrival(source, h0, h1, copy, address, lease);
    if (!takes.test(arrival)) {
      refused.add(arrival);
      return false;
    }
    arrivals.add(arrival);
    if (lease != 0) {
      leased.add(arrival);
    }
    return true;
  }

  @Override
  public void completed(long cookie, int result) {
    assertThat(completions.put(cookie, result))
        .as("former completion of cookie %d", cookie)
        .isNull();
    assertThat(result == 0 || result <= -100)
        .as("result %d is OK or at most -100", result)
        .isTrue();
  }

  @Override
  public void peerGone(int peer, PeerEnd how) {
    assertThat(gone).as("peers that were gone before").doesNotContain(peer);
    gone.add(peer);
    ends.put(peer, how);
  }

  /** Ends all leases, oldest first. */
  void releaseAll() {
    leased.forEach(arrival -> context.release(arrival.lease));
    leased.clear();
  }

  /** After a poll. */
  void settle() {
    if (!keepsLeases) {
      releaseAll();
    }
  }
}
