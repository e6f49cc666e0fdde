package org.lacis.trace.replay;

import java.util.Arrays;

/** A list of numbers. */
final class Ints {
  private int[] values = new int[16];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  int get(int at) {
    return values[at];
  }

  int removeLast() {
    return values[--size];
  }

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }
}
