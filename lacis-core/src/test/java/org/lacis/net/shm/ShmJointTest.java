package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;
import org.lacis.net.PeerEnd;

/** Copies that both sides do together. */
class ShmJointTest {

  private static final int ALL = NetContext.READ | NetContext.WRITE;
  private static final int BYTES = 1_000_003;

  @Test
  void whoeverComesFirstDoesAll() {
    for (boolean back : new boolean[] {false, true}) {
      for (long length : new long[] {1, 65_536, BYTES}) {
        MemorySegment from = filled(BYTES, 1);
        MemorySegment to = Arena.ofAuto().allocate(BYTES, 8);
        long slot = slot(7);
        work(back, slot, 7, from, to, length);
        assertThat(JointCopy.doneAcquire(slot, length)).isTrue();
        work(!back, slot, 7, filled(BYTES, 2), to, length);
        assertThat(JointCopy.doneAcquire(slot, length)).isTrue();
        assertThat(JointCopy.result(slot)).isEqualTo(NetDevice.OK);
        assertThat(from.asSlice(0, length).mismatch(to.asSlice(0, length))).isEqualTo(-1);
        assertThat(to.asSlice(length).mismatch(Arena.ofAuto().allocate(BYTES - length)))
            .isEqualTo(-1);
      }
    }
  }

  @Test
  void aCopyThatHasEndedIsNotGoneOnWith() {
    long slot = slot(8);
    MemorySegment to = Arena.ofAuto().allocate(BYTES, 8);
    work(true, slot, 7, filled(BYTES, 1), to, BYTES);
    assertThat(to.mismatch(Arena.ofAuto().allocate(BYTES))).isEqualTo(-1);
    assertThat(JointCopy.doneAcquire(slot, BYTES)).isFalse();
  }

  @Test
  void thePeerThatComesLateLeavesEverythingAsItIs() {
    try (var ranks = LocalRanks.open(2, BulkMode.VM)) {
      MemorySegment remote = Arena.ofAuto().allocate(BYTES, 8);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      MemorySegment first = filled(BYTES, 1);
      MemorySegment second = filled(BYTES, 2);
      put(ranks, first, key);
      put(ranks, second, key); // in the same slot
      first.fill((byte) 0);
      second.fill((byte) 0);
      ranks.poll(1);
      assertThat(remote.mismatch(filled(BYTES, 2))).isEqualTo(-1);
    }
  }

  @Test
  void aKeyThatWasDeregisteredMeanwhileIsOfNoUse() {
    try (var ranks = LocalRanks.open(2, BulkMode.VM)) {
      MemorySegment remote = Arena.ofAuto().allocate(BYTES, 8);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      put(ranks, filled(BYTES, 1), key);
      ranks.contexts[1].deregister(key);
      ranks.poll(1);
      assertThat(ranks.contexts[1].inUse(key)).isFalse();
      assertThat(remote.mismatch(filled(BYTES, 1))).isEqualTo(-1);
    }
  }

  @Test
  void memoryThatIsNotThereAnyMoreIsAnError(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("mapped"), new byte[BYTES]);
    try (var ranks = LocalRanks.open(2, BulkMode.VM);
        Arena arena = Arena.ofShared();
        var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long key;
      try (Arena brief = Arena.ofShared()) {
        MemorySegment gone = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, brief);
        key = ranks.contexts[1].register(gone, 0, BYTES, ALL);
      }
      int answer = ranks.devices[0].put(1, arena.allocate(BYTES), 0, BYTES, key, 0, 0, 0, 5);
      assertThat(answer).isEqualTo(NetDevice.PENDING);
      ranks.until("the put to end", () -> !ranks.sinks[0].completions.isEmpty());
      assertThat(ranks.sinks[0].completions)
          .containsExactly(new RecordingSink.Completion(5, NetDevice.NO_ACCESS));
    }
  }

  @Test
  void aCopyIsDividedIntoAllItsBytes() {
    for (long length : new long[] {1, 65_536, 65_537, BYTES, (1L << 31) + 1, 1L << 46}) {
      long slot = slot(1);
      long front = 0;
      long behind = length;
      boolean back = false;
      long share = JointCopy.take(back, false, slot, 1, length);
      while (share != JointCopy.NONE) {
        long bytes = JointCopy.bytes(share, length);
        assertThat(bytes).isPositive();
        if (back) {
          behind -= bytes;
          assertThat(JointCopy.offset(share, length)).isEqualTo(behind);
        } else {
          assertThat(JointCopy.offset(share, length)).isEqualTo(front);
          front += bytes;
        }
        assertThat(JointCopy.doneAcquire(slot, length)).isFalse();
        JointCopy.done(slot, share, NetDevice.OK);
        back = !back;
        share = JointCopy.take(back, false, slot, 1, length);
      }
      assertThat(front).isEqualTo(behind);
      assertThat(JointCopy.doneAcquire(slot, length)).isTrue();
    }
  }

  @Test
  void piecesAreCopiedAtOnceAsFarAsBothReachThem() {
    try (var ranks = LocalRanks.open(2, BulkMode.VM)) {
      MemorySegment remote = filled(BYTES, 1);
      MemorySegment local = Arena.ofAuto().allocate(BYTES, 8);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      var pieces = new NetPieces();
      for (int i = 0; i < 5; i++) {
        pieces.add(local, i * 50_001L, 50_001, key, i * 50_001L);
      }
      pieces.add(MemorySegment.ofArray(new byte[10]), 0, 10, key, 0);
      assertThat(ranks.devices[0].transfer(false, 1, pieces, 5)).isEqualTo(NetDevice.PENDING);
      assertThat(pieces.next()).isEqualTo(5);
      ranks.poll(1); // its share spans pieces
      ranks.until("the get to end", () -> !ranks.sinks[0].completions.isEmpty());
      assertThat(ranks.sinks[0].completions)
          .containsExactly(new RecordingSink.Completion(5, NetDevice.OK));
      assertThat(local.asSlice(0, 250_005).mismatch(remote.asSlice(0, 250_005))).isEqualTo(-1);
      assertThat(local.asSlice(250_005).mismatch(Arena.ofAuto().allocate(BYTES - 250_005)))
          .isEqualTo(-1);
      assertThat(ranks.contexts[1].inUse(key)).isFalse();
    }
  }

  @Test
  void aPieceThatIsNotThereAnyMoreFailsTheWhole() {
    try (var ranks = LocalRanks.open(2, BulkMode.VM)) {
      MemorySegment remote = filled(BYTES, 1);
      var pieces = new NetPieces();
      var keys = new long[4];
      MemorySegment local = Arena.ofAuto().allocate(BYTES, 8);
      for (int i = 0; i < 4; i++) {
        keys[i] = ranks.contexts[1].register(remote, 0, BYTES, ALL);
        pieces.add(local, i * 100_000L, 100_000, keys[i], 0);
      }
      assertThat(ranks.devices[0].transfer(false, 1, pieces, 5)).isEqualTo(NetDevice.PENDING);
      ranks.contexts[1].deregister(keys[2]);
      ranks.until("the get to end", () -> !ranks.sinks[0].completions.isEmpty());
      assertThat(ranks.sinks[0].completions)
          .containsExactly(new RecordingSink.Completion(5, NetDevice.NO_ACCESS));
      for (long key : keys) {
        assertThat(ranks.contexts[1].inUse(key)).isFalse();
      }
    }
  }

  @Test
  void aDeviceThatIsClosedLeavesNothingToPeers() {
    try (var ranks = LocalRanks.open(2, BulkMode.VM)) {
      MemorySegment remote = filled(BYTES, 1);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      MemorySegment local = Arena.ofAuto().allocate(BYTES, 8);
      assertThat(ranks.devices[0].get(1, local, 0, BYTES, key, 0, 0, 0, 5))
          .isEqualTo(NetDevice.PENDING);
      ranks.devices[0].close();
      ranks.poll(1);
      assertThat(local.mismatch(Arena.ofAuto().allocate(BYTES))).isEqualTo(-1);
    }
  }

  @Test
  void aPeerThatIsGoneEndsTheCopy() {
    try (var ranks = LocalRanks.open(2, BulkMode.VM)) {
      long key = ranks.contexts[1].register(filled(BYTES, 1), 0, BYTES, ALL);
      MemorySegment local = Arena.ofAuto().allocate(BYTES, 8);
      assertThat(ranks.devices[0].get(1, local, 0, BYTES, key, 0, 7, 7, 5))
          .isEqualTo(NetDevice.PENDING);
      ranks.contexts[1].close();
      ranks.until("the get to end", () -> !ranks.sinks[0].completions.isEmpty());
      assertThat(ranks.sinks[0].completions.getFirst().cookie()).isEqualTo(5);
      ranks.until("the end of the peer", () -> !ranks.sinks[0].gone.isEmpty());
      assertThat(ranks.sinks[0].completions).hasSize(1);
    }
  }

  @Test
  void whenAllSlotsAreInUseOneSideCopies() {
    try (var ranks = LocalRanks.open(2, BulkMode.VM)) {
      MemorySegment remote = Arena.ofAuto().allocate(BYTES, 8);
      long key = ranks.contexts[1].register(remote, 0, BYTES, ALL);
      MemorySegment local = filled(BYTES, 1);
      for (int i = 0; i < JointSlots.COUNT; i++) {
        assertThat(ranks.devices[0].put(1, local, 0, BYTES, key, 0, 0, 0, i))
            .isEqualTo(NetDevice.PENDING);
      }
      assertThat(ranks.devices[0].put(1, local, 0, BYTES, key, 0, 0, 0, 99))
          .isEqualTo(NetDevice.OK);
      ranks.until("all puts to end", () -> ranks.sinks[0].completions.size() == JointSlots.COUNT);
    }
  }

  /** Three ranks, two threads on each that put and get, and one that polls, and rests. */
  @ParameterizedTest
  @EnumSource(names = {"AUTO", "VM"})
  void nothingIsTornOrMixedUpWhenAllCopyWithAll(BulkMode mode) throws Exception {
    long seed = Long.getLong("lacis.seed", System.nanoTime());
    int size = 3;
    int threads = 2;
    try (var ranks = LocalRanks.open(size, mode);
        ExecutorService pool = Executors.newFixedThreadPool(size * (threads + 1))) {
      var stop = new AtomicBoolean();
      var pollers = new ArrayList<Future<?>>();
      var workers = new ArrayList<Future<?>>();
      var ended = new EndedSink[size];
      for (int rank = 0; rank < size; rank++) {
        int who = rank;
        ended[who] = new EndedSink(threads);
        pollers.add(
            pool.submit(
                () -> {
                  for (int i = 0; !stop.get(); i++) {
                    ranks.devices[who].poll(ended[who], 64);
                    if (i % 64 == 0) {
                      LockSupport.parkNanos(100_000); // so that others do its part
                    }
                  }
                }));
        for (int thread = 0; thread < threads; thread++) {
          int lane = thread;
          var random = new Random(seed + who * threads + lane);
          workers.add(pool.submit(() -> copyAround(ranks, ended[who], who, lane, random)));
        }
      }
      for (Future<?> worker : workers) {
        try {
          worker.get(120, TimeUnit.SECONDS);
        } catch (Exception e) {
          throw new AssertionError("seed " + seed, e);
        }
      }
      stop.set(true);
      for (Future<?> poller : pollers) {
        poller.get(60, TimeUnit.SECONDS);
      }
    }
  }

  private static void copyAround(
      LocalRanks ranks, EndedSink ended, int rank, int lane, Random random) {
    MemorySegment remote = Arena.ofAuto().allocate(BYTES, 8);
    MemorySegment there = Arena.ofAuto().allocate(BYTES, 8);
    MemorySegment back = Arena.ofAuto().allocate(BYTES, 8);
    for (int round = 0; round < 60; round++) {
      int peer = (rank + 1 + random.nextInt(2)) % 3;
      long key = ranks.contexts[peer].register(remote, 0, BYTES, ALL);
      int offset = random.nextInt(100);
      int length = 1 + random.nextInt(random.nextBoolean() ? 60_000 : BYTES - 101);
      there.copyFrom(filled(BYTES, random.nextInt()));
      ended.run(
          lane, () -> ranks.devices[rank].put(peer, there, offset, length, key, 3, 0, 0, lane));
      var pieces = new NetPieces();
      long middle = random.nextInt(length);
      pieces.add(back, offset + middle, length - middle, key, 3 + middle);
      pieces.add(back, offset, middle, key, 3);
      while (pieces.next() < pieces.count()) {
        ended.run(lane, () -> ranks.devices[rank].transfer(false, peer, pieces, lane));
      }
      assertThat(there.asSlice(offset, length).mismatch(back.asSlice(offset, length)))
          .isEqualTo(-1);
      assertThat(there.asSlice(offset, length).mismatch(remote.asSlice(3, length))).isEqualTo(-1);
      assertThat(ranks.contexts[peer].deregister(key)).isTrue();
    }
  }

  private static void put(LocalRanks ranks, MemorySegment local, long key) {
    int before = ranks.sinks[0].completions.size();
    assertThat(ranks.devices[0].put(1, local, 0, BYTES, key, 0, 0, 0, 5))
        .isEqualTo(NetDevice.PENDING);
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (ranks.sinks[0].completions.size() == before) {
      ranks.poll(0);
      assertThat(System.nanoTime()).isLessThan(limit);
    }
  }

  /** Takes and copies shares until nothing is left. */
  private static void work(
      boolean back, long slot, int generation, MemorySegment from, MemorySegment to, long length) {
    long share = JointCopy.take(back, false, slot, generation, length);
    while (share != JointCopy.NONE) {
      long offset = JointCopy.offset(share, length);
      MemorySegment.copy(from, offset, to, offset, JointCopy.bytes(share, length));
      JointCopy.done(slot, share, NetDevice.OK);
      share = JointCopy.take(back, false, slot, generation, length);
    }
  }

  private static long slot(int generation) {
    MemorySegment memory = Arena.global().allocate(ShmLayout.JOINT_BYTES, ShmLayout.APART);
    JointCopy.prepare(memory.address(), generation);
    return memory.address();
  }

  private static MemorySegment filled(int bytes, int seed) {
    var content = new byte[bytes];
    new Random(seed).nextBytes(content);
    MemorySegment segment = Arena.ofAuto().allocate(bytes, 8);
    Memory.copyIn(MemorySegment.ofArray(content), 0, segment.address(), bytes);
    return segment;
  }

  /** Tells each thread when its transfer has ended; the cookie is the thread. */
  private static final class EndedSink implements org.lacis.net.NetSink {
    private final List<AtomicBoolean> ended = new ArrayList<>();

    EndedSink(int threads) {
      for (int i = 0; i < threads; i++) {
        ended.add(new AtomicBoolean());
      }
    }

    void run(int lane, java.util.function.IntSupplier post) {
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      int answer = post.getAsInt();
      while (answer == NetDevice.BUSY || answer == NetDevice.FULL) {
        assertThat(System.nanoTime()).isLessThan(limit);
        Thread.yield();
        answer = post.getAsInt();
      }
      assertThat(answer).isNotNegative();
      while (answer == NetDevice.PENDING && !ended.get(lane).getAndSet(false)) {
        assertThat(System.nanoTime()).isLessThan(limit);
        Thread.yield();
      }
    }

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      throw new AssertionError("a message that nobody has sent");
    }

    @Override
    public void completed(long cookie, int result) {
      assertThat(result).isEqualTo(NetDevice.OK);
      ended.get((int) cookie).set(true);
    }

    @Override
    public void peerGone(int peer, PeerEnd how) {}
  }
}
