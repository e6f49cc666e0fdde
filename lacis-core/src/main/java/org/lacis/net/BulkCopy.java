package org.lacis.net;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C library's {@code memcpy}, which knows the processor. Where that can write whole lines
 * without having them first, copies into memory that another core has read are up to three times as
 * quick as those of the JVM. Programs that never copy much start quicker, without its handle.
 */
final class BulkCopy {

  /** At a time: nothing stops the thread meanwhile, not even the collector. */
  private static final long CHUNK = 1 << 20;

  /**
   * With the segment that is read as an argument that memcpy does not have: as long as the call
   * lasts nobody can close its arena.
   */
  private static final MethodHandle MEMCPY =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("memcpy"),
              FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS),
              Linker.Option.critical(false));

  private BulkCopy() {}

  /**
   * Copies.
   *
   * @param alive keeps the memory that is read, or {@link MemorySegment#NULL} if somebody else does
   */
  static void copy(long from, long to, long length, MemorySegment alive) {
    for (long done = 0; done < length; done += CHUNK) {
      call(to + done, from + done, Math.min(length - done, CHUNK), alive);
    }
  }

  private static void call(long to, long from, long length, MemorySegment alive) {
    try {
      long ignored = (long) MEMCPY.invokeExact(to, from, length, alive);
    } catch (RuntimeException | Error e) {
      throw e; // closed, or another thread's
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }
}
