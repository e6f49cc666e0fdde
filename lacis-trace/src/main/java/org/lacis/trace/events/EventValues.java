package org.lacis.trace.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.Call;
import org.lacis.trace.CallType;
import org.lacis.trace.Field;
import org.lacis.trace.FieldKind;

/** The values of one line, by name, to be made a call of. */
final class EventValues {
  private static final int WORLD = 2;
  private static final int BYTE = 5;

  /** What is no argument of a call, and a number. */
  private static final Set<String> TIMES = Set.of("start", "stop", "thread");

  private final List<String> names = new ArrayList<>();

  /** A text, or numbers. */
  private final List<Object> values = new ArrayList<>();

  void clear() {
    names.clear();
    values.clear();
  }

  void text(String name, String value) {
    names.add(name);
    values.add(value);
  }

  void numbers(String name, List<Long> value) {
    names.add(name);
    values.add(value);
  }

  boolean has(String name) {
    return names.contains(name);
  }

  /**
   * Makes a call of them.
   *
   * @return what is wrong; null if nothing is
   */
  @Nullable String fill(Call call, long offset) {
    int at = names.indexOf("call");
    if (at < 0 || !(values.get(at) instanceof String name)) {
      return "does not say which call it is";
    }
    CallType type = CallType.of(name);
    if (type == null) {
      return CallType.of("MPI_" + name) == null
          ? "a call named \"%s\" is not known".formatted(name)
          : "a call named \"%s\" is not known: it should be \"MPI_%s\"".formatted(name, name);
    }
    call.reset(type, offset);
    defaults(call, type);
    long start = 0;
    long stop = 0;
    for (int i = 0; i < names.size(); i++) {
      if (TIMES.contains(names.get(i)) && !(values.get(i) instanceof List<?> l && l.size() == 1)) {
        return names.get(i) + " is not one number";
      }
      switch (names.get(i)) {
        case "call" -> {}
        case "start" -> start = first(i);
        case "stop" -> stop = first(i);
        case "thread" -> call.thread((int) first(i));
        default -> {
          String wrong = argument(call, type, i);
          if (wrong != null) {
            return wrong;
          }
        }
      }
    }
    call.wall(start, Math.max(start, stop));
    return missing(type);
  }

  /** What would be 0 if it was not given, which is a rank, a tag or a request as well. */
  private @Nullable String missing(CallType type) {
    Set<String> needed =
        switch (type.group()) {
          case SEND -> Set.of("dest", "tag");
          case RECEIVE -> Set.of("source", "tag", "request");
          case EXCHANGE -> Set.of("dest", "sendtag", "source", "recvtag");
          case START, COMPLETION -> Set.of("request", "requests");
          default -> Set.of();
        };
    for (Field field : type.fields()) {
      if (needed.contains(field.name()) && !has(field.name())) {
        return "%s needs \"%s\"".formatted(type, field.name());
      }
    }
    return null;
  }

  private static void defaults(Call call, CallType type) {
    for (Field field : type.fields()) {
      if (!field.isArray()) {
        if (field.kind() == FieldKind.COMM) {
          call.value(field.index(), WORLD);
        } else if (field.kind() == FieldKind.DATATYPE) {
          call.value(field.index(), BYTE);
        }
      }
    }
  }

  private @Nullable String argument(Call call, CallType type, int i) {
    Field field = type.field(names.get(i));
    if (field == null) {
      return "%s has no argument \"%s\"".formatted(type, names.get(i));
    }
    int at = field.index();
    if (values.get(i) instanceof String text) {
      if (field.kind() != FieldKind.STRING) {
        return "the argument %s of %s is text".formatted(field.name(), type);
      }
      call.text(at, text);
      return null;
    }
    List<Long> numbers = numbers(i);
    int each = field.kind() == FieldKind.STATUS ? Call.STATUS_SIZE : 1;
    if (field.isArray() || each > 1) {
      if (numbers.size() % each != 0) {
        return "a status has %d numbers".formatted(each);
      }
      int[] array = call.array(at, numbers.size() / each, each);
      for (int k = 0; k < numbers.size(); k++) {
        array[k] = (int) (long) numbers.get(k);
      }
      if (field.isArray() && each == 1) {
        call.value(field.lengthAt(), numbers.size());
      }
    } else if (numbers.size() != 1) {
      return "the argument %s of %s is not one number".formatted(field.name(), type);
    } else {
      call.value(at, numbers.getFirst());
    }
    return null;
  }

  private long first(int i) {
    return numbers(i).getFirst();
  }

  @SuppressWarnings("unchecked") // what is no text is a list of numbers
  private List<Long> numbers(int i) {
    return (List<Long>) values.get(i);
  }
}
