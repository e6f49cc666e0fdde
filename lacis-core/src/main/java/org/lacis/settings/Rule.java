package org.lacis.settings;

import java.time.Duration;
import java.util.List;

/** Which values a setting may have, and how they are written. */
interface Rule<T> {

  /** Reads a value; throws an {@link IllegalArgumentException} if it is not allowed. */
  T parse(String text);

  /** Whether a value given by the program is allowed. */
  boolean allows(T value);

  /** What is allowed, as the end of "must be". */
  String allowed();

  /** A value as people write it. */
  default String show(T value) {
    return value.toString();
  }

  /** Yes or no. */
  Rule<Boolean> SWITCH =
      new Rule<>() {
        @Override
        public Boolean parse(String text) {
          return switch (text) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new IllegalArgumentException();
          };
        }

        @Override
        public boolean allows(Boolean value) {
          return true;
        }

        @Override
        public String allowed() {
          return "true, false, 1 or 0";
        }
      };

  /** A time longer than none. */
  Rule<Duration> TIME =
      new Rule<>() {
        @Override
        public Duration parse(String text) {
          return Durations.parse(text);
        }

        @Override
        public boolean allows(Duration value) {
          return value.isPositive() && value.toDays() <= 365;
        }

        @Override
        public String allowed() {
          return Durations.ALLOWED;
        }

        @Override
        public String show(Duration value) {
          return Durations.show(value);
        }
      };

  /** Any text, checked by whoever uses it. */
  static Rule<String> text(String allowed) {
    return new Rule<>() {
      @Override
      public String parse(String text) {
        return text;
      }

      @Override
      public boolean allows(String value) {
        return true;
      }

      @Override
      public String allowed() {
        return allowed;
      }
    };
  }

  /** One of these words. */
  static Rule<String> choice(String... words) {
    List<String> all = List.of(words);
    return new Rule<>() {
      @Override
      public String parse(String text) {
        if (!allows(text)) {
          throw new IllegalArgumentException();
        }
        return text;
      }

      @Override
      public boolean allows(String value) {
        return all.contains(value);
      }

      @Override
      public String allowed() {
        return "one of " + String.join(", ", all);
      }
    };
  }
}
