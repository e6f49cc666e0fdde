package org.lacis.net.shm;

/**
 * Which of two ways to copy was quicker lately, by peer, and by how long the data is: through the
 * {@link Slots}, or by the kernel. Cores that share a cache are better off with the first, others
 * with the second, and where ranks run may change: so now and then the other one is tried.
 *
 * <p>Copies overlap, so times are not those of one, but of all that were under way with a peer
 * until none was, or until the time was up; they all go the same way. Under the lock of the {@link
 * Pipeline}.
 */
final class Ways {

  /** How often the slower one is tried, in a row: caches have to get used to it. */
  private static final int TRIES = 16;

  /** How often before it is tried again: at first, as code is still compiled, and at last. */
  private static final int SHORTEST_CYCLE = 64;

  private static final int LONGEST_CYCLE = 512;

  /** Data is told apart by its length, from {@link Pipeline#MIN} on, by powers of two. */
  private static final int CLASSES = 10;

  /** How long to go one way, if there is always something under way. */
  private static final long LONGEST_NANOS = 1_000_000;

  /** Times are compared for so many bytes, as a power of two. */
  private static final int UNIT_SHIFT = 20;

  private final Way[] ways;

  /** What is known of a peer and data of some length. */
  private static final class Way {
    long bySlots;
    long byKernel;
    int times;
    int cycle = SHORTEST_CYCLE;

    /** Which one is tried. */
    boolean other = true;

    // What is under way.
    boolean slots;
    int copies;
    long since;
    long bytes;

    boolean prefersSlots() {
      return bySlots <= byKernel;
    }

    void choose(long now) {
      if (times == cycle) {
        times = 0;
        cycle = Math.min(2 * cycle, LONGEST_CYCLE);
        other = !prefersSlots();
      }
      slots = times++ < TRIES ? other : prefersSlots();
      since = now;
      bytes = 0;
    }

    void note(long now) {
      if (bytes > 0) {
        long nanos = ((now - since) << UNIT_SHIFT) / bytes;
        if (slots) {
          bySlots = smooth(bySlots, nanos);
        } else {
          noteKernel(nanos);
        }
      }
    }

    void noteKernel(long nanos) {
      byKernel = smooth(byKernel, nanos);
    }

    /** Follows times slowly: some are accidents. */
    private static long smooth(long before, long nanos) {
      return before == 0
          ? Math.max(1, nanos)
          : before + (Math.clamp(nanos, before / 2, 2 * before) - before) / 4;
    }
  }

  Ways(int peers) {
    ways = new Way[CLASSES * peers];
    for (int i = 0; i < ways.length; i++) {
      ways[i] = new Way();
    }
  }

  private Way of(int peer, long length) {
    int size = Long.numberOfTrailingZeros(Long.highestOneBit(length / Pipeline.MIN));
    return ways[CLASSES * peer + Math.min(size, CLASSES - 1)];
  }

  /** Whether slots are quicker for that. */
  boolean prefersSlots(int peer, long length) {
    return of(peer, length).prefersSlots();
  }

  /**
   * How to do a copy.
   *
   * @param now as {@link System#nanoTime}
   * @return whether to take the slots
   */
  boolean choose(int peer, long length, long now) {
    Way way = of(peer, length);
    boolean up = now - way.since > LONGEST_NANOS;
    if (way.copies == 0 || up) {
      if (up && way.copies > 0) {
        way.note(now);
      }
      way.choose(now);
    }
    return way.slots;
  }

  /** It is under way now. */
  void begin(int peer, long length) {
    of(peer, length).copies++;
  }

  /** It is over. */
  void end(int peer, long length, long now) {
    Way way = of(peer, length);
    way.copies--;
    way.bytes += length;
    if (way.copies == 0) {
      way.note(now);
    }
  }

  /** One that was done at once, by the kernel, took so long. */
  void took(int peer, long length, long nanos) {
    of(peer, length).noteKernel((nanos << UNIT_SHIFT) / length);
  }
}
