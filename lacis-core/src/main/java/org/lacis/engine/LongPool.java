package org.lacis.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A bag of numbers, such as the addresses of free packets, that many threads take from and give to.
 * Neither allocates, and neither waits for a lock that another thread holds.
 *
 * <p>There are as many deques as keep the processors of this machine apart, not one per thread: a
 * million virtual threads share them. A thread gives to and takes from the tail of the deque its
 * number falls on, so that it gets back what is still in its cache; when that is empty, it moves
 * half of another's, from the head, to its own.
 */
public final class LongPool {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int MAX_STRIPES = 64;
  private static final int MAX_CAPACITY = 1 << 24;

  /** The longest move: two deques are locked during it, for a fraction of a microsecond. */
  private static final int MAX_MOVE = 256;

  private static final int SPINS = 100;

  /** Nearly all of them yields: ten seconds and more. */
  private static final int MAX_ROUNDS = 20_000_000;

  // One array holds all deques, each behind its lock, head and tail, and 128 bytes on either side.
  private static final int PADDING = 128 / Long.BYTES;
  private static final int LOCK = PADDING;
  private static final int HEAD = LOCK + 1;
  private static final int TAIL = LOCK + 2;
  private static final int VALUES = 2 * PADDING;

  /** Who finds these bits of its deque's tail clear asks for values that are elsewhere. */
  private final int asking;

  private final Runnable refill;
  private final long[] words;
  private final int deques;
  private final int dequeShift;
  private final int stride;
  private final int mask;

  /**
   * An empty pool, with two deques for each processor.
   *
   * @param capacity the most values that are ever in it, up to 2<sup>24</sup>
   */
  public LongPool(int capacity) {
    this(capacity, 1, () -> {});
  }

  /**
   * An empty pool of values that come back in other ways than by who has taken them.
   *
   * @param capacity the most values that are ever in it, up to 2<sup>24</sup>
   * @param asking of so many takes one calls {@code refill}, about; a power of two
   * @param refill gives those that have come back: so they are taken again before others, while
   *     they are still in caches
   */
  LongPool(int capacity, int asking, Runnable refill) {
    this(capacity, 2 * Runtime.getRuntime().availableProcessors(), asking, refill);
  }

  /**
   * An empty pool.
   *
   * @param deques how many, at least; rounded up to a power of two, at most 64
   */
  LongPool(int capacity, int deques, int asking, Runnable refill) {
    if (Integer.bitCount(asking) != 1) {
      throw new IllegalArgumentException("asking must be a power of two, not " + asking);
    }
    this.asking = asking - 1;
    this.refill = refill;
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "capacity must be 1 to " + MAX_CAPACITY + ", not " + capacity);
    }
    this.deques = powerOfTwo(Math.min(deques, MAX_STRIPES));
    dequeShift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(this.deques);
    // Twice the capacity in all, or everything in each: wherever the values are, one has room.
    int room = powerOfTwo(Math.min(capacity, 4 * capacity / this.deques + MAX_MOVE));
    mask = room - 1;
    stride = VALUES + room;
    words = new long[this.deques * stride + PADDING];
  }

  private static int powerOfTwo(int atLeast) {
    return atLeast <= 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
  }

  /** A value; or 0 if none was found, although one may have been given meanwhile. */
  public long take() {
    long[] words = this.words;
    int own = ownDeque() * stride;
    if (tryLock(words, own)) {
      long tail = words[own + TAIL];
      if (tail != words[own + HEAD]) {
        long value = words[own + VALUES + ((int) (tail - 1) & mask)];
        words[own + TAIL] = tail - 1;
        unlock(words, own);
        if ((tail & asking) == 0) {
          refill.run();
        }
        return value;
      }
      unlock(words, own);
    }
    return steal(own);
  }

  /** Looks into every deque once, the own one too: it may just have been locked. */
  private long steal(int own) {
    int start = ThreadLocalRandom.current().nextInt(deques);
    for (int i = 0; i < deques; i++) {
      int victim = ((start + i) & (deques - 1)) * stride;
      // Looking before locking leaves the lines of empty deques alone.
      if (length(victim) > 0 && tryLock(words, victim)) {
        long value = length(victim) > 0 ? takeHalf(victim, own) : 0;
        unlock(words, victim);
        if (value != 0) {
          return value;
        }
      }
    }
    return 0;
  }

  /** With the victim locked and not empty: takes its first value, and moves others if possible. */
  private long takeHalf(int victim, int own) {
    long head = words[victim + HEAD];
    long value = words[victim + VALUES + ((int) head & mask)];
    int moved = 0;
    int others = (int) Math.min((length(victim) - 1) / 2, MAX_MOVE);
    // Two locks at once, and no deadlock: nobody waits for either.
    if (others > 0 && victim != own && tryLock(words, own)) {
      moved = move(victim, head + 1, own, others);
      unlock(words, own);
    }
    words[victim + HEAD] = head + 1 + moved;
    return value;
  }

  private int move(int from, long head, int to, int most) {
    long tail = words[to + TAIL];
    int count = (int) Math.min(most, mask + 1 - length(to));
    for (int i = 0; i < count; i++) {
      words[to + VALUES + ((int) (tail + i) & mask)] =
          words[from + VALUES + ((int) (head + i) & mask)];
    }
    words[to + TAIL] = tail + count;
    return count;
  }

  /**
   * Gives a value, which is kept in any case.
   *
   * @param value not 0
   */
  public void give(long value) {
    if (value == 0) {
      throw new IllegalArgumentException("0 stands for no value and cannot be given");
    }
    int own = ownDeque();
    if (!tryGive(own * stride, value)) {
      giveElsewhere(own, value);
    }
  }

  private boolean tryGive(int deque, long value) {
    long[] words = this.words;
    if (!tryLock(words, deque)) {
      return false;
    }
    long tail = words[deque + TAIL];
    boolean room = tail - words[deque + HEAD] <= mask;
    if (room) {
      words[deque + VALUES + ((int) tail & mask)] = value;
      words[deque + TAIL] = tail + 1;
    }
    unlock(words, deque);
    return room;
  }

  private void giveElsewhere(int own, long value) {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      for (int i = 1; i <= deques; i++) {
        if (tryGive(((own + i) & (deques - 1)) * stride, value)) {
          return;
        }
      }
      if (round < SPINS) {
        Thread.onSpinWait();
      } else if (size() < deques * (mask + 1)) {
        Thread.yield();
      } else {
        break;
      }
    }
    throw new IllegalStateException(
        "no room for a value: " + size() + " of " + deques * (mask + 1) + " places are taken");
  }

  /** How many values are in it; a snapshot, exact while nobody takes or gives. */
  public int size() {
    long size = 0;
    for (int i = 0; i < deques; i++) {
      size += length(i * stride);
    }
    return (int) size;
  }

  private long length(int deque) {
    // The head first: it only grows, and the tail never falls below it.
    long head = (long) WORDS.getAcquire(words, deque + HEAD);
    return (long) WORDS.getOpaque(words, deque + TAIL) - head;
  }

  private int ownDeque() {
    // Multiples of the golden ratio: threads that follow each other fall far apart. In two steps,
    // because to Java a shift by 64 is a shift by 0.
    long spread = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return (int) (spread >>> 1 >>> dequeShift);
  }

  private static boolean tryLock(long[] words, int deque) {
    return (long) WORDS.getOpaque(words, deque + LOCK) == 0
        && (long) WORDS.compareAndExchangeAcquire(words, deque + LOCK, 0L, 1L) == 0;
  }

  private static void unlock(long[] words, int deque) {
    WORDS.setRelease(words, deque + LOCK, 0L);
  }
}
