package org.lacis.trace.depth;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What each request of a rank stands for, as a number of its user's. Requests are numbered by the
 * recorder in the order it meets them, so most are small. Not thread-safe.
 */
public final class Requests {
  /** A request that stands for nothing. */
  public static final int NONE = -1;

  private static final int SMALL = 1 << 16;

  private int[] small = new int[64];
  private final Map<Integer, Integer> others = new HashMap<>();

  /** Without any. */
  public Requests() {
    Arrays.fill(small, NONE);
  }

  /** What a request stands for; {@link #NONE} if nothing. */
  public int get(int request) {
    if (request >= 0 && request < SMALL) {
      return request < small.length ? small[request] : NONE;
    }
    return others.getOrDefault(request, NONE);
  }

  /** Sets what a request stands for; {@link #NONE} for nothing. */
  public void put(int request, int value) {
    if (request < 0 || request >= SMALL) {
      if (value == NONE) {
        others.remove(request);
      } else {
        others.put(request, value);
      }
      return;
    }
    if (request >= small.length) {
      int before = small.length;
      small = Arrays.copyOf(small, Integer.highestOneBit(request) * 2);
      Arrays.fill(small, before, small.length, NONE);
    }
    small[request] = value;
  }
}
