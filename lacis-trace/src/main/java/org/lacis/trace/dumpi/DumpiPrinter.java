package org.lacis.trace.dumpi;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.Field;

/** Prints calls as dumpi2ascii does, byte for byte. */
public final class DumpiPrinter implements CallSink {
  private static final String IGNORED = "<IGNORED>";
  private static final int FLUSH_AT = 1 << 16;

  private final OutputStream out;
  private final StringBuilder text = new StringBuilder();

  /** Makes one. It buffers: {@link #flush} after the last call. */
  public DumpiPrinter(OutputStream out) {
    this.out = out;
  }

  @Override
  public void call(Call call) throws IOException {
    line(call, " entering at walltime ", call.wallStart(), call.cpuStart());
    counters(call, true);
    for (Field field : call.type().printed()) {
      argument(call, field);
    }
    line(call, " returning at walltime ", call.wallStop(), call.cpuStop());
    counters(call, false);
    if (text.length() >= FLUSH_AT) {
      flush();
    }
  }

  /** Writes what was printed. */
  public void flush() throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
    text.setLength(0);
  }

  private void line(Call call, String what, long wall, long cpu) {
    text.append(call.type().name()).append(what);
    seconds(wall);
    text.append(", cputime ");
    seconds(cpu);
    text.append(" seconds in thread ").append(call.thread()).append(".\n");
  }

  private void seconds(long nanos) {
    text.append(Math.floorDiv(nanos, 1_000_000_000L)).append('.');
    int fraction = Math.floorMod(nanos, 1_000_000_000);
    for (int digit = 100_000_000; digit > 0; digit /= 10) {
      text.append((char) ('0' + fraction / digit % 10));
    }
  }

  private void counters(Call call, boolean in) {
    if (call.counters() > 0) {
      text.append("Perfcounters: [");
      for (int i = 0; i < call.counters(); i++) {
        text.append(i == 0 ? "" : ", ");
        text.append(call.counterName(i)).append('=');
        text.append(in ? call.counterIn(i) : call.counterOut(i));
      }
      text.append("]\n");
    }
  }

  private void argument(Call call, Field field) {
    int at = field.index();
    text.append(field.kind().text()).append(' ').append(field.name());
    if (field.isArray()) {
      text.append('[').append(call.value(field.lengthAt())).append(']');
    }
    switch (field.kind()) {
      case STATUS -> statuses(call, field);
      case STRING -> {
        String value = call.text(at);
        text.append("=\"").append(value == null ? "(null)" : value).append("\"\n");
      }
      case ARGUMENTS -> strings(call, field, ", ");
      case STRINGS -> {
        // Without a length of its own, dumpi2ascii has neither a number nor commas for it.
        text.append(field.isArray() ? "" : "[-2]");
        strings(call, field, field.isArray() ? ", " : "");
      }
      case STRINGLISTS -> stringLists(call, field);
      case TRIPLES -> triples(call, field);
      case REQUEST, IOREQUEST -> {
        if (field.isArray()) {
          numbers(call, field, false);
        } else {
          text.append("=[").append(call.value(at)).append("]\n");
        }
      }
      case DATATYPE, INFO, DISTRIBUTION -> scalarOrNumbers(call, field, true);
      case FUNCTION -> {
        String function = call.text(at);
        text.append('=').append(call.value(at));
        text.append(" (\"").append(function == null ? "(null)" : function).append("\")\n");
      }
      default -> scalarOrNumbers(call, field, false);
    }
  }

  /**
   * Prints a number, or an array.
   *
   * @param always whether an array that is not there has brackets all the same
   */
  private void scalarOrNumbers(Call call, Field field, boolean always) {
    if (field.isArray()) {
      numbers(call, field, always);
      return;
    }
    long value = call.value(field.index());
    text.append('=').append(value);
    String name = field.kind().nameOf((int) value);
    if (name != null) {
      text.append(" (").append(name).append(')');
    }
    text.append('\n');
  }

  private void numbers(Call call, Field field, boolean always) {
    int length = call.length(field.index());
    if (length < 1 && !always) {
      text.append('=').append(IGNORED).append('\n');
      return;
    }
    text.append("=[");
    for (int i = 0; i < length; i++) {
      text.append(i == 0 ? "" : ", ").append(call.element(field.index(), i));
    }
    text.append("]\n");
  }

  private void statuses(Call call, Field field) {
    int at = field.index();
    int length = call.length(at);
    if (field.isArray() && call.value(field.lengthAt()) < length) {
      length = (int) call.value(field.lengthAt());
    }
    if (length < 1) {
      text.append('=').append(IGNORED).append('\n');
      return;
    }
    text.append("=[");
    for (int i = 0; i < length; i++) {
      text.append(i == 0 ? "" : ", ");
      text.append("{bytes=").append(call.status(at, i, Call.STATUS_BYTES));
      text.append(", cancelled=").append(call.status(at, i, Call.STATUS_CANCELLED));
      text.append(", source=").append(call.status(at, i, Call.STATUS_SOURCE));
      text.append(", tag=").append(call.status(at, i, Call.STATUS_TAG));
      text.append(", error=").append(call.status(at, i, Call.STATUS_ERROR)).append('}');
    }
    text.append("]\n");
  }

  private void strings(Call call, Field field, String separator) {
    List<List<String>> lists = call.texts(field.index());
    if (lists == null || (field.isArray() && call.value(field.lengthAt()) == 0)) {
      text.append('=').append(IGNORED).append('\n');
      return;
    }
    text.append('=');
    list(lists.getFirst(), separator);
    text.append('\n');
  }

  private void stringLists(Call call, Field field) {
    text.append("[-2]=");
    List<List<String>> lists = call.texts(field.index());
    if (lists == null || lists.isEmpty()) {
      text.append(IGNORED).append('\n');
      return;
    }
    text.append('[');
    for (int i = 0; i < lists.size(); i++) {
      text.append(i == 0 ? "" : ", ");
      list(lists.get(i), "");
    }
    text.append("]\n");
  }

  private void list(List<String> strings, String separator) {
    text.append('[');
    for (int i = 0; i < strings.size(); i++) {
      text.append(i == 0 ? "" : separator).append('"').append(strings.get(i)).append('"');
    }
    text.append(']');
  }

  /** Each group has a line of its own, and what follows has none: so dumpi2ascii prints it. */
  private void triples(Call call, Field field) {
    int at = field.index();
    text.append("[3]=");
    if (call.length(at) < 1) {
      text.append(IGNORED).append('\n');
      return;
    }
    text.append('[');
    for (int i = 0; i < call.length(at); i++) {
      text.append(i == 0 ? "[" : ", [");
      text.append(call.element(at, 3 * i)).append(", ");
      text.append(call.element(at, 3 * i + 1)).append(", ");
      text.append(call.element(at, 3 * i + 2)).append("]\n");
    }
    text.append(']');
  }
}
