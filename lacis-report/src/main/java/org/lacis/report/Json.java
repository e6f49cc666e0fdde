package org.lacis.report;

import java.util.Iterator;
import java.util.Locale;
import java.util.Map;

/**
 * Writes values as JSON: maps, lists, text, numbers and truth. A number that is none is null there.
 */
public final class Json {
  private final StringBuilder out = new StringBuilder();

  private Json() {}

  /** A value, in one line. */
  public static String of(Object value) {
    var json = new Json();
    json.value(value);
    return json.out.append('\n').toString();
  }

  private void value(Object value) {
    switch (value) {
      case Map<?, ?> map -> map(map);
      case Iterable<?> list -> list(list);
      case Double number when !Double.isFinite(number) -> out.append("null");
      case Number number -> out.append(number);
      case Boolean truth -> out.append(truth);
      default -> text(value.toString());
    }
  }

  private void map(Map<?, ?> map) {
    out.append('{');
    String separator = "";
    for (var entry : map.entrySet()) {
      out.append(separator);
      text(entry.getKey().toString());
      out.append(": ");
      value(entry.getValue());
      separator = ", ";
    }
    out.append('}');
  }

  private void list(Iterable<?> list) {
    out.append('[');
    for (Iterator<?> it = list.iterator(); it.hasNext(); ) {
      value(it.next());
      out.append(it.hasNext() ? ", " : "");
    }
    out.append(']');
  }

  private void text(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
