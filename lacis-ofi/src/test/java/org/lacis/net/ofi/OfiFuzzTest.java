package org.lacis.net.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.net.AtomicWord;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;
import org.lacis.testkit.Await;
import org.lacis.testkit.NetworkFabric;

/**
 * Frames with the job's number that are wrong otherwise, as only a rank gone mad would send them:
 * nothing is thrown, nothing is written where it may not, nobody is told what was not sent.
 */
@Timeout(100)
class OfiFuzzTest {

  private static final int FRAMES = Boolean.getBoolean("lacis.long") ? 1_000_000 : 10_000;
  private static final int POINTED = 200;
  private static final int GUARDED = 4096;
  private static final byte GUARD = 0x5a;

  private final long seed = Long.getLong("lacis.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final MemorySegment memory = Arena.ofAuto().allocate(3 * GUARDED, 64);
  private long key;

  /** Takes everything, and checks what every message must be. */
  private final class Checks implements NetSink {
    private final NetContext context;
    private final boolean mayGo;
    private boolean last;
    private boolean gone;

    Checks(NetContext context, boolean mayGo) {
      this.context = context;
      this.mayGo = mayGo;
    }

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      assertThat(source).isZero();
      assertThat(length).isBetween(0, Frame.MAX_PACKET);
      if (lease != 0) {
        context.release(lease);
      }
      last |= h1 == seed;
      return true;
    }

    @Override
    public void completed(long cookie, int result) {
      throw new AssertionError("nothing was asked for, but " + cookie + " has ended");
    }

    @Override
    public void peerGone(int peer, PeerEnd how) {
      assertThat(mayGo).as("rank %d is there", peer).isTrue();
      gone = true;
    }
  }

  /** A rank gone mad, and one that has registered memory. */
  private final class Pair implements AutoCloseable {
    private final NetworkFabric fabric;
    private final OfiDevice mad;
    private final OfiDevice device;
    private final NetContext context;
    private final Checks own;
    private final Checks sink;

    /** Makes both; says the seed. */
    Pair(boolean mayGo) {
      IO.println("seed " + seed);
      memory.fill(GUARD);
      fabric = Providers.open(2, "tcp");
      List<NetDevice> devices = fabric.openDevices();
      mad = (OfiDevice) devices.get(0);
      device = (OfiDevice) devices.get(1);
      context = fabric.contexts().get(1);
      key = context.register(memory, GUARDED, GUARDED, NetContext.READ | NetContext.WRITE);
      own = new Checks(fabric.contexts().get(0), mayGo);
      sink = new Checks(context, mayGo);
    }

    void poll() {
      mad.poll(own, 64);
      device.poll(sink, 64);
    }

    boolean gone() {
      return own.gone || sink.gone;
    }

    @Override
    public void close() {
      fabric.close();
    }
  }

  @Test
  void framesThatAreWrongDoNoHarm() {
    try (Pair pair = new Pair(false)) {
      OfiDevice mad = pair.mad;
      for (int i = 0; i < FRAMES; i++) {
        // Marks behind what was dropped would wait for ever, and too many of them are its end.
        mad.roster.peer(1).sent = pair.device.roster.peer(0).taken;
        int kind = random.nextInt(Frame.WANT + 1);
        // The owner reads and writes the origin's memory where the origin says: see below.
        send(mad, kind == Frame.PULL || kind == Frame.PUSH ? Frame.PUT : kind);
        pair.poll();
      }
      // Of what was dropped the peer has taken nothing: by its own count it has no room left.
      Peer peer = mad.roster.peer(1);
      peer.sentTaken = peer.sent;
      Await.until(
          "a sound message behind all of it",
          () -> {
            mad.inject(1, 1, seed, MemorySegment.NULL, 0, 0);
            pair.poll();
            return pair.sink.last;
          });
    }
    assertGuarded();
  }

  /**
   * The owner is to read or write memory of the origin that is not there, which libfabric may
   * answer by ending the connection, and then anything but a farewell.
   */
  @Test
  void placesAtTheOriginThatAreWrongDoNoHarm() {
    try (Pair pair = new Pair(true)) {
      int sent = 0;
      for (; sent < POINTED && !pair.gone(); sent++) {
        send(pair.mad, random.nextBoolean() ? Frame.PULL : Frame.PUSH);
        pair.poll();
      }
      IO.println(sent + " sent, " + (pair.gone() ? "and then it was over" : "all well"));
      pair.context.deregister(key); // waits for libfabric to have ended what it is at
    }
    assertGuarded();
  }

  /** A farewell, of whatever kind and with whatever counts, ends it, and nothing else. */
  @ParameterizedTest
  @ValueSource(ints = {Frame.GOODBYE, Frame.SHUT, Frame.GIVEN_UP})
  void farewellsOfAllKindsDoNoHarm(int kind) {
    try (Pair pair = new Pair(true)) {
      pair.mad.roster.peer(1).sent = random.nextInt();
      send(pair.mad, kind);
      send(pair.mad, kind);
      Peer peer = pair.device.roster.peer(0);
      Await.until(
          "that it was heard",
          () -> {
            pair.poll();
            return peer.gone != null || peer.shut;
          });
    }
    assertGuarded();
  }

  private void assertGuarded() {
    for (long at : new long[] {0, 2 * GUARDED}) {
      assertThat(memory.asSlice(at, GUARDED).mismatch(guard())).as("seed %d", seed).isEqualTo(-1);
    }
  }

  private static MemorySegment guard() {
    return MemorySegment.ofArray(new byte[GUARDED]).fill(GUARD);
  }

  /** A request, perhaps sound, in a frame of that kind or an unknown one, and of any length. */
  private void send(OfiDevice mad, int kind) {
    long slot = mad.outbox.take();
    Frame.request(
        Slot.frame(slot),
        random.nextInt(),
        random.nextInt(4) == 0 ? random.nextInt() : AtomicWord.ADD,
        random.nextInt(4) == 0 ? random.nextLong() : key,
        any(GUARDED),
        any(256),
        random.nextLong(),
        random.nextLong());
    boolean farewell = kind >= Frame.GOODBYE;
    int length =
        switch (random.nextInt(6)) {
          case 0 -> random.nextInt(Frame.REQUEST + 512);
          // Cut off within the header. Of a farewell nobody would know.
          case 1 -> farewell ? 0 : -random.nextInt(Frame.header(kind));
          default -> Frame.REQUEST;
        };
    int unknown = !farewell && random.nextInt(16) == 0 ? random.nextInt(Frame.PART + 1, 256) : kind;
    mad.outbox.send(
        mad.roster.peer(1), slot, unknown, random.nextInt(3), random.nextLong(), length);
  }

  private long any(int usual) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextLong();
      case 1 -> -1;
      case 2 -> Long.MAX_VALUE;
      case 3 -> 1L << random.nextInt(63);
      default -> random.nextInt(usual) & ~7;
    };
  }
}
