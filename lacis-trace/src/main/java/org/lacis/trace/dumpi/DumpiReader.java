package org.lacis.trace.dumpi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lacis.trace.Call;
import org.lacis.trace.CallGroup;
import org.lacis.trace.CallSink;
import org.lacis.trace.CallType;
import org.lacis.trace.Field;
import org.lacis.trace.FormatVersion;
import org.lacis.trace.TraceException;

/**
 * Reads the body of a binary file.
 *
 * <pre>
 *   record:  u16 call | u8 mask | u16 thread | cpu start, stop | wall start, stop | counters | arguments
 *   time:    u16 seconds after the bias | i32 nanoseconds
 *   status:  i32 bytes | i32 source | i8 cancelled | i8 error | i32 tag
 * </pre>
 *
 * <p>The mask says which of the parts before the arguments are there, and whether statuses are. A
 * record does not tell its length: after one that cannot be understood nothing can be read.
 */
final class DumpiReader {
  private static final int END_OF_STREAM = 293;
  private static final int STATUSES = 0x03;
  private static final int CPU_TIME = 0x04;
  private static final int WALL_TIME = 0x08;
  private static final int THREAD = 0x40;
  private static final int COUNTERS = 0x80;

  private static final FormatVersion STATUS_HAS_TAG = new FormatVersion(0, 6, 3);
  private static final CallType FINALIZE = CallType.named("MPI_Finalize");

  private final Window window;
  private final FormatVersion version;
  private final boolean statusHasTag;
  private final Map<Long, String> functions;
  private final Call call = new Call();

  DumpiReader(
      Window window,
      FormatVersion version,
      List<String> counterNames,
      Map<Long, String> functions) {
    this.window = window;
    this.functions = functions;
    call.counterNames(counterNames);
    this.version = version;
    statusHasTag = !version.isBefore(STATUS_HAS_TAG);
  }

  void read(CallSink sink) throws IOException {
    long cpuBias = window.i32() * 1_000_000_000L;
    long wallBias = window.i32() * 1_000_000_000L;
    boolean finalized = false;
    while (window.left() > 0) {
      long start = window.position();
      int id = window.u16();
      // Old files have zeros after the last call.
      if (id == END_OF_STREAM || (finalized && id == 0)) {
        return;
      }
      record(start, type(start, id), cpuBias, wallBias);
      finalized |= call.type() == FINALIZE;
      sink.call(call);
    }
  }

  private CallType type(long start, int id) throws TraceException {
    CallType type = CallType.of(id);
    if (type == null || type.group() == CallGroup.UNKNOWN) {
      throw window.damage(
          start,
          type == null
              ? "a call with the number %d is not known".formatted(id)
              : "the layout of " + type + " is not known");
    }
    return type;
  }

  private void record(long start, CallType type, long cpuBias, long wallBias) throws IOException {
    call.reset(type, start);
    int mask = window.u8();
    if ((mask & THREAD) != 0) {
      call.thread(window.u16());
    }
    if ((mask & CPU_TIME) != 0) {
      call.cpu(time(cpuBias), time(cpuBias));
    }
    if ((mask & WALL_TIME) != 0) {
      call.wall(time(wallBias), time(wallBias));
    }
    if ((mask & COUNTERS) != 0) {
      int count = window.u8();
      long[] counters = call.counters(count);
      for (int i = 0; i < 2 * count; i++) {
        counters[i] = window.i64();
      }
    }
    List<Field> fields = type.fields();
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      if (field.rootAt() < 0 || call.value(field.rootAt()) == root(type)) {
        argument(field, mask);
      }
    }
  }

  private long root(CallType type) {
    return call.value(type.indexOf("root"));
  }

  private long time(long bias) throws IOException {
    return bias + window.u16() * 1_000_000_000L + window.i32();
  }

  private void argument(Field field, int mask) throws IOException {
    int at = field.index();
    switch (field.kind()) {
      case STATUS -> {
        if ((mask & STATUSES) != 0) {
          statuses(field);
        }
      }
      case STRING -> call.text(at, window.text(window.length(field.name(), 1)));
      case ARGUMENTS -> call.texts(at, List.of(strings(count(field))));
      case STRINGS -> call.texts(at, List.of(strings(window.length(field.name(), 4))));
      case STRINGLISTS -> {
        List<List<String>> lists = new ArrayList<>();
        for (int left = window.length(field.name(), 4); left > 0; left--) {
          lists.add(strings(window.length(field.name(), 4)));
        }
        call.texts(at, lists);
      }
      case TRIPLES -> triples(field);
      case FUNCTION -> {
        long address = window.i64();
        call.value(at, address);
        String function = functions.get(address);
        if (function != null) {
          call.text(at, function);
        }
      }
      default -> {
        if (field.isArray()) {
          array(field);
        } else {
          call.value(at, number(field.kind().width()));
        }
      }
    }
  }

  private long number(int width) throws IOException {
    return switch (width) {
      case 4 -> window.i32();
      case 2 -> window.i16();
      case 1 -> window.u8();
      default -> window.i64();
    };
  }

  private void array(Field field) throws IOException {
    int width = field.kind().width();
    boolean bare = field.bareBefore() != null && version.isBefore(field.bareBefore());
    int length = bare ? 1 : window.length(field.name(), width);
    int[] array = call.array(field.index(), length, 1);
    for (int i = 0; i < length; i++) {
      array[i] = (int) number(width);
    }
    if (!bare) {
      // An array knows its length better than the argument before it.
      call.value(field.lengthAt(), length);
    }
  }

  private void statuses(Field field) throws IOException {
    int length = window.length(field.name(), statusHasTag ? 14 : 10);
    if (length == 0) {
      return;
    }
    int[] array = call.array(field.index(), length, Call.STATUS_SIZE);
    for (int i = 0; i < length * Call.STATUS_SIZE; i += Call.STATUS_SIZE) {
      array[i + Call.STATUS_BYTES] = window.i32();
      array[i + Call.STATUS_SOURCE] = window.i32();
      array[i + Call.STATUS_CANCELLED] = window.i8();
      array[i + Call.STATUS_ERROR] = window.i8();
      array[i + Call.STATUS_TAG] = statusHasTag ? window.i32() : -1;
    }
  }

  private void triples(Field field) throws IOException {
    int length = window.length(field.name(), 4);
    int[] array = call.array(field.index(), length, 3);
    for (int i = 0; i < length; i++) {
      long start = window.position();
      int numbers = window.i32();
      if (numbers != 3) {
        throw window.damage(
            start, "%s has %,d numbers where there must be 3".formatted(field.name(), numbers));
      }
      for (int j = 0; j < 3; j++) {
        array[3 * i + j] = window.i32();
      }
    }
    call.value(field.lengthAt(), length);
  }

  private int count(Field field) throws IOException {
    long count = call.value(field.lengthAt());
    if (count < 0 || count * 4 > window.left()) {
      throw window.damage(window.position(), "%s has %,d elements".formatted(field.name(), count));
    }
    return (int) count;
  }

  private List<String> strings(int count) throws IOException {
    List<String> strings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      strings.add(window.text(window.length("a string", 1)));
    }
    return strings;
  }
}
