package org.lacis.trace.depth;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The greatest depth in each stretch of time, from the first call of a rank on. Stretches become
 * longer as the time does, so that there are never more than {@link #STRETCHES}.
 */
final class TimeLine {
  static final int STRETCHES = 256;

  private final int[] greatest = new int[STRETCHES];
  private long width = 1;
  private int used;

  /** The depth at a time, in nanoseconds since the first call. */
  void add(long time, int depth) {
    long at = Math.max(time, 0) / width;
    while (at >= STRETCHES) {
      for (int i = 0; i < STRETCHES; i++) {
        int twice = 2 * i;
        greatest[i] = twice < STRETCHES ? Math.max(greatest[twice], greatest[twice + 1]) : 0;
      }
      width *= 2;
      used = (used + 1) / 2;
      at = Math.max(time, 0) / width;
    }
    int index = (int) at;
    greatest[index] = Math.max(greatest[index], depth);
    used = Math.max(used, index + 1);
  }

  /** The time it covers, in nanoseconds. */
  long span() {
    return used * width;
  }

  /** Raises each of some equal parts of a time to the greatest depth in it. */
  void raise(int[] parts, long time) {
    for (int i = 0; i < used; i++) {
      int first = part(i * width, parts.length, time);
      int last = part((i + 1) * width - 1, parts.length, time);
      for (int part = first; part <= last; part++) {
        parts[part] = Math.max(parts[part], greatest[i]);
      }
    }
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(width);
    out.writeInt(used);
    for (int i = 0; i < used; i++) {
      out.writeInt(greatest[i]);
    }
  }

  static TimeLine read(DataInput in) throws IOException {
    var line = new TimeLine();
    line.width = in.readLong();
    line.used = in.readInt();
    for (int i = 0; i < line.used; i++) {
      line.greatest[i] = in.readInt();
    }
    return line;
  }

  private static int part(long at, int parts, long time) {
    return Math.clamp((long) ((double) at / time * parts), 0, parts - 1);
  }
}
