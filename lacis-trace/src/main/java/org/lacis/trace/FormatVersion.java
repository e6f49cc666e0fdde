package org.lacis.trace;

import java.util.Comparator;

/** The version of a format. */
public record FormatVersion(int major, int minor, int patch) implements Comparable<FormatVersion> {
  private static final Comparator<FormatVersion> ORDER =
      Comparator.comparingInt(FormatVersion::major)
          .thenComparingInt(FormatVersion::minor)
          .thenComparingInt(FormatVersion::patch);

  /**
   * Reads one from its text.
   *
   * @throws IllegalArgumentException if it is not three numbers separated by dots
   */
  public static FormatVersion parse(String text) {
    String[] parts = text.split("\\.");
    if (parts.length != 3) {
      throw new IllegalArgumentException(
          "\"%s\" is not a version; it should look like 1.0.2".formatted(text));
    }
    return new FormatVersion(
        Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
  }

  /** Whether it is older than another one. */
  public boolean isBefore(FormatVersion other) {
    return compareTo(other) < 0;
  }

  @Override
  public int compareTo(FormatVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
