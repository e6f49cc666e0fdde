package org.lacis.net.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lacis.net.AtomicWord;
import org.lacis.net.KeySource;
import org.lacis.net.KeyTable;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/**
 * A million frames that are wrong in some way, as only a peer gone mad would send them: nothing is
 * thrown, nothing is written where it may not, nobody is told what was not sent, and nothing grows.
 */
class DecoderFuzzTest {

  private static final int FRAMES = 1_000_000;
  private static final int WINDOW = 64;
  private static final long UNREAD = 1 << 20;
  private static final int GUARDED = 4096;
  private static final byte GUARD = 0x5a;

  private final long seed = Long.getLong("lacis.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final MemorySegment wire = Arena.ofAuto().allocate(1 << 16, 64);
  private final MemorySegment memory = Arena.ofAuto().allocate(3 * GUARDED, 64);
  private final TcpMemory known = new TcpMemory(1 << 20);
  private final KeyTable keys = new KeyTable(new KeySource(random.nextLong(), random.nextLong()));
  private final long writable =
      keys.register(memory, GUARDED, GUARDED, NetContext.WRITE | NetContext.READ);
  private final Leases leases = new Leases(known, 0);
  private final Checks sink = new Checks();

  /** Takes everything, now and then only later, and checks what every message must be. */
  private final class Checks implements NetSink {
    private long messages;

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      assertThat(source).isEqualTo(3);
      assertThat(h0).isNotZero();
      assertThat(length).isBetween(0, lease == 0 ? Frames.INJECT_LIMIT : Frames.MAX_PACKET);
      if (random.nextInt(8) == 0) {
        return false;
      }
      if (lease != 0) {
        assertThat(lease).isEqualTo(address);
        leases.release(lease);
      }
      messages++;
      return true;
    }

    @Override
    public void completed(long cookie, int result) {
      throw new AssertionError("nothing was asked for, but " + cookie + " has ended");
    }

    @Override
    public void peerGone(int peer, PeerEnd how) {
      throw new AssertionError("not the decoder's to say");
    }
  }

  @Test
  void framesThatAreWrongDoNoHarm() {
    IO.println("seed " + seed);
    memory.fill(GUARD);
    long violations = 0;
    Arrivals arrivals = new Arrivals(known, WINDOW);
    Decoder decoder = decoder(arrivals);
    for (int i = 0; i < FRAMES; i++) {
      int length = frame(random.nextInt(1, Frames.DEVICE_CLOSED + 1));
      mutate(length);
      if (!feed(decoder, length)) {
        violations++;
        arrivals.close(leases::release);
        arrivals = new Arrivals(known, WINDOW);
        decoder = decoder(arrivals);
      } else if (random.nextInt(4) == 0) {
        decoder.tookWaiting(arrivals.deliver(sink, 3, WINDOW));
        drain(decoder);
      }
    }
    assertThat(violations).as("frames that were refused, seed %d", seed).isPositive();
    assertThat(sink.messages).as("messages that were sound, seed %d", seed).isPositive();
    assertThat(memory.asSlice(0, GUARDED).mismatch(guard())).as("seed %d", seed).isEqualTo(-1);
    assertThat(memory.asSlice(2L * GUARDED, GUARDED).mismatch(guard()))
        .as("seed %d", seed)
        .isEqualTo(-1);
    // At most a block of every size, the longest for a packet of 16 MiB.
    assertThat(known.lentBytes()).as("memory for payloads").isLessThan(80L << 20);
  }

  private static MemorySegment guard() {
    return MemorySegment.ofArray(new byte[GUARDED]).fill(GUARD);
  }

  private Decoder decoder(Arrivals arrivals) {
    leases.renew();
    return new Decoder(
        3, keys, leases, new Requests(), arrivals, UNREAD, (taken, released) -> taken >= 0);
  }

  /** What an outbox would do with the answers. */
  private static void drain(Decoder decoder) {
    Answers answers = decoder.answers();
    for (Load load = answers.peek(); load != null; load = answers.peek()) {
      assertThat(load.result).isIn(NetDevice.OK, NetDevice.NO_ACCESS);
      answers.remove();
    }
  }

  /** Has a frame and its data decoded; false if the connection would end. */
  private boolean feed(Decoder decoder, int length) {
    long at = wire.address();
    int used = decoder.frame(at, length, sink);
    if (used < 0) {
      return false;
    }
    while (decoder.wantsData()) {
      Target target = decoder.target();
      if (target.missing() > 0) {
        int taken = target.take(at, Math.min(target.missing(), (int) wire.byteSize()));
        assertThat(taken).isPositive();
      } else {
        decoder.dataEnded(sink);
      }
    }
    return decoder.violation() == null;
  }

  /** Writes a sound frame; answers its length. */
  private int frame(int kind) {
    wire.fill((byte) 0);
    long at = wire.address();
    int data =
        switch (kind) {
          case Frames.MESSAGE -> random.nextInt(Frames.INJECT_LIMIT + 1);
          case Frames.PACKET, Frames.PUT, Frames.DATA -> random.nextInt(300);
          default -> 0;
        };
    Memory.putLong(at, Frames.first(kind, kind == Frames.PUT ? Frames.LAST : 0, data));
    Memory.putLong(at + 8, random.nextInt(1, 10));
    Memory.putLong(at + 16, kind == Frames.MESSAGE ? random.nextLong() : writable);
    Memory.putLong(at + 24, random.nextInt(GUARDED - 300) & ~7);
    Memory.putLong(at + 32, kind == Frames.ATOMIC ? AtomicWord.ADD : data);
    return Frames.head(Memory.getLong(at)) + data;
  }

  /** Makes it wrong, most of the time. */
  private void mutate(int length) {
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      int head = Math.min(length, Frames.MAX_HEAD);
      switch (random.nextInt(4)) {
        case 0 -> flip(random.nextInt(head));
        case 1 ->
            wire.set(
                ValueLayout.JAVA_LONG_UNALIGNED,
                random.nextInt(head) & ~7,
                new long[] {0, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, random.nextLong()}
                    [random.nextInt(6)]);
        case 2 -> wire.set(ValueLayout.JAVA_INT_UNALIGNED, 0, random.nextInt());
        default -> wire.set(ValueLayout.JAVA_BYTE, 5, (byte) random.nextInt(4));
      }
    }
  }

  private void flip(int at) {
    byte old = wire.get(ValueLayout.JAVA_BYTE, at);
    wire.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ (1 << random.nextInt(8))));
  }
}
