package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.net.KeySource;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.SystemRandom;

/** Keys: who may do what with which memory. */
class ShmRegistrationTest {

  private static final int READ = NetContext.READ;
  private static final int WRITE = NetContext.WRITE;

  private final MemorySegment local = Arena.ofAuto().allocate(4096, 64);
  private final MemorySegment target = Arena.ofAuto().allocate(4096, 64);

  @ParameterizedTest
  @EnumSource
  void rightsAreChecked(BulkMode mode) {
    try (var ranks = LocalRanks.open(2, mode)) {
      NetContext owner = ranks.contexts[1];
      long readOnly = owner.register(target, 0, 4096, READ);
      long writeOnly = owner.register(MemorySegment.ofArray(new byte[4096]), 0, 4096, WRITE);
      assertThat(put(ranks, readOnly, 0, 8)).isEqualTo(NetDevice.NO_ACCESS);
      assertThat(get(ranks, readOnly, 0, 8)).isNotNegative();
      assertThat(get(ranks, writeOnly, 0, 8)).isEqualTo(NetDevice.NO_ACCESS);
      assertThat(put(ranks, writeOnly, 0, 8)).isNotNegative();
    }
  }

  @Test
  void theRangeIsChecked() {
    try (var ranks = LocalRanks.open(2)) {
      long key = ranks.contexts[1].register(target, 1024, 2048, READ | WRITE);
      assertThat(put(ranks, key, 0, 2048)).isEqualTo(NetDevice.OK);
      assertThat(put(ranks, key, 2048, 0)).isEqualTo(NetDevice.OK);
      assertThat(put(ranks, key, 2047, 1)).isEqualTo(NetDevice.OK);
      assertThat(put(ranks, key, 0, 2049)).isEqualTo(NetDevice.NO_ACCESS);
      assertThat(put(ranks, key, 2048, 1)).isEqualTo(NetDevice.NO_ACCESS);
      assertThat(put(ranks, key, -1, 1)).isEqualTo(NetDevice.NO_ACCESS);
      assertThat(put(ranks, key, Long.MAX_VALUE, 1)).isEqualTo(NetDevice.NO_ACCESS);
      assertThat(put(ranks, key, Long.MIN_VALUE, 1)).isEqualTo(NetDevice.NO_ACCESS);
    }
  }

  @Test
  void aKeyEndsAndIsNotValidAgainWhenItsEntryIsUsedAgain() {
    try (var ranks = LocalRanks.open(2)) {
      NetContext owner = ranks.contexts[1];
      var keys = new HashSet<Long>();
      for (int i = 0; i < 1000; i++) {
        long key = owner.register(target, 0, 4096, WRITE);
        assertThat(keys.add(key)).isTrue();
        assertThat(put(ranks, key, 0, 8)).isEqualTo(NetDevice.OK);
        assertThat(owner.deregister(key)).isTrue();
        assertThat(owner.deregister(key)).isFalse();
      }
      owner.register(target, 0, 4096, WRITE);
      for (long key : keys) {
        assertThat(put(ranks, key, 0, 8)).isEqualTo(NetDevice.NO_ACCESS);
      }
    }
  }

  /** Memory is written by somebody else as soon as it is quiet: nobody writes into it then. */
  @ParameterizedTest
  @EnumSource
  void memoryThatIsQuietIsNotAccessedAnyMore(BulkMode mode) throws InterruptedException {
    int length = 1 << 16;
    MemorySegment source = Arena.ofAuto().allocate(length, 64).fill((byte) 7);
    try (var ranks = LocalRanks.open(2, mode)) {
      NetContext owner = ranks.contexts[1];
      long shared = owner.allocate(length, 64);
      var pieces = List.of(owner.view(shared, length), Arena.ofAuto().allocate(length, 64));
      var key = new AtomicLong();
      var stop = new AtomicBoolean();
      Thread writer =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    while (!stop.get()) {
                      ranks.devices[0].put(1, source, 0, length, key.get(), 0, 0, 0, 1);
                      ranks.poll(0);
                    }
                  });
      try {
        for (int i = 0; i < 400; i++) {
          MemorySegment memory = pieces.get(i & 1);
          key.set(owner.register(memory, 0, length, WRITE));
          for (int polls = i % 50; polls > 0; polls--) {
            ranks.poll(1);
          }
          assertThat(owner.deregister(key.get())).isTrue();
          long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
          while (owner.inUse(key.get())) {
            assertThat(System.nanoTime()).as("waiting 30 s for a copy").isLessThan(limit);
            Thread.onSpinWait();
          }
          memory.fill((byte) 0);
          Thread.yield();
          assertThat(memory.mismatch(MemorySegment.ofArray(new byte[length]))).isEqualTo(-1);
        }
      } finally {
        stop.set(true);
        writer.join(TimeUnit.SECONDS.toMillis(30));
      }
      assertThat(writer.isAlive()).isFalse();
    }
  }

  @Test
  void anEntryThatIsInUseIsNotGivenToAnother() {
    try (var ranks = LocalRanks.open(2)) {
      NetContext owner = ranks.contexts[1];
      long table = ((ShmContext) owner).peers()[1].table;
      long key = owner.register(target, 0, 4096, READ);
      assertThat(Grant.hold(table, key, 0, 8, READ)).isNotEqualTo(Grant.REFUSED);
      assertThat(owner.inUse(key)).isTrue();
      assertThat(owner.deregister(key)).isTrue();
      assertThat(owner.inUse(key)).isTrue();
      for (int i = 0; i < 10; i++) {
        long other = owner.register(target, 0, 4096, READ);
        assertThat(KeySource.index(other)).isNotEqualTo(KeySource.index(key));
        assertThat(owner.deregister(other)).isTrue();
        assertThat(owner.inUse(other)).isFalse();
      }
      Grant.release(table, key);
      assertThat(owner.inUse(key)).isFalse();
      assertThat(Grant.hold(table, key, 0, 8, READ)).isEqualTo(Grant.REFUSED);
      long again = owner.register(target, 0, 4096, READ);
      assertThat(owner.inUse(key)).isFalse();
      assertThat(owner.deregister(again)).isTrue();
    }
  }

  @Test
  void garbageIsNoKey() {
    try (var ranks = LocalRanks.open(2)) {
      long key = ranks.contexts[1].register(target, 0, 4096, READ | WRITE);
      var random = new Random(7);
      assertThat(put(ranks, 0, 0, 8)).isEqualTo(NetDevice.NO_ACCESS);
      assertThat(put(ranks, key ^ (1L << 40), 0, 8)).isEqualTo(NetDevice.NO_ACCESS);
      // A key of one rank is none at another.
      assertThat(ranks.devices[1].put(0, local, 0, 8, key, 0, 0, 0, 0))
          .isEqualTo(NetDevice.NO_ACCESS);
      for (int i = 0; i < 10_000; i++) {
        assertThat(put(ranks, random.nextLong(), 0, 8)).isEqualTo(NetDevice.NO_ACCESS);
        assertThat(ranks.contexts[1].deregister(random.nextLong())).isFalse();
      }
    }
  }

  @Test
  void theTableFillsUpAndEmpties() {
    try (var ranks = LocalRanks.open(1)) {
      NetContext context = ranks.contexts[0];
      var keys = new long[ShmLayout.TABLE_ENTRIES];
      var distinct = new HashSet<Integer>();
      for (int round = 0; round < 2; round++) {
        distinct.clear();
        for (int i = 0; i < keys.length; i++) {
          keys[i] = context.register(target, 0, 64, READ);
          assertThat(keys[i]).isNotZero();
          distinct.add(KeySource.index(keys[i]));
        }
        assertThat(distinct).hasSize(keys.length);
        assertThat(context.register(target, 0, 64, READ)).isZero();
        for (long key : keys) {
          assertThat(context.deregister(key)).isTrue();
        }
      }
    }
  }

  @Test
  void mistakesThrow() {
    try (var ranks = LocalRanks.open(1)) {
      NetContext context = ranks.contexts[0];
      assertThatThrownBy(() -> context.register(target, 1, 4096, READ))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> context.register(target, 0, 8, 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> context.register(target, 0, 8, 4))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> context.register(target.asReadOnly(), 0, 8, WRITE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(context.register(target.asReadOnly(), 0, 8, READ)).isNotZero();
    }
  }

  @Test
  void memoryThatIsGoneIsRefusedByTheTarget() {
    try (var ranks = LocalRanks.open(2, BulkMode.PIPELINE)) {
      Arena arena = Arena.ofShared();
      long key = ranks.contexts[1].register(arena.allocate(64), 0, 64, WRITE);
      assertThat(put(ranks, key, 0, 8)).isEqualTo(NetDevice.PENDING);
      arena.close();
      ranks.until("the end of the put", () -> !ranks.sinks[0].completions.isEmpty());
      assertThat(ranks.sinks[0].completions.getFirst().result()).isEqualTo(NetDevice.NO_ACCESS);
    }
  }

  @Test
  void manyThreadsRegisterAtOnce() {
    try (var ranks = LocalRanks.open(1)) {
      var live = ConcurrentHashMap.<Integer>newKeySet();
      LocalRanks.together(
          8,
          thread -> {
            var random = new Random(thread);
            var mine = new long[50];
            for (int i = 0; i < 40_000; i++) {
              int slot = random.nextInt(mine.length);
              if (mine[slot] == 0) {
                mine[slot] = ranks.contexts[0].register(target, 0, 64, READ);
                assertThat(live.add(KeySource.index(mine[slot]))).isTrue();
              } else {
                assertThat(live.remove(KeySource.index(mine[slot]))).isTrue();
                assertThat(ranks.contexts[0].deregister(mine[slot])).isTrue();
                mine[slot] = 0;
              }
            }
            return thread;
          });
    }
  }

  @Test
  void keysAreSpreadOverAllBits() {
    var source = new KeySource(1, 2);
    long everSet = 0;
    long alwaysSet = -1;
    for (int i = 0; i < 1000; i++) {
      long key = source.key(5, i);
      assertThat(KeySource.index(key)).isEqualTo(5);
      everSet |= key;
      alwaysSet &= key;
    }
    assertThat(everSet >>> 16).isEqualTo(0xffff_ffff_ffffL);
    assertThat(alwaysSet >>> 16).isZero();
  }

  @Test
  void randomNumbersAreDrawnAnewEachTime() {
    var numbers = new HashSet<Long>();
    for (int i = 0; i < 100; i++) {
      for (long number : SystemRandom.longs(3)) {
        numbers.add(number);
      }
    }
    assertThat(numbers).hasSize(300);
  }

  private int put(LocalRanks ranks, long key, long keyOffset, long length) {
    return ranks.devices[0].put(1, local, 0, length, key, keyOffset, 0, 0, 1);
  }

  private int get(LocalRanks ranks, long key, long keyOffset, long length) {
    return ranks.devices[0].get(1, local, 0, length, key, keyOffset, 0, 0, 1);
  }
}
