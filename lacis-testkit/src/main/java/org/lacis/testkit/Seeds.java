package org.lacis.testkit;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Randomness that can be had again. One seed serves the whole test run: it is printed when it is
 * first asked for, and given back with {@code -Dlacis.seed=…} it makes every random test draw the
 * same values. What a test draws depends on the seed and on the name it asks under, not on which
 * other tests ran before.
 *
 * <p>Tests usually have a generator handed to them by {@link Seeded}. All methods may be called
 * from any thread; a generator belongs to one thread.
 */
public final class Seeds {
  /** The system property that sets the seed: a decimal number, or hexadecimal after {@code 0x}. */
  public static final String PROPERTY = "lacis.seed";

  private static final class Holder {
    static final long SEED = announced();

    private static long announced() {
      String given = System.getProperty(PROPERTY);
      long seed =
          given == null ? mix(System.nanoTime(), ProcessHandle.current().pid()) : parse(given);
      System.out.println("random tests: repeat with " + option(seed));
      return seed;
    }
  }

  private Seeds() {}

  /** Returns the seed of this run. */
  public static long seed() {
    return Holder.SEED;
  }

  /** Returns the command line option that repeats this run: {@code -Dlacis.seed=…}. */
  public static String option() {
    return option(seed());
  }

  /**
   * Returns a new generator for one purpose.
   *
   * @param purpose a name; the same name gives the same values under the same seed
   */
  public static RandomGenerator random(String purpose) {
    return random(seed(), purpose);
  }

  static RandomGenerator random(long seed, String purpose) {
    long mixed = seed;
    for (int i = 0; i < purpose.length(); i++) {
      mixed = mix(mixed, purpose.charAt(i));
    }
    return RandomGeneratorFactory.of("L64X128MixRandom").create(mixed);
  }

  static long parse(String text) {
    try {
      return Long.decode(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D%s=%s is not a number; give what a former run printed, such as %s"
              .formatted(PROPERTY, text, option(12345)),
          e);
    }
  }

  private static String option(long seed) {
    return "-D" + PROPERTY + "=" + seed;
  }

  /** One round of SplitMix64 over the two. */
  private static long mix(long state, long value) {
    long z = (state ^ value) + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
