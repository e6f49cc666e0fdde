package org.lacis.trace.replay;

import java.util.Arrays;

/** A list of numbers. */
final class Longs {
  private long[] values = new long[16];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  long get(int at) {
    return values[at];
  }

  void set(int at, long value) {
    values[at] = value;
  }

  int size() {
    return size;
  }
}
