package org.lacis.trace.dumpi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.CallType;
import org.lacis.trace.Field;
import org.lacis.trace.FieldKind;
import org.lacis.trace.TraceException;
import org.lacis.trace.io.TextLines;

/**
 * Reads the text that dumpi2ascii prints. What is not a call (header, counts, sizes) is skipped.
 */
final class DumpiTextReader {
  private static final String ENTERING = " entering at walltime ";
  private static final String RETURNING = " returning at walltime ";
  private static final String CPU = ", cputime ";
  private static final String THREAD = " seconds in thread ";
  private static final String COUNTERS = "Perfcounters: [";
  private static final Pattern AROUND =
      Pattern.compile(
          "(version|starttime|hostname|username|meshdim|meshsize|meshcrd)=.*"
              + "|Total keyvals: \\d+|\\w+ called \\d+ times and ignored \\d+ times"
              + "|Performance counters: \\d+|    .*|Function address .*|Datatype \\d+ .*|");

  private final TextLines lines;
  private final Call call = new Call();
  private final List<String> labels = new ArrayList<>();

  DumpiTextReader(TextLines lines) {
    this.lines = lines;
    call.counterNames(labels);
  }

  void read(CallSink sink) throws IOException {
    boolean keyvals = false;
    for (String line = lines.read(); line != null; line = lines.read()) {
      int at = line.indexOf(ENTERING);
      if (at > 0) {
        call(line, at);
        sink.call(call);
      } else if (!AROUND.matcher(line).matches() && !(keyvals && line.indexOf('=') > 0)) {
        throw lines.damage("\"%s\" is not the start of a call".formatted(shown(line)));
      }
      keyvals |= line.startsWith("Total keyvals");
    }
  }

  private void call(String entering, int nameEnd) throws IOException {
    CallType type = CallType.of(entering.substring(0, nameEnd));
    if (type == null) {
      throw lines.damage(
          "a call named \"%s\" is not known".formatted(shown(entering.substring(0, nameEnd))));
    }
    call.reset(type, lines.start());
    long[] start = times(entering, nameEnd + ENTERING.length());
    call.thread((int) start[2]);
    String line = next(type);
    if (line.startsWith(COUNTERS)) {
      counters(line, 0);
      line = next(type);
    }
    while (!line.startsWith(RETURNING, type.name().length()) || !line.startsWith(type.name())) {
      argument(type, line);
      line = next(type);
    }
    long[] stop = times(line, type.name().length() + RETURNING.length());
    call.wall(start[0], stop[0]);
    call.cpu(start[1], stop[1]);
    if (call.counters() > 0) {
      counters(next(type), 1);
    }
  }

  private String next(CallType type) throws IOException {
    String line = lines.read();
    if (line == null) {
      throw lines.damage("the text ends here, in the middle of a call of " + type);
    }
    return line;
  }

  /** Wall time, processor time, and thread. */
  private long[] times(String line, int from) throws TraceException {
    int cpu = line.indexOf(CPU, from);
    int thread = cpu < 0 ? -1 : line.indexOf(THREAD, cpu + CPU.length());
    if (thread < 0 || !line.endsWith(".") || thread + THREAD.length() > line.length() - 1) {
      throw lines.damage("\"%s\" does not tell times and thread".formatted(shown(line)));
    }
    return new long[] {
      nanos(line, from, cpu),
      nanos(line, cpu + CPU.length(), thread),
      number(line, thread + THREAD.length(), line.length() - 1)
    };
  }

  private long nanos(String line, int from, int to) throws TraceException {
    int dot = line.indexOf('.', from);
    if (dot < 0 || dot != to - 10) {
      throw lines.damage("\"%s\" is not a time".formatted(shown(line.substring(from, to))));
    }
    long seconds = number(line, from, dot);
    return seconds * 1_000_000_000L + number(line, dot + 1, to);
  }

  private long number(String line, int from, int to) throws TraceException {
    // What was cut off may start after the end of its line.
    String digits = from < to && to <= line.length() ? line.substring(from, to) : "";
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw lines.damage("\"%s\" is not a number".formatted(shown(digits)));
    }
  }

  private void counters(String line, int which) throws TraceException {
    if (!line.startsWith(COUNTERS) || !line.endsWith("]")) {
      throw lines.damage("\"%s\" where counters should be".formatted(shown(line)));
    }
    String[] parts = line.substring(COUNTERS.length(), line.length() - 1).split(", ");
    long[] values = call.counters(parts.length);
    for (int i = 0; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      values[2 * i + which] = number(parts[i], equals + 1, parts[i].length());
      if (i == labels.size()) {
        labels.add(parts[i].substring(0, Math.max(equals, 0)));
      }
    }
  }

  private void argument(CallType type, String line) throws IOException {
    int space = line.indexOf(' ');
    int equals = line.indexOf('=');
    int bracket = line.indexOf('[');
    int end = bracket >= 0 && bracket < equals ? bracket : equals;
    Field field = space < 0 || end <= space ? null : type.field(line.substring(space + 1, end));
    if (field == null) {
      throw lines.damage("\"%s\" is not an argument of %s".formatted(shown(line), type));
    }
    value(field, line, equals + 1);
  }

  private void value(Field field, String line, int from) throws IOException {
    int at = field.index();
    if (line.startsWith("<IGNORED>", from)) {
      return;
    }
    switch (field.kind()) {
      case STATUS -> numbers(field, line, from, Call.STATUS_SIZE);
      case STRING -> {
        if (line.length() < from + 2 || !line.endsWith("\"")) {
          throw lines.damage("\"%s\" is not text in quotes".formatted(shown(line)));
        }
        call.text(at, line.substring(from + 1, line.length() - 1));
      }
      case ARGUMENTS, STRINGS -> call.texts(at, List.of(strings(line.substring(from))));
      case STRINGLISTS -> {
        List<List<String>> lists = new ArrayList<>();
        for (String part : line.substring(from).split("], \\[")) {
          lists.add(strings(part));
        }
        call.texts(at, lists);
      }
      case TRIPLES -> triples(field, line, from);
      default -> {
        if (field.isArray()) {
          numbers(field, line, from, 1);
        } else {
          int start =
              field.kind() == FieldKind.REQUEST || field.kind() == FieldKind.IOREQUEST
                  ? from + 1
                  : from;
          call.value(at, number(line, start, endOfNumber(line, start)));
          if (field.kind() == FieldKind.FUNCTION && line.indexOf('"') >= 0) {
            call.text(
                at,
                line.substring(
                    line.indexOf('"') + 1, Math.max(line.lastIndexOf('"'), line.indexOf('"') + 1)));
          }
        }
      }
    }
  }

  private static List<String> strings(String list) {
    List<String> strings = new ArrayList<>();
    for (int open = list.indexOf('"'); open >= 0; ) {
      int close = list.indexOf('"', open + 1);
      if (close < 0) {
        break;
      }
      strings.add(list.substring(open + 1, close));
      open = list.indexOf('"', close + 1);
    }
    return strings;
  }

  /** The numbers of a list, whatever stands between them; of a status, by the order of its text. */
  private void numbers(Field field, String line, int from, int each) throws TraceException {
    int count = 0;
    for (int at = startOfNumber(line, from); at >= 0; count++) {
      at = startOfNumber(line, endOfNumber(line, at));
    }
    if (count % each != 0) {
      throw lines.damage("\"%s\" is not a list of %d numbers each".formatted(shown(line), each));
    }
    int[] array = call.array(field.index(), count / each, each);
    int at = from;
    for (int i = 0; i < count; i++) {
      at = startOfNumber(line, at);
      int end = endOfNumber(line, at);
      int place = each == Call.STATUS_SIZE ? i - i % each + statusPlace(i % each) : i;
      array[place] = (int) number(line, at, end);
      at = end;
    }
  }

  private static int statusPlace(int inText) {
    return switch (inText) {
      case 0 -> Call.STATUS_BYTES;
      case 1 -> Call.STATUS_CANCELLED;
      case 2 -> Call.STATUS_SOURCE;
      case 3 -> Call.STATUS_TAG;
      default -> Call.STATUS_ERROR;
    };
  }

  private static int startOfNumber(String line, int from) {
    for (int i = from; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '-' || (c >= '0' && c <= '9')) {
        return i;
      }
    }
    return -1;
  }

  private static int endOfNumber(String line, int from) {
    int i = from < line.length() && line.charAt(from) == '-' ? from + 1 : from;
    while (i < line.length() && line.charAt(i) >= '0' && line.charAt(i) <= '9') {
      i++;
    }
    return i;
  }

  /** A group per line; the last line has what follows. */
  private void triples(Field field, String line, int from) throws IOException {
    var text = new StringBuilder(line.substring(from));
    @Nullable String more = lines.read();
    while (more != null && more.startsWith(",")) {
      text.append(more);
      more = lines.read();
    }
    if (more == null || !more.startsWith("]")) {
      throw lines.damage("the list of %s does not end".formatted(field.name()));
    }
    numbers(field, text.toString(), 0, 3);
    lines.push(more.substring(1));
  }

  private static String shown(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }
}
