package org.lacis.collective;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lacis.Lacis;
import org.lacis.LacisException;
import org.lacis.Region;

/**
 * Memory for long messages that are combined and forgotten, which peers reach in the quickest way.
 * It is kept for the collectives that are built next.
 */
final class Landings {

  /** Longer ones would take too much of what users allocate from. */
  private static final long LONGEST = 4 << 20;

  /** A line of the cache, in bytes. Data may begin anywhere in the first one of a place. */
  static final int LINE = 64;

  private final Lacis lacis;
  private final List<Region> free = new ArrayList<>();
  private boolean closed;

  Landings(Lacis lacis) {
    this.lacis = lacis;
  }

  /** Gives a place of so many bytes and a line, or more; null if there is none. */
  synchronized @Nullable Region take(long bytes) {
    if (bytes > LONGEST) {
      return null;
    }
    long rounded = Long.highestOneBit(2 * bytes - 1) + LINE;
    for (int i = free.size() - 1; i >= 0; i--) {
      if (free.get(i).segment().byteSize() == rounded) {
        return free.remove(i);
      }
    }
    try {
      return lacis.allocate("landing", rounded, LINE);
    } catch (LacisException e) {
      return null;
    }
  }

  /** Takes places back that nothing will land in any more. */
  synchronized void give(List<Region> places) {
    if (closed) {
      places.forEach(Region::close);
    } else {
      free.addAll(places);
    }
  }

  /** Gives the memory back. */
  synchronized void close() {
    closed = true;
    free.forEach(Region::close);
    free.clear();
  }
}
