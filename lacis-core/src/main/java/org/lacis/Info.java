package org.lacis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What can be said about an object of the runtime: its name, how it was made, and how it is doing;
 * a snapshot. Printed, it is a line for each.
 *
 * @param kind what the object is, such as {@code device}
 * @param name the name it was given, or one made of its number
 * @param values by name, in the order in which they read well
 */
public record Info(String kind, String name, Map<String, Object> values) {

  /** Checks and copies. */
  public Info {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /**
   * Makes one.
   *
   * @param namesAndValues a name, its value, the next name, and so on
   */
  public static Info of(String kind, String name, Object... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "namesAndValues must be pairs, but there are " + namesAndValues.length);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return new Info(kind, name, values);
  }

  /** The same with more values after those it has. */
  public Info with(Map<String, ?> more) {
    Map<String, Object> all = new LinkedHashMap<>(values);
    all.putAll(more);
    return new Info(kind, name, all);
  }

  /**
   * A value.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public Object value(String valueName) {
    Object value = values.get(valueName);
    if (value == null) {
      throw new IllegalArgumentException(
          "a " + kind + " has no value named " + valueName + "; it has " + values.keySet());
    }
    return value;
  }

  @Override
  public String toString() {
    int width = values.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder(kind).append(' ').append(name);
    values.forEach(
        (what, value) ->
            text.append("\n  ").append(what).repeat(' ', width - what.length() + 2).append(value));
    return text.toString();
  }
}
