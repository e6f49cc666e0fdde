package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongConsumer;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/**
 * A sink that counts numbered messages and completions, and checks their payload. Any thread may
 * look at the counts.
 */
final class NetworkTally implements NetSink {

  private final AtomicIntegerArray times;
  private final AtomicInteger count = new AtomicInteger();
  private final LongConsumer release;

  /**
   * Makes one.
   *
   * @param release what to do with leases
   */
  NetworkTally(int numbers, LongConsumer release) {
    times = new AtomicIntegerArray(numbers);
    this.release = release;
  }

  /** The payload of a numbered message; at most 32 bytes. */
  static byte[] bytes(int id) {
    return NetworkData.bytes(id, id % 33);
  }

  int times(int id) {
    return times.get(id);
  }

  int count() {
    return count.get();
  }

  @Override
  public boolean message(int source, long h0, long h1, long address, int length, long lease) {
    MemorySegment copy = MemorySegment.ofArray(new byte[length]);
    Memory.copyOut(address, copy, 0, length);
    assertThat(NetworkData.read(copy, 0, length))
        .as("payload of message %d", h1)
        .isEqualTo(bytes((int) h1));
    if (lease != 0) {
      release.accept(lease);
    }
    times.incrementAndGet((int) h1);
    count.incrementAndGet();
    return true;
  }

  @Override
  public void completed(long cookie, int result) {
    assertThat(result).isEqualTo(NetDevice.OK);
    assertThat(times.incrementAndGet((int) cookie))
        .as("completions of cookie %d", cookie)
        .isEqualTo(1);
  }

  @Override
  public void peerGone(int peer, PeerEnd how) {
    throw new AssertionError("rank " + peer + " is gone");
  }
}
