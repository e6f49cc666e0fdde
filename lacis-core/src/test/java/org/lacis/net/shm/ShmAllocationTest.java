package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** Nothing on the path of a message makes garbage. */
class ShmAllocationTest {

  private static final int OPERATIONS = 10_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void messagesInCells() {
    try (var ranks = LocalRanks.open(2)) {
      MemorySegment payload = Arena.ofAuto().allocate(64);
      var sink = new Sink(ranks.contexts[1]);
      assertNothingAllocated(
          i -> {
            check(ranks.devices[0].inject(1, 1, i, payload, 0, i % 41));
            ranks.devices[1].poll(sink, 64);
          });
    }
  }

  @Test
  void packets() {
    try (var ranks = LocalRanks.open(2)) {
      NetContext context = ranks.contexts[0];
      long packet = context.allocate(1024, 64) + NetContext.PACKET_HEADER;
      var sink = new Sink(ranks.contexts[1]);
      NetContext.PacketTaker taker = address -> sink.count++;
      assertNothingAllocated(
          i -> {
            check(ranks.devices[0].sendPacket(1, 1, i, packet, 512));
            ranks.devices[1].poll(sink, 64);
            context.reclaim(taker);
          });
    }
  }

  @Test
  void putsByPlainCopy() {
    assertPutsAllocateNothing(BulkMode.MAPPED, false);
  }

  @Test
  void putsByTheKernel() {
    assertPutsAllocateNothing(BulkMode.VM, false);
  }

  @Test
  void putsByTheKernelFromJavaArrays() {
    assertPutsAllocateNothing(BulkMode.VM, true);
  }

  @Test
  void putsByTheTarget() {
    assertPutsAllocateNothing(BulkMode.PIPELINE, false);
  }

  @Test
  void putsByTheTargetFromJavaArrays() {
    assertPutsAllocateNothing(BulkMode.PIPELINE, true);
  }

  private void assertPutsAllocateNothing(BulkMode mode, boolean array) {
    try (var ranks = LocalRanks.open(2, mode)) {
      NetContext owner = ranks.contexts[1];
      MemorySegment local =
          array ? MemorySegment.ofArray(new byte[256]) : Arena.ofAuto().allocate(256);
      MemorySegment remote = owner.view(owner.allocate(256, 64), 256);
      var sink = new Sink(owner);
      assertNothingAllocated(
          i -> {
            long key = owner.register(remote, 0, 256, NetContext.WRITE);
            int answer = ranks.devices[0].put(1, local, 0, 200, key, i % 50, 1, i, 1);
            long ended = sink.completions;
            check(answer == NetDevice.PENDING ? NetDevice.OK : answer);
            ranks.devices[1].poll(sink, 64);
            while (answer == NetDevice.PENDING && sink.completions == ended) {
              ranks.devices[0].poll(sink, 64);
            }
            ranks.devices[1].poll(sink, 64);
            owner.deregister(key);
          });
      assertThat(sink.count).isPositive();
    }
  }

  private interface Operation {
    void run(int i);
  }

  private static void check(int answer) {
    if (answer != NetDevice.OK) {
      throw new AssertionError("answer " + answer);
    }
  }

  /**
   * Code that is not compiled yet allocates, and compilers take their time: what counts is that it
   * comes to nothing.
   */
  private void assertNothingAllocated(Operation operation) {
    long thread = Thread.currentThread().threadId();
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    long allocated;
    do {
      for (int i = 0; i < OPERATIONS; i++) {
        operation.run(i);
      }
      long before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < OPERATIONS; i++) {
        operation.run(i);
      }
      allocated = threads.getThreadAllocatedBytes(thread) - before;
      // Asking allocates a little itself.
    } while (allocated > OPERATIONS / 10 && System.nanoTime() < limit);
    assertThat(allocated)
        .as("bytes in %d operations", OPERATIONS)
        .isLessThanOrEqualTo(OPERATIONS / 10);
  }

  private static final class Sink implements NetSink {
    private final NetContext context;
    long count;
    long completions;

    Sink(NetContext context) {
      this.context = context;
    }

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      count++;
      if (lease != 0) {
        context.release(lease);
      }
      return true;
    }

    @Override
    public void completed(long cookie, int result) {
      completions++;
      check(result);
    }

    @Override
    public void peerGone(int peer, PeerEnd how) {
      throw new AssertionError("rank " + peer + " is gone");
    }
  }
}
