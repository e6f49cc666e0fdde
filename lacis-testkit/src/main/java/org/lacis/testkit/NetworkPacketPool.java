package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;

/** Packets that several threads share. */
final class NetworkPacketPool {

  private static final int CAPACITY = 64;

  private final NetContext context;
  private final Queue<Long> free = new ConcurrentLinkedQueue<>();
  private final Map<Long, Boolean> out = new ConcurrentHashMap<>();

  NetworkPacketPool(NetContext context, int count) {
    this.context = context;
    for (int i = 0; i < count; i++) {
      free.add(
          context.allocate(NetContext.PACKET_HEADER + CAPACITY, 64) + NetContext.PACKET_HEADER);
    }
  }

  /** Waits for a packet that is free, and fills it. */
  long take(Crew crew, byte[] bytes) {
    @Nullable Long address = free.poll();
    while (address == null) {
      if (crew.stopped()) {
        throw new AssertionError("no packet came back");
      }
      Thread.yield();
      reclaim();
      address = free.poll();
    }
    out.put(address, true);
    Memory.copyIn(MemorySegment.ofArray(bytes), 0, address, bytes.length);
    return address;
  }

  private void reclaim() {
    context.reclaim(
        address -> {
          assertThat(out.remove(address)).as("packet at %x that was out", address).isNotNull();
          free.add(address);
        });
  }

  /** Whether the network has none of them. */
  boolean allBack() {
    reclaim();
    return out.isEmpty();
  }
}
