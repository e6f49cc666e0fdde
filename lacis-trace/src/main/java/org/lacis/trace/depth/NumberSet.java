package org.lacis.trace.depth;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A set of numbers, up to a limit; beyond that it only knows that there are more. */
final class NumberSet {
  /** A rank with more different tags than this is counted as having this many. */
  static final int LIMIT = 1 << 20;

  private long[] table = new long[16];
  private int size;
  private boolean zero;

  /** Adds one. */
  void add(long number) {
    if (number == 0) {
      zero = true;
      return;
    }
    if (size >= LIMIT) {
      return;
    }
    if (2 * size >= table.length) {
      grow();
    }
    int at = place(number);
    if (table[at] == 0) {
      table[at] = number;
      size++;
    }
  }

  void addAll(NumberSet other) {
    zero |= other.zero;
    for (long number : other.table) {
      if (number != 0) {
        add(number);
      }
    }
  }

  int size() {
    return size + (zero ? 1 : 0);
  }

  void write(DataOutput out) throws IOException {
    out.writeBoolean(zero);
    out.writeInt(size);
    for (long number : table) {
      if (number != 0) {
        out.writeLong(number);
      }
    }
  }

  static NumberSet read(DataInput in) throws IOException {
    var set = new NumberSet();
    set.zero = in.readBoolean();
    for (int left = in.readInt(); left > 0; left--) {
      set.add(in.readLong());
    }
    return set;
  }

  private int place(long number) {
    int mask = table.length - 1;
    int at = (int) ((number * 0x9e3779b97f4a7c15L) >>> 40) & mask;
    while (table[at] != 0 && table[at] != number) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    long[] old = table;
    table = new long[2 * old.length];
    for (long number : old) {
      if (number != 0) {
        table[place(number)] = number;
      }
    }
  }
}
