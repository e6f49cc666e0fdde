package org.lacis.net.ofi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;
import org.lacis.net.NetException;

/**
 * The functions, structures and constants of libfabric that are used: the only place that knows
 * them. Most functions are reached through tables of pointers that objects carry, so a call names
 * the pointer. Pointers are longs, so that no call makes an object. The offsets are checked against
 * the C header by a test.
 */
final class Libfabric {

  /** The interface that is asked for: old enough for what is installed, new enough for the rest. */
  static final int VERSION = (1 << 16) | 9;

  // Capabilities, flags, modes.
  static final long MSG = 1L << 1;
  static final long RMA = 1L << 2;
  static final long READ = 1L << 8;
  static final long WRITE = 1L << 9;
  static final long RECV = 1L << 10;
  static final long SEND = 1L << 11;
  static final long REMOTE_READ = 1L << 12;
  static final long REMOTE_WRITE = 1L << 13;
  static final long REMOTE_CQ_DATA = 1L << 17;
  static final long COMPLETION = 1L << 24;
  static final long DELIVERY_COMPLETE = 1L << 28;
  static final long CONTEXT = 1L << 59;
  static final long CONTEXT2 = 1L << 52;

  /** Messages arrive in the order they were sent. */
  static final long ORDER_SAS = 1L << 8;

  /** Receives end in the order they were posted. */
  static final long ORDER_STRICT = 0x1ff;

  // How memory is registered.
  static final int MR_LOCAL = 1 << 2;
  static final int MR_VIRT_ADDR = 1 << 4;
  static final int MR_ALLOCATED = 1 << 5;
  static final int MR_PROV_KEY = 1 << 6;
  static final int MR_RMA_EVENT = 1 << 8;
  static final int MR_ENDPOINT = 1 << 9;

  // Enumerations.
  static final int EP_RDM = 3;
  static final int THREAD_DOMAIN = 3;
  static final int RM_ENABLED = 2;
  static final int AV_TABLE = 2;
  static final int CQ_FORMAT_DATA = 3;
  static final int CONTROL_ENABLE = 6;

  // Errors, as functions return them.
  static final int EAGAIN = -11;
  static final int EAVAIL = -259;
  static final int ENOTCONN = -107;

  // struct fi_info
  static final int INFO_NEXT = 0;
  static final int INFO_CAPS = 8;
  static final int INFO_MODE = 16;
  static final int INFO_TX_ATTR = 72;
  static final int INFO_RX_ATTR = 80;
  static final int INFO_EP_ATTR = 88;
  static final int INFO_DOMAIN_ATTR = 96;
  static final int INFO_FABRIC_ATTR = 104;

  // struct fi_tx_attr, fi_rx_attr, fi_ep_attr, fi_domain_attr, fi_fabric_attr
  static final int TX_OP_FLAGS = 16;
  static final int TX_MSG_ORDER = 24;
  static final int RX_COMP_ORDER = 32;
  static final int TX_INJECT_SIZE = 40;
  static final int RX_SIZE = 48;
  static final int EP_TYPE = 0;
  static final int EP_MAX_MSG_SIZE = 16;
  static final int DOMAIN_NAME = 8;
  static final int DOMAIN_THREADING = 16;
  static final int DOMAIN_RESOURCE_MGMT = 28;
  static final int DOMAIN_AV_TYPE = 32;
  static final int DOMAIN_MR_MODE = 36;
  static final int DOMAIN_MR_KEY_SIZE = 40;
  static final int DOMAIN_CQ_DATA_SIZE = 48;
  static final int FABRIC_PROV_NAME = 16;

  // struct fid and what begins with it: where the tables of functions are
  static final int FID_OPS = 16;
  static final int FABRIC_OPS = 24;
  static final int DOMAIN_OPS = 24;
  static final int DOMAIN_MR = 32;
  static final int AV_OPS = 24;
  static final int CQ_OPS = 24;
  static final int EP_CM = 32;
  static final int EP_MSG = 40;
  static final int EP_RMA = 48;
  static final int MR_MEM_DESC = 24;
  static final int MR_KEY = 32;

  // The tables: where a function's pointer is
  static final int OPS_CLOSE = 8;
  static final int OPS_BIND = 16;
  static final int OPS_CONTROL = 24;
  static final int FABRIC_DOMAIN = 8;
  static final int DOMAIN_AV_OPEN = 8;
  static final int DOMAIN_CQ_OPEN = 16;
  static final int DOMAIN_ENDPOINT = 24;
  static final int MR_REG = 8;
  static final int AV_INSERT = 8;
  static final int CQ_READ = 8;
  static final int CQ_READERR = 24;
  static final int CM_GETNAME = 16;
  static final int MSG_RECV = 8;
  static final int MSG_SEND = 32;
  static final int MSG_INJECT = 56;
  static final int RMA_READ = 8;
  static final int RMA_WRITEMSG = 48;
  static final int RMA_WRITEDATA = 64;
  static final int IOV_LENGTH = 8;
  static final int IOV_BYTES = 16;
  static final int RMA_IOV_LENGTH = 8;
  static final int RMA_IOV_KEY = 16;
  static final int RMA_IOV_BYTES = 24;
  static final int MSG_RMA_DESC = 8;
  static final int MSG_RMA_COUNT = 16;
  static final int MSG_RMA_ADDR = 24;
  static final int MSG_RMA_RMA_IOV = 32;
  static final int MSG_RMA_RMA_COUNT = 40;
  static final int MSG_RMA_CONTEXT = 48;
  static final int MSG_RMA_DATA = 56;
  static final int MSG_RMA_BYTES = 64;

  // struct fi_av_attr, fi_cq_attr
  static final int AV_ATTR_TYPE = 0;
  static final int AV_ATTR_COUNT = 8;
  static final int AV_ATTR_BYTES = 48;
  static final int CQ_ATTR_SIZE = 0;
  static final int CQ_ATTR_FORMAT = 16;
  static final int CQ_ATTR_WAIT_OBJ = 20;
  static final int CQ_ATTR_BYTES = 40;
  static final int WAIT_NONE = 0;

  // struct fi_cq_data_entry, fi_cq_err_entry
  static final int ENTRY_CONTEXT = 0;
  static final int ENTRY_FLAGS = 8;
  static final int ENTRY_LENGTH = 16;
  static final int ENTRY_DATA = 32;
  static final int ENTRY_BYTES = 40;
  static final int ERROR_CODE = 56;

  /** With room for what later versions append. */
  static final int ERROR_BYTES = 160;

  /** What a request that is under way may need for itself: struct fi_context2. */
  static final int CONTEXT_BYTES = 64;

  private static final Linker LINKER = Linker.nativeLinker();

  /** {@code ssize_t f(fid, …)} by the number of arguments, of which all are pointers or 64 bits. */
  private static final MethodHandle CALL_3 = pointer(JAVA_LONG, 3);

  private static final MethodHandle CALL_4 = pointer(JAVA_LONG, 4);
  private static final MethodHandle CALL_6 = pointer(JAVA_LONG, 6);
  private static final MethodHandle CALL_8 = pointer(JAVA_LONG, 8);
  private static final MethodHandle CALL_9 = pointer(JAVA_LONG, 9);

  /** {@code int f(fid, …)}, the same way. */
  private static final MethodHandle INT_1 = pointer(JAVA_INT, 1);

  private static final MethodHandle INT_9 = pointer(JAVA_INT, 9);

  private static final @Nullable SymbolLookup LIBRARY = load();

  private Libfabric() {}

  private static @Nullable SymbolLookup load() {
    try {
      return Libc.keepSignals(() -> SymbolLookup.libraryLookup("libfabric.so.1", Arena.global()));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** A handle whose first argument is the function's address. */
  private static MethodHandle pointer(ValueLayout result, int arguments) {
    return LINKER.downcallHandle(signature(result, arguments));
  }

  private static FunctionDescriptor signature(ValueLayout result, int arguments) {
    MemoryLayout[] all = new MemoryLayout[arguments];
    Arrays.fill(all, JAVA_LONG);
    return FunctionDescriptor.of(result, all);
  }

  /** Whether the library is on this machine. */
  static boolean isHere() {
    return LIBRARY != null;
  }

  /** The version of the library, such as 1.17. */
  static String version() {
    int version = callInt("fi_version");
    return (version >>> 16) + "." + (version & 0xffff);
  }

  /**
   * Calls a function of the library that answers an int. Not for hot paths.
   *
   * @param name as exported
   */
  static int callInt(String name, long... arguments) {
    return (int) call(JAVA_INT, symbol(name), arguments);
  }

  /** The same, of one that answers nothing. */
  static void callVoid(String name, long... arguments) {
    MemoryLayout[] all = new MemoryLayout[arguments.length];
    Arrays.fill(all, JAVA_LONG);
    call(LINKER.downcallHandle(FunctionDescriptor.ofVoid(all)), symbol(name), arguments);
  }

  /** The same, of one that answers a pointer. */
  static long callLong(String name, long... arguments) {
    return (long) call(JAVA_LONG, symbol(name), arguments);
  }

  /**
   * Calls a function from an object's table that answers an int. Not for hot paths.
   *
   * @param object the object
   * @param table where the object has the pointer to the table
   * @param function where the table has the pointer to the function
   * @param arguments after the object itself
   */
  static int invoke(long object, int table, int function, long... arguments) {
    long[] all = new long[arguments.length + 1];
    all[0] = object;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return (int) call(JAVA_INT, function(object, table, function), all);
  }

  /** The same, and the reason is an exception if it fails. */
  static void require(String what, int result) {
    if (result < 0) {
      throw new NetException("libfabric: " + what + " fails: " + error(result));
    }
  }

  /** What a negative result means, for people to read. */
  static String error(int result) {
    return Strings.at(callLong("fi_strerror", -result)) + " (" + result + ")";
  }

  private static Object call(ValueLayout result, MemorySegment function, long... arguments) {
    return Objects.requireNonNull(call(pointer(result, arguments.length), function, arguments));
  }

  private static @Nullable Object call(
      MethodHandle handle, MemorySegment function, long... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = function;
    for (int i = 0; i < arguments.length; i++) {
      all[i + 1] = arguments[i];
    }
    try {
      return handle.invokeWithArguments(all);
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }

  private static MemorySegment symbol(String name) {
    SymbolLookup library = LIBRARY;
    if (library == null) {
      throw new NetException("libfabric is not on this machine");
    }
    return library
        .find(name)
        .orElseThrow(() -> new NetException("libfabric has no function " + name));
  }

  /** The function that an object's table points to. */
  static MemorySegment function(long object, int table, int function) {
    return MemorySegment.ofAddress(Memory.getLong(Memory.getLong(object + table) + function));
  }

  /** Reads of a completion queue, and of its errors. */
  static long call(MemorySegment function, long a, long b, long c) {
    try {
      return (long) CALL_3.invokeExact(function, a, b, c);
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }

  /** Sends that copy. */
  static long call(MemorySegment function, long a, long b, long c, long d) {
    try {
      return (long) CALL_4.invokeExact(function, a, b, c, d);
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }

  /** Sends and receives. */
  static long call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) CALL_6.invokeExact(function, a, b, c, d, e, f);
    } catch (Throwable t) {
      throw new AssertionError("a downcall does not throw", t);
    }
  }

  /** Reads of remote memory. */
  static long call(
      MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h) {
    try {
      return (long) CALL_8.invokeExact(function, a, b, c, d, e, f, g, h);
    } catch (Throwable t) {
      throw new AssertionError("a downcall does not throw", t);
    }
  }

  /** Writes to remote memory that tell so there. */
  static long call(
      MemorySegment function,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long i) {
    try {
      return (long) CALL_9.invokeExact(function, a, b, c, d, e, f, g, h, i);
    } catch (Throwable t) {
      throw new AssertionError("a downcall does not throw", t);
    }
  }

  /** The end of an object. */
  static int callInt(MemorySegment function, long a) {
    try {
      return (int) INT_1.invokeExact(function, a);
    } catch (Throwable t) {
      throw new AssertionError("a downcall does not throw", t);
    }
  }

  /** Registrations of memory. */
  static int callInt(
      MemorySegment function,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long i) {
    try {
      return (int) INT_9.invokeExact(function, a, b, c, d, e, f, g, h, i);
    } catch (Throwable t) {
      throw new AssertionError("a downcall does not throw", t);
    }
  }

  /** Strings of C. */
  static final class Strings {
    private static final int LIMIT = 1024;

    private Strings() {}

    /** The string at an address; empty for none. */
    static String at(long address) {
      return address == 0 ? "" : Memory.segment(address, LIMIT).getString(0);
    }
  }
}
