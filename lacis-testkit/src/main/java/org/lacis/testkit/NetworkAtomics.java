package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lacis.net.AtomicWord;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.testkit.NetworkData.Kind;

/** Atomics: what they do to a word, what they bring, and what they are refused. */
public interface NetworkAtomics extends NetworkSuite {

  /** The word of these tests; what is around it must stay as it is. */
  int WORD = 16;

  /** All of the memory of these tests, in bytes. */
  int BYTES = 40;

  /** Both rights. */
  int BOTH = NetContext.READ | NetContext.WRITE;

  /** Every operation, on both widths, in all memory that has words. */
  @ByRanks
  default void everyOperationChangesTheWordAndBringsWhatWasThere(
      int ranks, RandomGenerator random) {
    try (var rig = new NetworkRig(open(ranks))) {
      for (int to : new int[] {rig.last(), 0}) {
        for (Kind kind : Kind.values()) {
          if (kind != Kind.HEAP_BYTES) {
            for (int operation = AtomicWord.ADD; operation <= AtomicWord.XOR; operation++) {
              apply(rig, to, kind, operation, random);
              apply(rig, to, kind, operation | AtomicWord.INT, random);
            }
          }
        }
      }
      rig.pumpOn();
      assertThat(rig.sink(rig.last()).arrivals).as("messages, though h0 was 0").isEmpty();
    }
  }

  private static void apply(
      NetworkRig rig, int to, Kind kind, int operation, RandomGenerator random) {
    MemorySegment memory = NetworkData.memory(kind, BYTES, rig.context(to));
    long key = rig.context(to).register(memory, 0, BYTES, BOTH);
    MemorySegment expected = MemorySegment.ofArray(new byte[BYTES]);
    expected.fill((byte) 0x5a);
    for (int i = 0; i < 4; i++) {
      long before = random.nextLong();
      long operand = random.nextLong();
      long guess = random.nextBoolean() ? before : before + 1;
      set(expected, operation, before);
      MemorySegment.copy(expected, 0, memory, 0, BYTES);
      MemorySegment local = MemorySegment.ofArray(new byte[BYTES]);
      assertThat(
              rig.transfer(
                  0,
                  "an atomic",
                  c ->
                      rig.device(0)
                          .atomic(to, operation, operand, guess, local, 3, key, WORD, 0, 0, c)))
          .as("operation %d on %s", operation, kind)
          .isEqualTo(NetDevice.OK);
      MemorySegment found = MemorySegment.ofArray(new byte[BYTES]);
      MemorySegment.copy(expected, WORD, found, 3, AtomicWord.bytes(operation));
      assertThat(found.mismatch(local)).as("what operation %d found", operation).isEqualTo(-1);
      set(expected, operation, after(operation, before, operand, guess));
      assertThat(expected.mismatch(memory.asSlice(0, BYTES)))
          .as("after operation %d", operation)
          .isEqualTo(-1);
    }
    rig.context(to).deregister(key);
    if (kind == Kind.ALLOCATED) {
      rig.context(to).free(memory.address(), memory.byteSize());
    }
  }

  private static void set(MemorySegment memory, int operation, long value) {
    if ((operation & AtomicWord.INT) == 0) {
      memory.set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), WORD, value);
    } else {
      memory.set(
          ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), WORD, (int) value);
    }
  }

  private static long after(int operation, long before, long operand, long guess) {
    boolean equal =
        (operation & AtomicWord.INT) == 0 ? before == guess : (int) before == (int) guess;
    return switch (operation & ~AtomicWord.INT) {
      case AtomicWord.ADD -> before + operand;
      case AtomicWord.SWAP -> operand;
      case AtomicWord.COMPARE_AND_SWAP -> equal ? operand : before;
      case AtomicWord.AND -> before & operand;
      case AtomicWord.OR -> before | operand;
      default -> before ^ operand;
    };
  }

  /** What is not allowed changes nothing and tells no one. */
  @ByRanks
  default void anAtomicThatIsNotAllowedIsRefused(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      for (Kind kind : Kind.values()) {
        MemorySegment memory = NetworkData.memory(kind, BYTES, rig.context(rig.last()));
        NetContext owner = rig.context(rig.last());
        for (int rights : new int[] {NetContext.READ, NetContext.WRITE}) {
          long key = owner.register(memory, 0, BYTES, rights);
          refuse(rig, AtomicWord.ADD, memory, key, 0);
          owner.deregister(key);
        }
        long key = owner.register(memory, 8, 24, BOTH);
        for (long offset : new long[] {1, 2, 4, 6, 17, 24, -8, 1L << 32, Long.MAX_VALUE - 7}) {
          refuse(rig, AtomicWord.SWAP, memory, key, offset);
        }
        for (long offset : new long[] {1, 2, 3, 22, 24, -4, Long.MIN_VALUE}) {
          refuse(rig, AtomicWord.SWAP | AtomicWord.INT, memory, key, offset);
        }
        refuse(rig, AtomicWord.ADD, memory, ~key, 0);
        if (kind == Kind.HEAP_BYTES) {
          refuse(rig, AtomicWord.ADD, memory, key, 0);
        }
        owner.deregister(key);
        refuse(rig, AtomicWord.ADD, memory, key, 0);
      }
    }
  }

  private static void refuse(
      NetworkRig rig, int operation, MemorySegment memory, long key, long offset) {
    byte[] content = NetworkData.read(memory, 0, memory.byteSize());
    MemorySegment local = MemorySegment.ofArray(new byte[8]);
    assertThat(
            rig.transfer(
                0,
                "an atomic",
                c ->
                    rig.device(0)
                        .atomic(rig.last(), operation, -1, 0, local, 0, key, offset, 9, 9, c)))
        .as("operation %d at offset %d", operation, offset)
        .isEqualTo(NetDevice.NO_ACCESS);
    rig.pump();
    assertThat(rig.sink(rig.last()).arrivals).as("messages").isEmpty();
    assertThat(NetworkData.read(memory, 0, memory.byteSize())).isEqualTo(content);
  }

  /** Who is told of an atomic finds the word changed. */
  @ByRanks
  default void theNotificationOfAnAtomicComesAfterIt(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      int count = 0;
      for (Kind kind : List.of(Kind.NATIVE, Kind.ALLOCATED, Kind.HEAP_LONGS)) {
        MemorySegment memory = NetworkData.memory(kind, BYTES, rig.context(to));
        long key = rig.context(to).register(memory, 0, BYTES, BOTH);
        MemorySegment local = MemorySegment.ofArray(new byte[8]);
        for (int i = 1; i <= 20; i++) {
          int value = i;
          rig.sink(to).takes =
              arrival -> {
                assertThat(memory.get(ValueLayout.JAVA_BYTE, WORD)).isEqualTo((byte) value);
                return true;
              };
          int result =
              rig.transfer(
                  0,
                  "an atomic",
                  c ->
                      rig.device(0)
                          .atomic(to, AtomicWord.ADD, 1, 0, local, 0, key, WORD, -5, value, c));
          assertThat(result).isEqualTo(NetDevice.OK);
          rig.untilArrived(to, ++count);
          assertThat(rig.sink(to).arrivals.getLast().h0()).isEqualTo(-5);
          assertThat(rig.sink(to).arrivals.getLast().h1()).isEqualTo(value);
        }
      }
    }
  }

  /** Every rank adds to the same word, many at a time: each finds another value. */
  @ByRanks
  default void manyAtomicsUnderWayAtOnceEachFindAnotherValue(int ranks) {
    int each = 200;
    try (var rig = new NetworkRig(open(ranks))) {
      for (Kind kind : List.of(Kind.NATIVE, Kind.ALLOCATED)) {
        int to = rig.last();
        MemorySegment memory = NetworkData.memory(kind, BYTES, rig.context(to));
        long key = rig.context(to).register(memory, 0, BYTES, BOTH);
        MemorySegment found = MemorySegment.ofArray(new long[ranks * each]);
        List<long[]> pending = new ArrayList<>();
        for (int i = 0; i < ranks * each; i++) {
          int from = i % ranks;
          long cookie = (kind.ordinal() + 1) * 1_000_000L + i;
          long at = 8L * i;
          int answer =
              rig.insist(
                  "an atomic",
                  () ->
                      rig.device(from)
                          .atomic(to, AtomicWord.ADD, 1, 0, found, at, key, WORD, 0, 0, cookie));
          if (answer == NetDevice.PENDING) {
            pending.add(new long[] {from, cookie});
          } else {
            assertThat(answer).isEqualTo(NetDevice.OK);
          }
        }
        for (long[] one : pending) {
          rig.until("an atomic", () -> rig.sink((int) one[0]).completions.containsKey(one[1]));
        }
        long[] values = found.toArray(ValueLayout.JAVA_LONG);
        java.util.Arrays.sort(values);
        for (int i = 0; i < values.length; i++) {
          assertThat(values[i]).isEqualTo(i);
        }
        assertThat(memory.get(ValueLayout.JAVA_LONG, WORD)).isEqualTo((long) ranks * each);
      }
    }
  }
}
