package org.lacis.settings;

import java.util.Locale;
import java.util.function.LongFunction;

/**
 * Whole numbers in a range.
 *
 * @param box makes a value
 * @param least the least that is allowed
 * @param most the most; the type's own limit is none
 * @param multiple of what it must be a multiple; 0 for a power of two
 * @param bytes whether it is a size in bytes, which may be written with a unit: 64k, 8M, 1 GiB
 */
record Numbers<N extends Number>(
    LongFunction<N> box, long least, long most, int multiple, boolean bytes) implements Rule<N> {

  private static final String UNITS = "kmg";

  static Numbers<Integer> from(int least, int most) {
    return new Numbers<>(n -> (int) n, least, most, 1, false);
  }

  static Numbers<Integer> powersOfTwo(int least, int most) {
    return new Numbers<>(n -> (int) n, least, most, 0, false);
  }

  static Numbers<Integer> bytes(int least, int most, int multiple) {
    return new Numbers<>(n -> (int) n, least, most, multiple, true);
  }

  static Numbers<Long> bytes(long least) {
    return bytes(least, Long.MAX_VALUE);
  }

  static Numbers<Long> bytes(long least, long most) {
    return new Numbers<>(n -> n, least, most, 1, true);
  }

  @Override
  public N parse(String text) {
    long n = bytes ? parseBytes(text) : Long.parseLong(text);
    if (!fits(n)) {
      throw new IllegalArgumentException();
    }
    return box.apply(n);
  }

  private static long parseBytes(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    long n = Long.parseLong(text.substring(0, digits));
    String unit = text.substring(digits).strip().toLowerCase(Locale.ROOT);
    if (unit.isEmpty()) {
      return n;
    }
    int power = UNITS.indexOf(unit.charAt(0)) + 1;
    String rest = unit.substring(1);
    if (power == 0 || !(rest.isEmpty() || rest.equals("b") || rest.equals("ib"))) {
      throw new IllegalArgumentException();
    }
    if (n > Long.MAX_VALUE >> (10 * power)) {
      throw new IllegalArgumentException();
    }
    return n << (10 * power);
  }

  @Override
  public boolean allows(N value) {
    return fits(value.longValue());
  }

  private boolean fits(long n) {
    return n >= least && n <= most && (multiple == 0 ? Long.bitCount(n) == 1 : n % multiple == 0);
  }

  @Override
  public String allowed() {
    String kind =
        multiple == 0 ? "a power of two " : multiple > 1 ? "a multiple of " + multiple + " " : "";
    boolean unlimited = most == Integer.MAX_VALUE || most == Long.MAX_VALUE;
    return kind
        + (unlimited ? "at least " + show(least) : "from " + show(least) + " to " + show(most));
  }

  @Override
  public String show(N value) {
    return show(value.longValue());
  }

  private String show(long n) {
    int power = 0;
    while (bytes && power < UNITS.length() && n != 0 && n % 1024 == 0) {
      n /= 1024;
      power++;
    }
    return power == 0
        ? Long.toString(n)
        : n + " " + Character.toUpperCase(UNITS.charAt(power - 1)) + "iB";
  }
}
