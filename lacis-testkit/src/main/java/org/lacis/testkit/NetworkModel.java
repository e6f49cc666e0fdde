package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.testkit.NetworkRecorder.Arrival;

/** A random user of all ranks of a rig, who knows what must come of what it did. */
final class NetworkModel {

  private static final long MESSAGE = 1;
  private static final long PUT = 2;
  private static final long GET = 3;
  private static final int SLOT = 5000;
  private static final int SLOTS = 64;
  private static final int PACKET = 2048;

  private final NetworkRig rig;
  private final RandomGenerator random;

  /** Number and destination of every message that is still to come. */
  private final Map<Long, Integer> expected = new HashMap<>();

  /** What to do when a transfer has ended, by cookie, which is its number. */
  private final Map<Long, Runnable> pending = new HashMap<>();

  private final List<MemorySegment> memories = new ArrayList<>();
  private final List<Long> keys = new ArrayList<>();

  /** Places at each rank that no put is under way to. */
  private final List<Deque<Integer>> slots = new ArrayList<>();

  /** Where each put goes. */
  private final Map<Long, Integer> putSlots = new HashMap<>();

  private final List<Deque<Long>> packets = new ArrayList<>();
  private final Set<Integer> refusing = new HashSet<>();
  private long lastNumber;

  NetworkModel(NetworkRig rig, RandomGenerator random) {
    this.rig = rig;
    this.random = random;
    for (int rank = 0; rank < rig.size(); rank++) {
      int to = rank;
      MemorySegment memory =
          rank % 2 == 0
              ? Arena.ofAuto().allocate((long) SLOT * SLOTS)
              : MemorySegment.ofArray(new byte[SLOT * SLOTS]);
      memories.add(memory);
      keys.add(
          rig.context(rank)
              .register(memory, 0, memory.byteSize(), NetContext.READ | NetContext.WRITE));
      slots.add(new ArrayDeque<>());
      packets.add(new ArrayDeque<>());
      for (int i = 0; i < SLOTS; i++) {
        slots.get(rank).add(i);
      }
      for (int i = 0; i < 8; i++) {
        packets.get(rank).add(rig.newPacket(rank, PACKET));
      }
      rig.sink(rank).takes = arrival -> takes(to, arrival);
    }
  }

  private boolean takes(int rank, Arrival arrival) {
    if (refusing.contains(rank) && random.nextBoolean()) {
      return false;
    }
    assertThat(expected.remove(arrival.h1()))
        .as("destination of message %d", arrival.h1())
        .isEqualTo(rank);
    if (arrival.h0() == PUT) {
      int slot = putSlots.getOrDefault(arrival.h1(), -1);
      assertThat(NetworkData.read(memories.get(rank), (long) slot * SLOT, length(arrival.h1())))
          .as("memory when put %d is told", arrival.h1())
          .isEqualTo(NetworkData.bytes(arrival.h1(), length(arrival.h1())));
    } else if (arrival.h0() == MESSAGE) {
      assertThat(arrival.unharmed()).as("payload of message %d", arrival.h1()).isTrue();
    }
    return true;
  }

  /** How many bytes a numbered transfer moves. */
  private static int length(long number) {
    return (int) (number * 7919 % SLOT);
  }

  void step() {
    int rank = random.nextInt(rig.size());
    int peer = random.nextInt(rig.size());
    switch (random.nextInt(12)) {
      case 0 -> inject(rank, peer);
      case 1 -> sendCopy(rank, peer);
      case 2, 3 -> sendPacket(rank, peer);
      case 4, 5 -> put(rank, peer);
      case 6, 7 -> get(rank, peer);
      case 8 -> trespass(rank, peer);
      case 9 -> toggle(rank);
      default -> poll(rank, random.nextInt(1, 32));
    }
  }

  private void inject(int rank, int peer) {
    long number = ++lastNumber;
    int length = random.nextInt(rig.context(rank).injectLimit() + 1);
    MemorySegment payload = MemorySegment.ofArray(NetworkData.bytes(number, length));
    accepted(rig.device(rank).inject(peer, MESSAGE, number, payload, 0, length), number, peer);
  }

  private void sendCopy(int rank, int peer) {
    long number = ++lastNumber;
    NetDevice device = rig.device(rank);
    int limit = device.copyLimit(peer);
    if (limit > 0) {
      int length = random.nextInt(Math.min(limit, PACKET) + 1);
      MemorySegment payload = MemorySegment.ofArray(NetworkData.bytes(number, length));
      accepted(device.sendCopy(peer, MESSAGE, number, payload, 0, length), number, peer);
      payload.fill((byte) -1);
    }
  }

  private void sendPacket(int rank, int peer) {
    rig.context(rank).reclaim(packets.get(rank)::add);
    Long address = packets.get(rank).poll();
    if (address != null) {
      long number = ++lastNumber;
      int length = random.nextInt(PACKET + 1);
      NetworkData.fill(
          rig.context(rank).view(address, length), 0, NetworkData.bytes(number, length));
      if (!accepted(
          rig.device(rank).sendPacket(peer, MESSAGE, number, address, length), number, peer)) {
        packets.get(rank).add(address);
      }
    }
  }

  private boolean accepted(int answer, long number, int peer) {
    if (NetworkRig.lacksRoom(answer)) {
      return false;
    }
    assertThat(answer).as("answer to message %d", number).isEqualTo(NetDevice.OK);
    expected.put(number, peer);
    return true;
  }

  private void put(int rank, int peer) {
    Integer slot = slots.get(peer).poll();
    if (slot != null) {
      long number = ++lastNumber;
      MemorySegment local = MemorySegment.ofArray(NetworkData.bytes(number, length(number)));
      int answer =
          rig.device(rank)
              .put(
                  peer,
                  local,
                  0,
                  length(number),
                  keys.get(peer),
                  (long) slot * SLOT,
                  PUT,
                  number,
                  number);
      if (NetworkRig.lacksRoom(answer)) {
        slots.get(peer).add(slot);
      } else {
        expected.put(number, peer);
        putSlots.put(number, slot);
        // The slot is not used again: another put could overtake the notification.
        underWay(number, answer, () -> local.fill((byte) -1));
      }
    }
    if (slots.get(peer).isEmpty() && expected.isEmpty() && pending.isEmpty()) {
      for (int i = 0; i < SLOTS; i++) {
        slots.get(peer).add(i);
      }
    }
  }

  private void get(int rank, int peer) {
    long number = ++lastNumber;
    int length = random.nextInt(SLOT);
    MemorySegment local = Arena.ofAuto().allocate(length);
    boolean told = random.nextBoolean();
    int answer =
        rig.device(rank)
            .get(peer, local, 0, length, keys.get(peer), 0, told ? GET : 0, number, number);
    if (!NetworkRig.lacksRoom(answer)) {
      if (told) {
        expected.put(number, peer);
      }
      underWay(number, answer, () -> {});
    }
  }

  private void underWay(long number, int answer, Runnable end) {
    if (answer == NetDevice.PENDING) {
      pending.put(number, end);
    } else {
      assertThat(answer).as("answer to transfer %d", number).isEqualTo(NetDevice.OK);
      end.run();
    }
  }

  /** Tries what is not allowed. */
  private void trespass(int rank, int peer) {
    long number = ++lastNumber;
    MemorySegment local = MemorySegment.ofArray(new byte[16]);
    boolean wrongKey = random.nextBoolean();
    long key = wrongKey ? random.nextLong() : keys.get(peer);
    long offset = wrongKey ? 0 : (long) SLOT * SLOTS - 15;
    int answer = rig.device(rank).put(peer, local, 0, 16, key, offset, PUT, number, number);
    if (answer == NetDevice.PENDING) {
      pending.put(number, () -> assertThat(result(rank, number)).isEqualTo(NetDevice.NO_ACCESS));
    } else if (!NetworkRig.lacksRoom(answer)) {
      assertThat(answer).isEqualTo(NetDevice.NO_ACCESS);
    }
  }

  private int result(int rank, long cookie) {
    return rig.sink(rank).completions.getOrDefault(cookie, NetDevice.BUSY);
  }

  private void toggle(int rank) {
    if (!refusing.add(rank)) {
      refusing.remove(rank);
    }
  }

  private void poll(int rank, int limit) {
    NetworkRecorder sink = rig.sink(rank);
    rig.device(rank).poll(sink, limit);
    sink.settle();
    sink.completions.forEach(
        (cookie, result) -> {
          Runnable end = pending.remove(cookie);
          if (end != null) {
            end.run();
          }
        });
    sink.arrivals.clear();
    sink.refused.clear();
  }

  /** Takes everything that is still to come, and finds nothing that was not to come. */
  void finish() {
    refusing.clear();
    Await.until(
        "%d messages and %d completions of a random mix".formatted(expected.size(), pending.size()),
        () -> {
          for (int rank = 0; rank < rig.size(); rank++) {
            poll(rank, 64);
          }
          return expected.isEmpty() && pending.isEmpty();
        });
    rig.pumpOn();
  }
}
