package org.lacis.boot;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;
import org.lacis.net.Probe;

/**
 * The few functions of libpmix that are needed to take part in a job: the only place that knows its
 * symbols, numbers and structures, which are those of versions 3 to 5. All are safe for use by
 * several threads; those that wait for others wait without limit.
 *
 * <pre>
 *   pmix_proc_t    0 nspace (256 characters)   256 rank
 *   pmix_value_t   0 type (16 bits)            8 data
 *   pmix_info_t    0 key (512 characters)      512 flags   520 value
 * </pre>
 */
final class Pmix {
  static final int PROC_BYTES = 260;
  static final int PROC_RANK = 256;
  static final int VALUE_BYTES = 32;
  static final int VALUE_DATA = 8;
  static final int INFO_BYTES = 552;
  static final int INFO_VALUE = 520;

  private static final int SUCCESS = 0;
  private static final int LOST_CONNECTION = -61;
  private static final short BOOL = 1;
  private static final short STRING = 3;
  private static final short UINT32 = 14;
  private static final byte GLOBAL = 3;
  private static final int WILDCARD = -2;
  private static final String COLLECT = "pmix.collect";
  private static final String JOB_SIZE = "pmix.job.size";

  /** Debian names the first, others may have the second alone. */
  private static final List<String> LIBRARIES = List.of("libpmix.so.2", "libpmix.so");

  private static @Nullable Pmix loaded;

  private final SymbolLookup library;
  private final Linker linker = Linker.nativeLinker();
  private final MemorySegment self = Arena.global().allocate(PROC_BYTES, 8);
  private final MethodHandle put;
  private final MethodHandle get;
  private final MethodHandle commit;
  private final MethodHandle fence;
  private final MethodHandle free;

  private Pmix(SymbolLookup library) {
    this.library = library;
    put = function(library, "PMIx_Put", JAVA_INT, JAVA_BYTE, ADDRESS, ADDRESS);
    get = function(library, "PMIx_Get", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    commit = function(library, "PMIx_Commit", JAVA_INT);
    fence = function(library, "PMIx_Fence", JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
    free =
        linker.downcallHandle(
            linker.defaultLookup().find("free").orElseThrow(),
            FunctionDescriptor.ofVoid(JAVA_LONG));
  }

  /**
   * Loads the library, once.
   *
   * @throws BootException if there is none, which says how to get it
   */
  static synchronized Pmix load() {
    if (loaded == null) {
      loaded = new Pmix(library());
    }
    return loaded;
  }

  /** Whether there is a libpmix, and which. */
  static Probe probe() {
    try {
      return new Probe.Ready(load().version());
    } catch (BootException e) {
      return new Probe.Missing(String.valueOf(e.getMessage()));
    }
  }

  private static SymbolLookup library() {
    for (String name : LIBRARIES) {
      try {
        return SymbolLookup.libraryLookup(name, Arena.global());
      } catch (IllegalArgumentException e) {
        // Not under this name.
      }
    }
    throw new BootException(
        "libpmix cannot be loaded: install it (package libpmix2 of Debian and Ubuntu, pmix of"
            + " Fedora and RHEL), or name its folder in LD_LIBRARY_PATH");
  }

  private MethodHandle function(
      SymbolLookup lookup, String name, ValueLayout result, ValueLayout... arguments) {
    return linker.downcallHandle(
        lookup
            .find(name)
            .orElseThrow(() -> new BootException("libpmix has no " + name + ": is it too old?")),
        FunctionDescriptor.of(result, arguments));
  }

  String version() {
    MethodHandle call = function(library, "PMIx_Get_version", JAVA_LONG);
    try {
      return text((long) call.invokeExact());
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Connects to the server that the environment of the process names. */
  void init() {
    MethodHandle call = function(library, "PMIx_Init", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    try {
      check("PMIx_Init", (int) call.invokeExact(self, MemorySegment.NULL, 0L));
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Has this run, on a thread of the library, when the connection to the server is lost. */
  void onLoss(Runnable action) {
    MethodHandle call =
        function(
            library,
            "PMIx_Register_event_handler",
            JAVA_INT,
            ADDRESS,
            JAVA_LONG,
            ADDRESS,
            JAVA_LONG,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    FunctionDescriptor handler =
        FunctionDescriptor.ofVoid(
            JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle run =
          MethodHandles.lookup()
              .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
              .bindTo(action);
      MethodHandle stub =
          MethodHandles.dropArguments(run, 0, handler.toMethodType().parameterList());
      MemorySegment codes = arena.allocateFrom(JAVA_INT, LOST_CONNECTION);
      int answer =
          (int)
              call.invokeExact(
                  codes,
                  1L,
                  MemorySegment.NULL,
                  0L,
                  linker.upcallStub(stub, handler, Arena.global()),
                  MemorySegment.NULL,
                  MemorySegment.NULL);
      if (answer < 0) {
        check("PMIx_Register_event_handler", answer);
      }
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** The number of processes in this job. */
  int jobSize() {
    try (Arena arena = Arena.ofConfined()) {
      long value = value(arena, WILDCARD, JOB_SIZE);
      int type = Memory.getInt(value) & 0xffff;
      int size = Memory.getInt(value + VALUE_DATA);
      release(value);
      if (type != UINT32) {
        throw new BootException(JOB_SIZE + " has type " + type + " instead of " + UINT32);
      }
      return size;
    }
  }

  /** Sets a key of this process, which others see after {@link #fence}. */
  void put(String key, String text) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(VALUE_BYTES, 8);
      value.set(JAVA_SHORT, 0, STRING);
      value.set(ADDRESS, VALUE_DATA, arena.allocateFrom(text));
      check("PMIx_Put", (int) put.invokeExact(GLOBAL, arena.allocateFrom(key), value));
      check("PMIx_Commit", (int) commit.invokeExact());
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Waits for all processes of the job, and brings what they have put. */
  void fence() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(INFO_BYTES, 8);
      info.setString(0, COLLECT);
      info.set(JAVA_SHORT, INFO_VALUE, BOOL);
      info.set(JAVA_BYTE, INFO_VALUE + VALUE_DATA, (byte) 1);
      check("PMIx_Fence", (int) fence.invokeExact(MemorySegment.NULL, 0L, info, 1L));
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** What a process has put. */
  String get(int rank, String key) {
    try (Arena arena = Arena.ofConfined()) {
      long value = value(arena, rank, key);
      if ((Memory.getInt(value) & 0xffff) != STRING) {
        throw new BootException(key + " of rank " + rank + " is no text");
      }
      long address = Memory.getLong(value + VALUE_DATA);
      String text = text(address);
      release(address);
      release(value);
      return text;
    }
  }

  private long value(Arena arena, int rank, String key) {
    MemorySegment process = arena.allocate(PROC_BYTES, 8).copyFrom(self);
    process.set(JAVA_INT, PROC_RANK, rank);
    MemorySegment found = arena.allocate(ADDRESS);
    try {
      check(
          "PMIx_Get " + key,
          (int) get.invokeExact(process, arena.allocateFrom(key), MemorySegment.NULL, 0L, found));
    } catch (Throwable e) {
      throw failure(e);
    }
    return found.get(JAVA_LONG, 0);
  }

  private void release(long address) {
    try {
      free.invokeExact(address);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Ends all processes of the job, perhaps this one too. */
  void abort(int code, String message) {
    MethodHandle call =
        function(library, "PMIx_Abort", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(message);
      check("PMIx_Abort", (int) call.invokeExact(code, text, MemorySegment.NULL, 0L));
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  void end() {
    MethodHandle call = function(library, "PMIx_Finalize", JAVA_INT, ADDRESS, JAVA_LONG);
    try {
      check("PMIx_Finalize", (int) call.invokeExact(MemorySegment.NULL, 0L));
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private void check(String what, int status) {
    if (status != SUCCESS) {
      throw new BootException(what + " answers " + status + ", " + error(status));
    }
  }

  private String error(int status) {
    MethodHandle call = function(library, "PMIx_Error_string", JAVA_LONG, JAVA_INT);
    try {
      return text((long) call.invokeExact(status));
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static String text(long address) {
    return Memory.all().getString(address);
  }

  private static BootException failure(Throwable thrown) {
    if (thrown instanceof BootException known) {
      return known;
    }
    throw new AssertionError("a downcall does not throw", thrown);
  }
}
