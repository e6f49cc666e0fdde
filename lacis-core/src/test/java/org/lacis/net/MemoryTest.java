package org.lacis.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryTest {

  private static final int MORE = 3 << 20;

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 7, 8, 9, 63, 64, 65, 2303, 2304, 2305, 8192, 1 << 20, (1 << 20) + 1, MORE})
  void everyLengthIsCopiedAndNothingBesideIt(int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(length + 32L, 64);
      for (long i = 0; i < from.byteSize(); i++) {
        from.set(JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
      }
      MemorySegment to = arena.allocate(length + 32L, 64);
      for (long offset : new long[] {0, 3, 16}) {
        Memory.copyIn(from, offset, to.fill((byte) 1).address() + 5, length);
        check(from, offset, to, length);
        Memory.copyAway(from.address() + offset, to.fill((byte) 1).address() + 5, length);
        check(from, offset, to, length);
        MemorySegment heap = MemorySegment.ofArray(from.toArray(JAVA_BYTE));
        Memory.copyIn(heap, offset, to.fill((byte) 1).address() + 5, length);
        check(from, offset, to, length);
        LocalCopy.move(false, from, offset, to.fill((byte) 1).address() + 5, length);
        check(from, offset, to, length);
      }
    }
  }

  private static void check(MemorySegment from, long offset, MemorySegment to, int length) {
    assertThat(MemorySegment.mismatch(from, offset, offset + length, to, 5, 5L + length))
        .isEqualTo(-1);
    assertThat(to.asSlice(0, 5).toArray(JAVA_BYTE)).containsOnly(1);
    assertThat(to.asSlice(5L + length).toArray(JAVA_BYTE)).containsOnly(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 8192})
  void whatIsNotInTheSegmentIsRefused(int length) {
    try (Arena arena = Arena.ofConfined()) {
      long to = arena.allocate(length).address();
      MemorySegment from = arena.allocate(length);
      assertThatThrownBy(() -> Memory.copyIn(from, 1, to, length))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> Memory.copyIn(from, -1, to, length))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 8192})
  void aClosedArenaIsRefused(int length) {
    try (Arena arena = Arena.ofConfined()) {
      long to = arena.allocate(length).address();
      for (Arena closed : new Arena[] {Arena.ofConfined(), Arena.ofShared()}) {
        MemorySegment from = closed.allocate(length);
        closed.close();
        assertThatThrownBy(() -> Memory.copyIn(from, 0, to, length))
            .isInstanceOf(IllegalStateException.class);
        assertThat(LocalCopy.move(false, from, 0, to, length)).isEqualTo(NetDevice.NO_ACCESS);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 8192})
  void aConfinedArenaRefusesAnotherThread(int length) throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      long to = arena.allocate(length).address();
      MemorySegment from = arena.allocate(length);
      var thrown = new AtomicReference<Throwable>();
      Thread other =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> thrown.set(e))
              .start(() -> Memory.copyIn(from, 0, to, length));
      other.join();
      assertThat(thrown.get()).isInstanceOf(WrongThreadException.class);
    }
  }

  /** It must not be read by the C library, which would end the process. */
  @Test
  void aMappedFileThatHasBecomeShorterIsAnError(@TempDir Path folder) throws IOException {
    int length = 64 << 10;
    try (Arena arena = Arena.ofConfined();
        FileChannel file =
            FileChannel.open(
                folder.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      MemorySegment from = file.map(FileChannel.MapMode.READ_WRITE, 0, length, arena);
      long to = arena.allocate(length).address();
      file.truncate(0);
      assertThat(fails(() -> Memory.copyIn(from, 0, to, length))).isTrue();
      assertThat(fails(() -> requireDone(LocalCopy.move(false, from, 0, to, length)))).isTrue();
      // As the engine reaches what is in a confined arena.
      MemorySegment all = Memory.all(from);
      long at = from.address();
      assertThat(fails(() -> Memory.copyIn(all, at, to, length))).isTrue();
      assertThat(fails(() -> requireDone(LocalCopy.move(false, all, at, to, length)))).isTrue();
    }
  }

  @Test
  void rangesThatOverlapAreCopiedAsIfByWayOfAnother() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(MORE + 64);
      for (long i = 0; i < memory.byteSize(); i++) {
        memory.set(JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
      }
      byte[] before = memory.toArray(JAVA_BYTE);
      Memory.copyIn(memory, 0, memory.address() + 64, MORE);
      assertThat(
              MemorySegment.mismatch(memory, 64, 64 + MORE, MemorySegment.ofArray(before), 0, MORE))
          .isEqualTo(-1);
    }
  }

  private static void requireDone(int result) {
    if (result != NetDevice.OK) {
      throw new InternalError();
    }
  }

  /** The JVM throws the error at the latest when the thread comes back from the system. */
  private static boolean fails(Runnable copy) {
    try {
      copy.run();
      Thread.yield();
      return false;
    } catch (InternalError e) {
      return true;
    }
  }
}
