package org.lacis.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of the PMI protocols: {@code cmd=put kvsname=k key=a value=b} in PMI-1, {@code
 * cmd=kvs-put;key=a;value=b;} in PMI-2. Fields are separated by blanks or semicolons, so no name or
 * value may hold one; nor may it hold anything but printable ASCII.
 */
final class PmiLine {
  /** The longest line either side accepts, in bytes, newline included. */
  static final int MAX_LENGTH = 8192;

  private final String command;
  private final Map<String, String> fields = new LinkedHashMap<>();

  private PmiLine(String command) {
    this.command = command;
  }

  /** Starts a line to be sent. */
  static PmiLine of(String command) {
    return new PmiLine(command);
  }

  /** Adds a field to a line to be sent. */
  PmiLine with(String name, String value) {
    if (!isPlain(value)) {
      throw new IllegalArgumentException(
          "PMI cannot carry the value of " + name + ": " + quoted(value));
    }
    fields.put(name, value);
    return this;
  }

  PmiLine with(String name, int value) {
    return with(name, Integer.toString(value));
  }

  /**
   * Reads a line of PMI-1 that has arrived, without its newline; throws {@link BootException} if it
   * is not one.
   */
  static PmiLine parse(String text) {
    return parse(text, ' ');
  }

  /** Reads a line of PMI-2 that has arrived, without its length. Its values may hold blanks. */
  static PmiLine parseTwo(String text) {
    return parse(text, ';');
  }

  private static PmiLine parse(String text, char separator) {
    PmiLine line = null;
    int end = text.length();
    int at = 0;
    while (at < end) {
      if (text.charAt(at) == separator) {
        at++;
        continue;
      }
      int next = text.indexOf(separator, at);
      int stop = next < 0 ? end : next;
      int equals = text.indexOf('=', at);
      if (equals <= at || equals >= stop) {
        throw garbage(text, "a field without a name or without =");
      }
      String name = text.substring(at, equals);
      String value = text.substring(equals + 1, stop);
      if (!isPlain(name) || !isPrintable(value)) {
        throw garbage(text, "characters that are not printable ASCII");
      }
      if (line == null) {
        if (!name.equals("cmd") && !name.equals("mcmd")) {
          throw garbage(text, "no cmd= at its start");
        }
        line = new PmiLine(value);
      } else if (line.fields.put(name, value) != null) {
        throw garbage(text, "the field " + name + " twice");
      }
      at = stop;
    }
    if (line == null) {
      throw garbage(text, "nothing in it");
    }
    return line;
  }

  String command() {
    return command;
  }

  @Nullable String find(String name) {
    return fields.get(name);
  }

  String field(String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new BootException("PMI line " + quoted(toString()) + " lacks the field " + name);
    }
    return value;
  }

  int number(String name) {
    String value = field(name);
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new BootException(
          "PMI line " + quoted(toString()) + " has no number in the field " + name, e);
    }
  }

  /** The line as PMI-1 sends it, without its newline. */
  @Override
  public String toString() {
    return text(' ').toString();
  }

  /** The line as PMI-2 sends it, without its length. */
  String textTwo() {
    return text(';').append(';').toString();
  }

  private StringBuilder text(char separator) {
    StringBuilder text = new StringBuilder(64).append("cmd=").append(command);
    for (Map.Entry<String, String> field : fields.entrySet()) {
      text.append(separator).append(field.getKey()).append('=').append(field.getValue());
    }
    return text;
  }

  /** Is this nothing but printable ASCII that either version can carry? */
  static boolean isPlain(String text) {
    return isPrintable(text) && text.indexOf(' ') < 0 && text.indexOf(';') < 0;
  }

  private static boolean isPrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c >= 0x7f) {
        return false;
      }
    }
    return true;
  }

  private static BootException garbage(String text, String why) {
    return new BootException("not a PMI line: " + quoted(text) + " has " + why);
  }

  /** The text for an error message: short, and without anything a terminal would obey. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    int shown = Math.min(text.length(), 80);
    for (int i = 0; i < shown; i++) {
      char c = text.charAt(i);
      out.append(c < ' ' || c >= 0x7f ? '?' : c);
    }
    return out.append(shown < text.length() ? "…\"" : "\"").toString();
  }
}
