package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/** All ranks of a fabric with a device each, driven by one thread. */
final class NetworkRig implements AutoCloseable {

  /** A post of a put or get, given its cookie. */
  @FunctionalInterface
  interface Transfer {
    int post(long cookie);
  }

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int POLL_LIMIT = 64;

  /** Polls between two looks at the clock on the wall. */
  private static final int PUMPS = 32;

  /** So many refusals in a row are not chance. */
  private static final int REFUSALS = 64;

  final NetworkFabric fabric;
  final List<NetContext> contexts;
  final List<NetDevice> devices;
  final List<NetworkRecorder> sinks;
  private long lastCookie = 1000;

  NetworkRig(NetworkFabric fabric) {
    this.fabric = fabric;
    contexts = fabric.contexts();
    devices = fabric.openDevices();
    sinks = contexts.stream().map(NetworkRecorder::new).toList();
  }

  int size() {
    return contexts.size();
  }

  int last() {
    return size() - 1;
  }

  NetContext context(int rank) {
    return contexts.get(rank);
  }

  NetDevice device(int rank) {
    return devices.get(rank);
  }

  NetworkRecorder sink(int rank) {
    return sinks.get(rank);
  }

  int poll(int rank) {
    int delivered = device(rank).poll(sink(rank), POLL_LIMIT);
    sink(rank).settle();
    return delivered;
  }

  /** Polls every rank once. */
  void pump() {
    for (int rank = 0; rank < size(); rank++) {
      poll(rank);
    }
  }

  /** Polls every rank for a while, so that what should not happen has the time to. */
  void pumpOn() {
    for (int i = 0; i < 100; i++) {
      pump();
    }
  }

  /** Polls all ranks until a condition holds, which is not asked again afterwards. */
  void until(String what, BooleanSupplier condition) {
    boolean[] holds = {false};
    Await.until(
        what,
        LIMIT,
        () -> {
          for (int i = 0; i < PUMPS && !holds[0]; i++) {
            pump();
            holds[0] = condition.getAsBoolean();
          }
        },
        () -> holds[0]);
  }

  /** Waits until a rank has taken so many messages. */
  void untilArrived(int rank, int count) {
    NetworkRecorder sink = sink(rank);
    until(count + " messages at rank " + rank, () -> sink.arrivals.size() >= count);
    assertThat(sink.arrivals).as("messages at rank %d", rank).hasSize(count);
  }

  /** Posts again, polling in between, until the answer is not that something ran out. */
  int insist(String what, IntSupplier post) {
    int[] answer = {NetDevice.BUSY};
    Await.until(
        "room for " + what,
        LIMIT,
        () -> {
          for (int i = 0; i < PUMPS && lacksRoom(answer[0]); i++) {
            answer[0] = post.getAsInt();
            if (lacksRoom(answer[0])) {
              pump();
            }
          }
        },
        () -> !lacksRoom(answer[0]));
    return answer[0];
  }

  static boolean lacksRoom(int answer) {
    return answer == NetDevice.BUSY || answer == NetDevice.FULL || answer == NetDevice.NO_MEMORY;
  }

  /**
   * Posts without polling, with numbers from {@code first} on, until there is no room; answers the
   * next number.
   */
  static long flood(long first, Transfer post) {
    long number = first;
    for (int refusals = 0; refusals < REFUSALS; ) {
      int answer = post.post(number);
      if (lacksRoom(answer)) {
        refusals++;
      } else {
        assertThat(answer).as("answer to post %d", number).isIn(NetDevice.OK, NetDevice.PENDING);
        number++;
        refusals = 0;
      }
      assertThat(number - first).as("messages under way").isLessThan(1 << 20);
    }
    return number;
  }

  /** Posts without polling. Only chance may refuse it. */
  static void postNow(IntSupplier post) {
    int answer = NetDevice.BUSY;
    for (int tries = 0; tries < REFUSALS && lacksRoom(answer); tries++) {
      answer = post.getAsInt();
    }
    assertThat(answer).as("answer while there is room").isIn(NetDevice.OK, NetDevice.PENDING);
  }

  /** Injects bytes that belong to {@code h1}. */
  void send(int from, int to, long h0, long h1, int length) {
    MemorySegment payload = MemorySegment.ofArray(NetworkData.bytes(h1, length));
    assertThat(insist("a message", () -> device(from).inject(to, h0, h1, payload, 0, length)))
        .as("answer to an injected message")
        .isEqualTo(NetDevice.OK);
  }

  /** Does a put or get to its end, and answers its result. */
  int transfer(int rank, String what, Transfer transfer) {
    long cookie = ++lastCookie;
    int answer = insist(what, () -> transfer.post(cookie));
    if (answer != NetDevice.PENDING) {
      return answer;
    }
    NetworkRecorder sink = sink(rank);
    until("the completion of " + what, () -> sink.completions.containsKey(cookie));
    return sink.completions.getOrDefault(cookie, NetDevice.BUSY);
  }

  /** Sets memory for a packet aside and answers the address of its payload. */
  long newPacket(int rank, int capacity) {
    long address = context(rank).allocate((long) NetContext.PACKET_HEADER + capacity, 64);
    assertThat(address).as("memory for a packet of %d bytes", capacity).isNotZero();
    return address + NetContext.PACKET_HEADER;
  }

  @Override
  public void close() {
    fabric.close();
  }
}
