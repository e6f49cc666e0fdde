package org.lacis.bench.subject;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a rank is told to measure: {@code run VERB COUNT NAME=VALUE…}.
 *
 * @param verb what to do
 * @param count how often, by all ranks together
 * @param arguments how, by name
 */
public record Command(String verb, long count, Map<String, String> arguments) {
  /** Reads a line; throws {@link IllegalArgumentException} if it is none of ours. */
  public static Command parse(String line) {
    String[] words = line.strip().split(" +");
    if (words.length < 3 || !words[0].equals("run")) {
      throw new IllegalArgumentException("not a command: " + line);
    }
    Map<String, String> arguments = new LinkedHashMap<>();
    for (int i = 3; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("not of the form NAME=VALUE: " + words[i]);
      }
      arguments.put(words[i].substring(0, equals), words[i].substring(equals + 1));
    }
    return new Command(words[1], Long.parseLong(words[2]), arguments);
  }

  /** The number behind a name, or another one if it is not there. */
  public int number(String name, int otherwise) {
    String text = arguments.get(name);
    return text == null ? otherwise : Integer.parseInt(text);
  }

  /** The word behind a name, or an empty one. */
  public String word(String name) {
    return arguments.getOrDefault(name, "");
  }

  /** What must be the same for things made for an earlier command to be used again. */
  String key() {
    return verb + " " + arguments;
  }
}
