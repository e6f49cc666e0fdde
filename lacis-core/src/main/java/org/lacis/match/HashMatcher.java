package org.lacis.match;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Matches by a hash of the key. Entries of the same key are matched in the order they were
 * inserted; nothing is said about the order of different keys.
 *
 * <pre>
 *  heads[]   ┌ null      nothing waits here
 *            ├ BUSY      a thread is at work here
 *            └ entry ─sibling─▶ entry ─sibling─▶ null      one queue per key
 *                │ next            │ next
 *                ▼                 ▼
 *              entry             null                      the queue's first entry knows its last: tail,
 *                │ next                                    and every other one the one before it
 *                ▼
 *              null
 * </pre>
 *
 * <p>A bucket's head is its lock too, so that an insertion into an empty bucket is one
 * compare-and-set, and a match in a bucket of one entry an exchange and a store, on the same cache
 * line; the one other line touched is the entry's own. A queue holds only receives or only
 * arrivals: one of each would have matched. Nothing is ever allocated.
 */
@SuppressWarnings("ReferenceEquality") // an entry is itself, whatever its subclass calls equal
public final class HashMatcher implements Matcher {

  /** Buckets of a matcher made without saying how many. */
  public static final int DEFAULT_BUCKETS = 65_536;

  private static final VarHandle HEADS = MethodHandles.arrayElementVarHandle(MatchEntry[].class);

  private static final int SPINS = 100;

  /** Nearly all of them yields: ten seconds and more. */
  private static final int MAX_TRIES = 50_000_000;

  private final @Nullable MatchEntry[] heads;
  private final int shift;

  /** A matcher of {@value #DEFAULT_BUCKETS} buckets. */
  public HashMatcher() {
    this(DEFAULT_BUCKETS);
  }

  /**
   * A matcher.
   *
   * @param buckets how many; a power of two. Threads disturb each other only in the same bucket.
   */
  public HashMatcher(int buckets) {
    if (buckets < 1 || Integer.bitCount(buckets) != 1) {
      throw new IllegalArgumentException("buckets must be a power of two, not " + buckets);
    }
    heads = new MatchEntry[buckets];
    shift = Long.SIZE - 1 - Integer.numberOfTrailingZeros(buckets);
  }

  @Override
  public @Nullable MatchEntry insertReceive(MatchEntry receive) {
    return insert(receive, true);
  }

  @Override
  public @Nullable MatchEntry insertArrival(MatchEntry arrival) {
    return insert(arrival, false);
  }

  private @Nullable MatchEntry insert(MatchEntry entry, boolean receive) {
    var heads = this.heads;
    long key = entry.key;
    int bucket = bucket(key);
    entry.receive = receive;
    entry.next = null;
    entry.sibling = null;
    entry.tail = entry;

    var head = (MatchEntry) HEADS.getOpaque(heads, bucket);
    // An entry is another thread's the moment it is in: nothing below touches it after the
    // compare-and-set or release that lets it in.
    if (head == null && HEADS.compareAndSet(heads, bucket, (MatchEntry) null, entry)) {
      return null;
    }
    if (head == BUSY) {
      return BUSY;
    }
    // Exchanging BUSY for BUSY does no harm: the thread at work stores the head when it is done.
    // A head that was read before the exchange may have been matched, reused and put back since:
    // only the exchanged one counts.
    head = (MatchEntry) HEADS.getAndSet(heads, bucket, BUSY);
    if (head == BUSY) {
      return BUSY;
    }
    if (head == null) {
      HEADS.setRelease(heads, bucket, entry);
      return null;
    }
    if (head.key == key && head.receive != receive && head.next == null) {
      HEADS.setRelease(heads, bucket, head.sibling);
      return unlinked(head);
    }
    return insertAmong(bucket, head, entry);
  }

  /** With the bucket held: matches the entry, or adds it to a queue; lets the bucket go. */
  private @Nullable MatchEntry insertAmong(int bucket, MatchEntry head, MatchEntry entry) {
    long key = entry.key;
    MatchEntry before = null;
    for (MatchEntry queue = head; queue != null; before = queue, queue = queue.sibling) {
      if (queue.key != key) {
        continue;
      }
      if (queue.receive != entry.receive) {
        return takeFirst(bucket, head, before, queue);
      }
      MatchEntry last = Objects.requireNonNull(queue.tail);
      last.next = entry;
      entry.tail = last;
      queue.tail = entry;
      HEADS.setRelease(heads, bucket, head);
      return null;
    }
    entry.sibling = head;
    HEADS.setRelease(heads, bucket, entry);
    return null;
  }

  @Override
  public @Nullable MatchEntry takeReceive(long key, int hash) {
    var heads = this.heads;
    int bucket = bucket(key);
    var head = (MatchEntry) HEADS.getAcquire(heads, bucket);
    if (head == null || head == BUSY) {
      return head;
    }
    head = (MatchEntry) HEADS.getAndSet(heads, bucket, BUSY);
    if (head == BUSY) {
      return BUSY;
    }
    MatchEntry before = null;
    for (MatchEntry queue = head; queue != null; before = queue, queue = queue.sibling) {
      if (queue.key == key && queue.receive) {
        return takeFirst(bucket, head, before, queue);
      }
    }
    HEADS.setRelease(heads, bucket, head);
    return null;
  }

  /** With the bucket held: takes a queue's first entry out and lets the bucket go. */
  private MatchEntry takeFirst(
      int bucket, @Nullable MatchEntry head, @Nullable MatchEntry before, MatchEntry queue) {
    MatchEntry heir = queue.next;
    if (heir == null) {
      heir = queue.sibling;
    } else {
      heir.tail = queue.tail;
      heir.sibling = queue.sibling;
    }
    if (before == null) {
      HEADS.setRelease(heads, bucket, heir);
    } else {
      before.sibling = heir;
      HEADS.setRelease(heads, bucket, head);
    }
    return unlinked(queue);
  }

  /** Forgets an entry's neighbours, so that a pooled entry keeps none of them alive. */
  private static MatchEntry unlinked(MatchEntry entry) {
    entry.next = null;
    entry.sibling = null;
    entry.tail = null;
    return entry;
  }

  @Override
  public @Nullable MatchEntry takeArrival(long key, Wanted wanted) {
    int bucket = bucket(key);
    MatchEntry head = hold(bucket);
    MatchEntry before = null;
    for (MatchEntry queue = head; queue != null; before = queue, queue = queue.sibling) {
      if (queue.key == key && !queue.receive && isWanted(bucket, head, queue, wanted)) {
        return takeFirst(bucket, head, before, queue);
      }
    }
    HEADS.setRelease(heads, bucket, head);
    return null;
  }

  /** With the bucket held, which is let go if the question throws. */
  private boolean isWanted(
      int bucket, @Nullable MatchEntry head, MatchEntry arrival, Wanted wanted) {
    boolean answered = false;
    try {
      boolean answer = wanted.test(arrival);
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        HEADS.setRelease(heads, bucket, head);
      }
    }
  }

  @Override
  public boolean remove(MatchEntry entry, long use) {
    int bucket = bucket(entry.key);
    MatchEntry head = hold(bucket);
    MatchEntry beforeQueue = null;
    MatchEntry queue = head;
    while (queue != null && queue.key != entry.key) {
      beforeQueue = queue;
      queue = queue.sibling;
    }
    // While it is here, and the bucket is held, its use does not change.
    if (queue == entry && entry.use() == use) {
      takeFirst(bucket, head, beforeQueue, queue);
      return true;
    }
    boolean removed = queue != null && removeBehind(queue, entry, use);
    HEADS.setRelease(heads, bucket, head);
    return removed;
  }

  /**
   * With the bucket held. Another thread may be about to put the entry in, or have taken it out
   * just now: it is here only if the one before it, which nobody else touches, says so.
   */
  private static boolean removeBehind(MatchEntry queue, MatchEntry entry, long use) {
    MatchEntry before = entry.tail;
    if (before == null || before.next != entry || entry.use() != use) {
      return false;
    }
    MatchEntry after = entry.next;
    before.next = after;
    if (after == null) {
      queue.tail = before;
    } else {
      after.tail = before;
    }
    unlinked(entry);
    return true;
  }

  /** {@inheritDoc} Entries of one key come in the order they were inserted. */
  @Override
  public void drain(Consumer<MatchEntry> taker) {
    for (int bucket = 0; bucket < heads.length; bucket++) {
      // Volatile: who puts something in later must see what the caller has written before.
      if (HEADS.getVolatile(heads, bucket) == null) {
        continue;
      }
      MatchEntry queue = hold(bucket);
      forgetBefore(queue);
      HEADS.setRelease(heads, bucket, (MatchEntry) null);
      while (queue != null) {
        MatchEntry sibling = queue.sibling;
        for (MatchEntry entry = queue; entry != null; ) {
          MatchEntry next = entry.next;
          taker.accept(unlinked(entry));
          entry = next;
        }
        queue = sibling;
      }
    }
  }

  /** With the bucket held: nobody finds anything of it here any more. */
  private static void forgetBefore(@Nullable MatchEntry head) {
    for (MatchEntry queue = head; queue != null; queue = queue.sibling) {
      for (MatchEntry entry = queue; entry != null; entry = entry.next) {
        entry.tail = null;
      }
    }
  }

  /** {@inheritDoc} It is counted on request: tens of microseconds when nothing waits. */
  @Override
  public long receives() {
    return count(true);
  }

  /** {@inheritDoc} It is counted on request: tens of microseconds when nothing waits. */
  @Override
  public long arrivals() {
    return count(false);
  }

  private long count(boolean receives) {
    long count = 0;
    for (int bucket = 0; bucket < heads.length; bucket++) {
      if (HEADS.getAcquire(heads, bucket) == null) {
        continue;
      }
      MatchEntry head = hold(bucket);
      for (MatchEntry queue = head; queue != null; queue = queue.sibling) {
        if (queue.receive == receives) {
          for (MatchEntry entry = queue; entry != null; entry = entry.next) {
            count++;
          }
        }
      }
      HEADS.setRelease(heads, bucket, head);
    }
    return count;
  }

  /** Holds a bucket; whoever holds it now lets it go within nanoseconds of its own time. */
  private @Nullable MatchEntry hold(int bucket) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      if (HEADS.getOpaque(heads, bucket) != BUSY) {
        var head = (MatchEntry) HEADS.getAndSet(heads, bucket, BUSY);
        if (head != BUSY) {
          return head;
        }
      }
      if (tries < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    throw new IllegalStateException("bucket " + bucket + " was never let go: its holder has died");
  }

  /** Ranks and tags near each other must spread, and multiples of powers of two. */
  int bucket(long key) {
    long h = (key ^ (key >>> 32)) * 0x9E3779B97F4A7C15L;
    h = (h ^ (h >>> 29)) * 0xBF58476D1CE4E5B9L;
    // In two steps, for a matcher of one bucket: to Java a shift by 64 is a shift by 0.
    return (int) (h >>> 1 >>> shift);
  }
}
