package org.lacis.trace.events;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.Field;

/**
 * Writes the calls of a rank as events, an object of JSON on each line. Text of arguments is left
 * out, and so are processor times and performance counters: nothing looks at them.
 */
public final class EventWriter implements CallSink, Closeable {
  private final BufferedWriter out;
  private final StringBuilder line = new StringBuilder();

  private EventWriter(BufferedWriter out) {
    this.out = out;
  }

  /** Writes the file of a rank in a folder. */
  public static EventWriter open(Path folder, String name, int rank) throws IOException {
    Path file = folder.resolve("%s-%04d.jsonl".formatted(name, rank));
    return new EventWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
  }

  @Override
  public void call(Call call) throws IOException {
    line.setLength(0);
    line.append("{\"call\":\"").append(call.type().name());
    line.append("\",\"start\":").append(call.wallStart());
    line.append(",\"stop\":").append(call.wallStop());
    if (call.thread() != 0) {
      line.append(",\"thread\":").append(call.thread());
    }
    for (Field field : call.type().fields()) {
      int at = field.index();
      switch (field.kind()) {
        case STRING, ARGUMENTS, STRINGS, STRINGLISTS, TRIPLES -> {}
        case STATUS -> list(field, call, Call.STATUS_SIZE);
        default -> {
          if (field.isArray()) {
            list(field, call, 1);
          } else {
            line.append(",\"").append(field.name()).append("\":").append(call.value(at));
          }
        }
      }
    }
    out.append(line).append("}\n");
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private void list(Field field, Call call, int each) {
    int length = call.length(field.index());
    if (length == Call.ABSENT) {
      return;
    }
    line.append(",\"").append(field.name()).append("\":[");
    for (int i = 0; i < length * each; i++) {
      line.append(i == 0 ? "" : ",").append(call.element(field.index(), i));
    }
    line.append(']');
  }
}
