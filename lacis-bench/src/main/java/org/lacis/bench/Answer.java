package org.lacis.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a rank has answered.
 *
 * @param nanos how long it took; 0 from a rank that only took part
 * @param more further figures by name
 */
record Answer(long nanos, Map<String, Double> more) {
  /**
   * Reads a line that starts with {@code ok}; throws {@link IllegalArgumentException} if it makes
   * no sense.
   */
  static Answer parse(String line) {
    String[] words = line.strip().split(" +");
    if (words.length < 2 || !words[0].equals("ok")) {
      throw new IllegalArgumentException("not an answer");
    }
    long nanos = Long.parseLong(words[1]);
    if (nanos < 0) {
      throw new IllegalArgumentException("a time below zero");
    }
    Map<String, Double> more = new LinkedHashMap<>();
    for (int i = 2; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("not of the form NAME=VALUE: " + words[i]);
      }
      more.put(words[i].substring(0, equals), Double.valueOf(words[i].substring(equals + 1)));
    }
    return new Answer(nanos, more);
  }
}
