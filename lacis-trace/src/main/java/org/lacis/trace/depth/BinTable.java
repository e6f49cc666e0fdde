package org.lacis.trace.depth;

import java.util.Arrays;

/** A hash table of receives: how many are in each of its bins. Not thread-safe. */
final class BinTable {
  private final int bins;
  private final boolean powerOfTwo;
  private final int[] lengths;

  /** How many bins have each length, as far as lengths have been met. */
  private int[] withLength = new int[16];

  private int longest;

  BinTable(int bins) {
    this.bins = bins;
    powerOfTwo = Integer.bitCount(bins) == 1;
    lengths = new int[bins];
    withLength[0] = bins;
  }

  /** Adds a receive, and answers how many were in its bin before. */
  int add(int hash) {
    int bin = bin(hash);
    int length = lengths[bin]++;
    if (length + 1 == withLength.length) {
      withLength = Arrays.copyOf(withLength, 2 * withLength.length);
    }
    withLength[length]--;
    withLength[length + 1]++;
    longest = Math.max(longest, length + 1);
    return length;
  }

  /** Takes one out. */
  void remove(int hash) {
    int length = lengths[bin(hash)]--;
    withLength[length]--;
    withLength[length - 1]++;
    if (length == longest && withLength[length] == 0) {
      longest = length - 1;
    }
  }

  /** How many are in the fullest bin. */
  int longest() {
    return longest;
  }

  int empty() {
    return withLength[0];
  }

  int bins() {
    return bins;
  }

  private int bin(int hash) {
    return powerOfTwo ? hash & (bins - 1) : hash % bins;
  }
}
