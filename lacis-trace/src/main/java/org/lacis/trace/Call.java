package org.lacis.trace;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a trace, with its arguments and times. A reader fills the same object again and
 * again: who wants to keep something of it copies that. Not thread-safe.
 *
 * <p>Arguments are named by their place, which {@link CallType#indexOf} tells.
 */
public final class Call {
  /** The length of an array that is not there. */
  public static final int ABSENT = -1;

  /** Numbers per status. */
  public static final int STATUS_SIZE = 5;

  /** In a status: bytes received. */
  public static final int STATUS_BYTES = 0;

  /** In a status: the rank the message came from. */
  public static final int STATUS_SOURCE = 1;

  /** In a status: whether the request was cancelled. */
  public static final int STATUS_CANCELLED = 2;

  /** In a status: the error. */
  public static final int STATUS_ERROR = 3;

  /** In a status: the tag of the message. */
  public static final int STATUS_TAG = 4;

  private static final int[] NONE = {};

  private CallType type = CallType.named("MPI_Finalize");
  private long offset;
  private int thread;
  private long wallStart;
  private long wallStop;
  private long cpuStart;
  private long cpuStop;
  private final long[] values = new long[CallType.MAX_FIELDS];
  private final int[] lengths = new int[CallType.MAX_FIELDS];
  private final int[][] arrays = new int[CallType.MAX_FIELDS][];
  private final @Nullable Object[] texts = new @Nullable Object[CallType.MAX_FIELDS];
  private long[] counters = {};
  private int counterCount;
  private List<String> counterNames = List.of();

  /** An empty one. */
  public Call() {
    Arrays.fill(arrays, NONE);
  }

  /** Makes it a call of a type, without times and arguments. */
  public void reset(CallType newType, long newOffset) {
    type = newType;
    offset = newOffset;
    thread = 0;
    wallStart = 0;
    wallStop = 0;
    cpuStart = 0;
    cpuStop = 0;
    counterCount = 0;
    for (int i = newType.fields().size() - 1; i >= 0; i--) {
      values[i] = 0;
      lengths[i] = ABSENT;
      texts[i] = null;
    }
  }

  /** Which call. */
  public CallType type() {
    return type;
  }

  /** Where its record starts in its file, in bytes. */
  public long offset() {
    return offset;
  }

  /** The thread that made it. */
  public int thread() {
    return thread;
  }

  /** When it was entered, by the clock on the wall, in nanoseconds since something. */
  public long wallStart() {
    return wallStart;
  }

  /** When it returned, by the clock on the wall, in nanoseconds. */
  public long wallStop() {
    return wallStop;
  }

  /** When it was entered, in nanoseconds of processor time. */
  public long cpuStart() {
    return cpuStart;
  }

  /** When it returned, in nanoseconds of processor time. */
  public long cpuStop() {
    return cpuStop;
  }

  /** Sets the thread. */
  public void thread(int value) {
    thread = value;
  }

  /** Sets the times on the wall, in nanoseconds. */
  public void wall(long start, long stop) {
    wallStart = start;
    wallStop = stop;
  }

  /** Sets the processor times, in nanoseconds. */
  public void cpu(long start, long stop) {
    cpuStart = start;
    cpuStop = stop;
  }

  /** The value of an argument that is a number; 0 if it is not there. */
  public long value(int field) {
    return values[field];
  }

  /** The value of an argument that is a number of at most 32 bits; 0 if it is not there. */
  public int intValue(int field) {
    return (int) values[field];
  }

  /** Sets an argument that is a number. */
  public void value(int field, long value) {
    values[field] = value;
  }

  /** How many elements an array has, or how many statuses; {@link #ABSENT} if it is not there. */
  public int length(int field) {
    return lengths[field];
  }

  /** An element of an array. */
  public int element(int field, int at) {
    return arrays[field][at];
  }

  /** A number of a status: one of the constants of this class. */
  public int status(int field, int at, int what) {
    return arrays[field][at * STATUS_SIZE + what];
  }

  /**
   * Makes an argument an array, and hands it out to be filled. It may be longer than asked for.
   *
   * @param length of the array, or how many statuses it has room for
   * @param each numbers per element: 1, or more for statuses and groups of numbers
   */
  public int[] array(int field, int length, int each) {
    int needed = Math.multiplyExact(length, each);
    if (arrays[field].length < needed) {
      arrays[field] = new int[Math.max(needed, 16)];
    }
    lengths[field] = length;
    return arrays[field];
  }

  /** An argument that is text, or the name of a function; null if it is not there. */
  public @Nullable String text(int field) {
    return (String) texts[field];
  }

  /** Sets an argument that is text. */
  public void text(int field, String value) {
    texts[field] = value;
  }

  /** An argument that is a list of lists of strings; null if it is not there. */
  @SuppressWarnings("unchecked") // only set below
  public @Nullable List<List<String>> texts(int field) {
    return (List<List<String>>) texts[field];
  }

  /** Sets an argument that is a list of lists of strings. */
  public void texts(int field, List<List<String>> value) {
    texts[field] = value;
    lengths[field] = value.size();
  }

  /** How many performance counters the record has. */
  public int counters() {
    return counterCount;
  }

  /** The name of a performance counter; empty if it has none. */
  public String counterName(int at) {
    return at < counterNames.size() ? counterNames.get(at) : "";
  }

  /** Sets the names of the performance counters, of this call and of those read after it. */
  public void counterNames(List<String> names) {
    counterNames = names;
  }

  /** A performance counter on entry. */
  public long counterIn(int at) {
    return counters[2 * at];
  }

  /** A performance counter on return. */
  public long counterOut(int at) {
    return counters[2 * at + 1];
  }

  /** Makes room for performance counters, two values each: on entry and on return. */
  public long[] counters(int count) {
    if (counters.length < 2 * count) {
      counters = new long[2 * count];
    }
    counterCount = count;
    return counters;
  }
}
