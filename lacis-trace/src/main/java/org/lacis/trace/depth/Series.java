package org.lacis.trace.depth;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** Small numbers in a row, mostly a byte each. */
final class Series {
  private byte[] bytes = new byte[64];
  private int end;
  private int length;

  void add(int value) {
    if (bytes.length - end < 5) {
      bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 2);
    }
    int rest = value;
    while (rest > 0x7f) {
      bytes[end++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[end++] = (byte) rest;
    length++;
  }

  int length() {
    return length;
  }

  /** Adds each number to that at its place. */
  void addTo(int[] sums) {
    int at = 0;
    for (int i = 0; i < length; i++) {
      int value = 0;
      for (int shift = 0; ; shift += 7) {
        byte b = bytes[at++];
        value |= (b & 0x7f) << shift;
        if (b >= 0) {
          break;
        }
      }
      sums[i] += value;
    }
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(length);
    out.writeInt(end);
    out.write(bytes, 0, end);
  }

  static Series read(DataInput in) throws IOException {
    var series = new Series();
    series.length = in.readInt();
    series.end = in.readInt();
    series.bytes = new byte[Math.max(series.end, 8)];
    in.readFully(series.bytes, 0, series.end);
    return series;
  }
}
