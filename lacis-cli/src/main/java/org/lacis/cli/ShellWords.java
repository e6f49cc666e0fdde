package org.lacis.cli;

import java.util.ArrayList;
import java.util.List;

/** Words as a shell would split and quote them. */
final class ShellWords {
  private ShellWords() {}

  /** Splits at blanks; single quotes, double quotes and backslashes keep blanks within a word. */
  static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean started = false;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0 && c == quote) {
        quote = 0;
      } else if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
        word.append(text.charAt(++i));
        started = true;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
        started = true;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (started) {
          words.add(word.toString());
          word.setLength(0);
          started = false;
        }
      } else {
        word.append(c);
        started = true;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a " + quote + " is not closed");
    }
    if (started) {
      words.add(word.toString());
    }
    return words;
  }

  /** Joins words into a line that a shell splits into the same words. */
  static String join(List<String> words) {
    StringBuilder line = new StringBuilder();
    for (String word : words) {
      if (!line.isEmpty()) {
        line.append(' ');
      }
      line.append(quote(word));
    }
    return line.toString();
  }

  private static String quote(String word) {
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (!Character.isLetterOrDigit(c) && "-_=+:,./@%".indexOf(c) < 0) {
        return "'" + word.replace("'", "'\\''") + "'";
      }
    }
    return word.isEmpty() ? "''" : word;
  }
}
