package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which cell of a bounded ring is whose: any number of threads write and read cells that the caller
 * keeps, in an array of the ring's capacity.
 *
 * <pre>
 *   int cell = ring.claimWrite();        int cell = ring.claimRead();
 *   if (cell &lt; 0) ... full               if (cell &lt; 0) ... empty
 *   cells[cell].value = 42;              use(cells[cell].value);
 *   ring.publish(cell);                  ring.free(cell);
 * </pre>
 *
 * <p>Between claim and publish, and between claim and free, a cell belongs to the claiming thread,
 * which sees all that its former owner did to it. Cells are read in the order they were claimed for
 * writing. No method waits: while a writer takes its time between claim and publish, the ring looks
 * empty from that cell on; while a reader takes its time, full.
 *
 * <p>After D. Vyukov's bounded queue. Each cell has a sequence number, which says whose turn it is:
 *
 * <pre>
 *   p           free for the writer at position p
 *   p + 1       published, for the reader at position p
 *   p + n       free for the writer at position p + n, one lap later
 * </pre>
 */
public final class CellRing {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  /** One array holds everything; the two positions have 128 bytes to themselves on either side. */
  private static final int PADDING = 128 / Long.BYTES;

  private static final int WRITE = PADDING;
  private static final int READ = 2 * PADDING;
  private static final int CELLS = 3 * PADDING;

  /** Added to the writing position for good: no cell is ever this far. */
  private static final long SEAL = 1L << 62;

  private final long[] words;
  private final int mask;

  /**
   * An empty ring.
   *
   * @param capacity how many cells; a power of two, at least 2
   */
  public CellRing(int capacity) {
    if (capacity < 2 || capacity > 1 << 30 || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "capacity must be a power of two from 2 to 2^30, not " + capacity);
    }
    mask = capacity - 1;
    words = new long[CELLS + capacity];
    for (int i = 0; i < capacity; i++) {
      words[CELLS + i] = i;
    }
    VarHandle.releaseFence();
  }

  /** A cell to write, or -1 if the ring is full. {@link #publish} follows, whatever happens. */
  public int claimWrite() {
    return claim(WRITE, 0);
  }

  /** Lets readers have a cell that was claimed for writing. */
  public void publish(int cell) {
    int at = CELLS + cell;
    WORDS.setRelease(words, at, words[at] + 1);
  }

  /** A cell to read, or -1 if the ring is empty. {@link #free} follows, whatever happens. */
  public int claimRead() {
    return claim(READ, 1);
  }

  /** Lets writers have a cell that was claimed for reading. */
  public void free(int cell) {
    int at = CELLS + cell;
    WORDS.setRelease(words, at, words[at] + mask);
  }

  private int claim(int side, int turn) {
    long[] words = this.words;
    int mask = this.mask;
    while (true) {
      long position = (long) WORDS.getAcquire(words, side);
      int cell = (int) position & mask;
      long ahead = (long) WORDS.getAcquire(words, CELLS + cell) - turn - position;
      if (ahead == 0) {
        if (WORDS.compareAndSet(words, side, position, position + 1)) {
          return cell;
        }
      } else if (ahead < 0) {
        return -1;
      }
      // Another thread has claimed this position since it was read: on to the next one.
    }
  }

  /** From now on the ring looks full to writers. What they have claimed is published still. */
  public void seal() {
    long position;
    do {
      position = (long) WORDS.getAcquire(words, WRITE);
    } while (position < SEAL && !WORDS.compareAndSet(words, WRITE, position, position + SEAL));
  }

  /** Whether it is sealed and readers have claimed all there was: it stays empty. */
  public boolean isDrained() {
    long write = (long) WORDS.getAcquire(words, WRITE);
    return write >= SEAL && (long) WORDS.getAcquire(words, READ) == write - SEAL;
  }

  /** Cells that are written or being written, and not yet claimed by a reader; a snapshot. */
  public int size() {
    // The reading position first: it only grows, so that the difference is never negative.
    long read = (long) WORDS.getAcquire(words, READ);
    long write = (long) WORDS.getAcquire(words, WRITE) & (SEAL - 1);
    return (int) Math.min(write - read, capacity());
  }

  /** How many cells there are. */
  public int capacity() {
    return mask + 1;
  }
}
