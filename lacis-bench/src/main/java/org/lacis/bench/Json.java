package org.lacis.bench;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Maps, lists, texts and numbers as JSON. A number that is none is null there. */
final class Json {
  private Json() {}

  static String of(Object value) {
    var text = new StringBuilder();
    write(text, value, "\n");
    return text.append('\n').toString();
  }

  private static void write(StringBuilder text, Object value, String newLine) {
    switch (value) {
      case Map<?, ?> map -> {
        text.append('{');
        String inner = newLine + "  ";
        for (Iterator<? extends Map.Entry<?, ?>> i = map.entrySet().iterator(); i.hasNext(); ) {
          Map.Entry<?, ?> entry = i.next();
          text.append(inner);
          string(text, String.valueOf(entry.getKey()));
          text.append(": ");
          write(text, entry.getValue(), inner);
          text.append(i.hasNext() ? "," : "");
        }
        text.append(map.isEmpty() ? "}" : newLine + "}");
      }
      case List<?> list -> {
        text.append('[');
        String inner = newLine + "  ";
        for (Iterator<?> i = list.iterator(); i.hasNext(); ) {
          text.append(inner);
          write(text, i.next(), inner);
          text.append(i.hasNext() ? "," : "");
        }
        text.append(list.isEmpty() ? "]" : newLine + "]");
      }
      case Double number when !Double.isFinite(number) -> text.append("null");
      case Number number -> text.append(number);
      case Boolean truth -> text.append(truth);
      default -> string(text, value.toString());
    }
  }

  private static void string(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
