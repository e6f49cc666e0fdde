package org.lacis.settings;

import java.time.Duration;

/**
 * Times as people write them: {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h}; a bare number is
 * in seconds.
 */
public final class Durations {

  /** What {@link #parse} takes. */
  public static final String ALLOWED = "a time such as 500ms, 30s, 2m or 1h, up to a year";

  private Durations() {}

  /** Reads a time; refuses what is not {@link #ALLOWED}. */
  public static Duration parse(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    String unit = text.substring(digits);
    try {
      long n = Long.parseLong(text.substring(0, digits));
      Duration duration =
          switch (unit) {
            case "ms" -> Duration.ofMillis(n);
            case "s", "" -> Duration.ofSeconds(n);
            case "m", "min" -> Duration.ofMinutes(n);
            case "h" -> Duration.ofHours(n);
            default -> throw new IllegalArgumentException();
          };
      if (duration.isPositive() && duration.toDays() <= 365) {
        return duration;
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // said below
    }
    throw new IllegalArgumentException("that is not " + ALLOWED);
  }

  /** The shortest exact way to write it. */
  public static String show(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    return seconds % 60 != 0
        ? seconds + "s"
        : seconds % 3600 != 0 ? seconds / 60 + "m" : seconds / 3600 + "h";
  }
}
