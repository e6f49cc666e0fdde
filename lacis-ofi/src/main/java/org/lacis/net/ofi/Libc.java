package org.lacis.net.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;
import org.lacis.net.Memory;
import org.lacis.net.NetException;

/** The few functions of the C library that this network needs. Not for hot paths. */
final class Libc {

  /**
   * SIGHUP, SIGINT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTERM of Linux: the JVM lives by
   * some, and ends in order by the others.
   */
  private static final int[] SIGNALS = {1, 2, 4, 6, 7, 8, 11, 15};

  /** More than a struct sigaction has. */
  private static final int ACTION_BYTES = 512;

  private static final Linker LINKER = Linker.nativeLinker();

  private Libc() {}

  private static MethodHandle find(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
  }

  /**
   * So many bytes, zeroed, freed when nobody can reach them any more. They are taken from the
   * system only when they are touched; those of an arena are written when they are allocated.
   */
  static MemorySegment allocate(long bytes, long alignment) {
    MethodHandle calloc = find("calloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    MethodHandle free = find("free", FunctionDescriptor.ofVoid(ADDRESS));
    long address;
    try {
      address = (long) calloc.invokeExact(1L, bytes + alignment);
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
    if (address == 0) {
      throw new NetException("the system has no " + bytes + " bytes of memory");
    }
    MemorySegment all =
        Memory.owned(address, bytes + alignment, Arena.ofAuto(), memory -> free(free, memory));
    return all.asSlice(((address + alignment - 1) & -alignment) - address, bytes);
  }

  private static void free(MethodHandle free, MemorySegment memory) {
    try {
      free.invokeExact(memory);
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }

  /**
   * Does something, and has the signals that the JVM needs handled as before: some libraries that
   * libfabric brings along (PSM, PSM2), and its provider for shared memory, take them for crashes.
   */
  static synchronized <T> T keepSignals(Supplier<T> action) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] kept = new MemorySegment[SIGNALS.length];
      for (int i = 0; i < kept.length; i++) {
        kept[i] = arena.allocate(ACTION_BYTES, Long.BYTES);
        sigaction(SIGNALS[i], MemorySegment.NULL, kept[i]);
      }
      try {
        return action.get();
      } finally {
        for (int i = 0; i < kept.length; i++) {
          sigaction(SIGNALS[i], kept[i], MemorySegment.NULL);
        }
      }
    }
  }

  private static void sigaction(int signal, MemorySegment wanted, MemorySegment former) {
    MemoryLayout[] arguments = {JAVA_INT, ADDRESS, ADDRESS};
    try {
      int ignored =
          (int)
              find("sigaction", FunctionDescriptor.of(JAVA_INT, arguments))
                  .invokeExact(signal, wanted, former);
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }
}
