package org.lacis.trace.events;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a line: an object of JSON, or the cells of a table. Lists within lists are one list. */
final class EventParser {
  private static final int DEEPEST = 8;

  private final String line;
  private int at;

  private EventParser(String line) {
    this.line = line;
  }

  /** Something on a line is not as it should be. */
  static final class Wrong extends Exception {
    private static final long serialVersionUID = 1;

    Wrong(String reason) {
      super(reason);
    }
  }

  /** Reads an object: {"name": value, …}. */
  static void object(String line, EventValues values) throws Wrong {
    var parser = new EventParser(line);
    parser.expect('{');
    if (!parser.skips('}')) {
      do {
        String name = parser.string();
        parser.expect(':');
        parser.value(name, values);
      } while (parser.skips(','));
      parser.expect('}');
    }
    parser.blanks();
    if (parser.at < line.length()) {
      throw new Wrong("something follows the object");
    }
  }

  /** Reads the cells of a line of a table; an empty one is no value. */
  static void cells(String line, List<String> columns, EventValues values) throws Wrong {
    String[] cells = line.split(",", -1);
    if (cells.length > columns.size()) {
      throw new Wrong(
          "has %d cells, and there are %d columns".formatted(cells.length, columns.size()));
    }
    for (int i = 0; i < cells.length; i++) {
      String cell = cells[i].strip();
      if (cell.isEmpty()) {
        continue;
      }
      if (columns.get(i).equals("call")) {
        values.text("call", cell);
        continue;
      }
      List<Long> numbers = new ArrayList<>();
      for (String number : cell.split("\\s+")) {
        numbers.add(number(number));
      }
      values.numbers(columns.get(i), numbers);
    }
  }

  private void value(String name, EventValues values) throws Wrong {
    blanks();
    if (peek() == '"') {
      values.text(name, string());
      return;
    }
    List<Long> numbers = new ArrayList<>();
    numbers(numbers, 0);
    values.numbers(name, numbers);
  }

  private void numbers(List<Long> numbers, int depth) throws Wrong {
    if (!skips('[')) {
      numbers.add(scalar());
      return;
    }
    if (depth == DEEPEST) {
      throw new Wrong("lists within lists within lists");
    }
    if (!skips(']')) {
      do {
        numbers(numbers, depth + 1);
      } while (skips(','));
      expect(']');
    }
  }

  private long scalar() throws Wrong {
    blanks();
    int start = at;
    while (at < line.length() && "+-.eE0123456789truefalsn".indexOf(line.charAt(at)) >= 0) {
      at++;
    }
    String text = line.substring(start, at);
    return switch (text) {
      case "true" -> 1;
      case "false" -> 0;
      default -> number(text);
    };
  }

  private static long number(String text) throws Wrong {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new Wrong("\"%s\" is not a whole number".formatted(text));
    }
  }

  private String string() throws Wrong {
    expect('"');
    var text = new StringBuilder();
    while (at < line.length() && line.charAt(at) != '"') {
      char c = line.charAt(at++);
      text.append(c == '\\' ? escaped() : c);
    }
    expect('"');
    return text.toString();
  }

  private char escaped() throws Wrong {
    char c = at < line.length() ? line.charAt(at++) : 0;
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case '"', '\\', '/' -> c;
      case 'u' -> {
        if (at + 4 > line.length()) {
          throw new Wrong("a character is cut off");
        }
        at += 4;
        try {
          yield (char) Integer.parseInt(line, at - 4, at, 16);
        } catch (NumberFormatException e) {
          throw new Wrong("\\u is followed by something else than a number");
        }
      }
      default -> throw new Wrong("\\%c stands for nothing".formatted(c));
    };
  }

  private void expect(char wanted) throws Wrong {
    if (!skips(wanted)) {
      throw new Wrong("there should be %c after %d characters".formatted(wanted, at));
    }
  }

  private boolean skips(char wanted) {
    blanks();
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  private int peek() {
    return at < line.length() ? line.charAt(at) : -1;
  }

  private void blanks() {
    while (at < line.length() && line.charAt(at) <= ' ') {
      at++;
    }
  }

  /** The columns of a table, from its first line; null if it is none. */
  static @Nullable List<String> columns(String line) {
    List<String> columns = List.of(line.strip().split("\\s*,\\s*"));
    return columns.contains("call") ? columns : null;
  }
}
