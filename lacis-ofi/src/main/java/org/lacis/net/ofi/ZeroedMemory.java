package org.lacis.net.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.lacis.net.Memory;
import org.lacis.net.NetException;

/**
 * Zeroed memory that is taken from the system only when it is touched, which an arena's is not: it
 * is written when it is allocated.
 */
final class ZeroedMemory {

  private ZeroedMemory() {}

  /** So many bytes, freed when nobody can reach them any more. */
  static MemorySegment allocate(long bytes, long alignment) {
    Linker linker = Linker.nativeLinker();
    MethodHandle calloc =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("calloc"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    MethodHandle free =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(ADDRESS));
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
}
