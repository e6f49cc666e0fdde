package org.lacis.match;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Patience;

/**
 * Leaves matching to threads of its own, as a network card would do it: posts and messages are put
 * into a queue, and met there. What has met is handed over by one of these threads, or by one that
 * removes, counts or looks at something, since all that was put in before is matched first.
 */
public final class OffloadedMatcher implements Matcher, AutoCloseable {

  private static final VarHandle INBOX = MethodHandles.arrayElementVarHandle(MatchEntry[].class);

  /** Where it is in its array: 128 bytes from whatever is beside it. */
  private static final int ALONE = 32;

  private final OrderedMatcher matcher;
  private final BlockMatcher blocks;
  private final int blockSize;
  private final int spins;
  private final BiConsumer<MatchEntry, MatchEntry> met;
  private final Set<Thread> handing;
  private final Thread leader;
  private final @Nullable MatchEntry[] messages = new MatchEntry[BlockMatcher.MAX_BLOCK];
  private final @Nullable MatchEntry[] receives = new MatchEntry[BlockMatcher.MAX_BLOCK];

  /** What was put in and not matched, the last first. */
  private final @Nullable MatchEntry[] inbox = new MatchEntry[2 * ALONE + 1];

  /** How many threads have pairs that are met, and not handed over. */
  private final AtomicInteger holders = new AtomicInteger();

  private volatile boolean sleeps;
  private volatile boolean closed;

  /**
   * Starts the threads.
   *
   * @param matcher what they use; nobody else does
   * @param threads how many; a block has as many messages at most
   * @param fastPath whether conflicts along a sequence of receives are resolved at once
   * @param crowded whether there may be fewer cores than threads
   * @param handing has every thread that calls {@code met}, as long as it does
   * @param met given a receive and its message
   */
  public OffloadedMatcher(
      OrderedMatcher matcher,
      int threads,
      boolean fastPath,
      boolean crowded,
      Set<Thread> handing,
      BiConsumer<MatchEntry, MatchEntry> met) {
    this.matcher = matcher;
    this.blocks = new BlockMatcher(matcher, threads, true, fastPath, crowded);
    this.blockSize = threads;
    this.spins = BlockMatcher.spins(crowded);
    this.handing = handing;
    this.met = met;
    this.leader = Thread.ofPlatform().daemon().name("lacis-matching-0").start(this::lead);
  }

  /** How messages have found their receives so far. */
  public MatchCounts counts() {
    return blocks.counts();
  }

  /** {@inheritDoc} It is always kept, if only for a moment. */
  @Override
  public @Nullable MatchEntry insertReceive(MatchEntry receive) {
    receive.receive = true;
    put(receive);
    return null;
  }

  /** {@inheritDoc} It is always kept, if only for a moment. */
  @Override
  public @Nullable MatchEntry insertArrival(MatchEntry arrival) {
    arrival.receive = false;
    put(arrival);
    return null;
  }

  /** {@inheritDoc} There is none: the message has to be kept for the threads. */
  @Override
  public @Nullable MatchEntry takeReceive(long key, int hash) {
    return null;
  }

  private void put(MatchEntry entry) {
    MatchEntry last;
    do {
      last = (MatchEntry) INBOX.getAcquire(inbox, ALONE);
      entry.next = last;
    } while (!INBOX.compareAndSet(inbox, ALONE, last, entry));
    if (sleeps) {
      // Once is enough, though it may take long until the thread runs.
      sleeps = false;
      LockSupport.unpark(leader);
    }
  }

  @Override
  public @Nullable MatchEntry takeArrival(long key, Wanted wanted) {
    matcher.hold();
    MatchEntry pairs = null;
    try {
      pairs = settle();
      return matcher.takeHeld(key, wanted);
    } finally {
      matcher.letGo();
      handOver(pairs);
    }
  }

  @Override
  public boolean remove(MatchEntry entry, long use) {
    matcher.hold();
    MatchEntry pairs = null;
    try {
      pairs = settle();
      return matcher.removeHeld(entry, use);
    } finally {
      matcher.letGo();
      handOver(pairs);
    }
  }

  @Override
  public void drain(Consumer<MatchEntry> taker) {
    settled();
    matcher.drain(taker);
  }

  @Override
  public long receives() {
    settled();
    return matcher.receives();
  }

  @Override
  public long arrivals() {
    settled();
    return matcher.arrivals();
  }

  /** Matches what was put in before, and hands it over. */
  private void settled() {
    MatchEntry pairs;
    matcher.hold();
    try {
      pairs = settle();
    } finally {
      matcher.letGo();
    }
    handOver(pairs);
  }

  /** Whether all that was put in before is matched, and what has met handed over. */
  public boolean isSettled() {
    settled();
    return holders.get() == 0;
  }

  private void lead() {
    // For good, as it calls nothing else that may wait.
    handing.add(Thread.currentThread());
    try {
      serve();
    } finally {
      handing.remove(Thread.currentThread());
    }
  }

  private void serve() {
    for (int looks = 1; !closed; looks++) {
      if (INBOX.getAcquire(inbox, ALONE) != null) {
        settled();
        looks = 0;
      } else if (Patience.step(looks, spins)) {
        sleep();
        looks = 0;
      }
    }
  }

  private void sleep() {
    sleeps = true;
    // Whoever puts something in looks at the flag afterwards.
    if (INBOX.getVolatile(inbox, ALONE) == null && !closed) {
      LockSupport.park(this);
    }
    sleeps = false;
  }

  /**
   * With the matcher held: matches all that is in the inbox. Messages that follow each other are a
   * block; a receive is posted between two of them.
   *
   * @return receives that have met their message, which is their sibling, linked by next
   */
  private @Nullable MatchEntry settle() {
    MatchEntry pairs = null;
    MatchEntry at = inOrder((MatchEntry) INBOX.getAndSet(inbox, ALONE, (MatchEntry) null));
    while (at != null) {
      MatchEntry next = at.next;
      at.next = null;
      if (at.receive) {
        pairs = runBlock(pairs);
        MatchEntry message = matcher.post(at);
        if (message != null) {
          pairs = pair(pairs, at, message);
        }
      } else {
        messages[blocks.size()] = at;
        blocks.add(at);
        if (blocks.size() == blockSize) {
          pairs = runBlock(pairs);
        }
      }
      at = next;
    }
    MatchEntry met = inOrder(runBlock(pairs));
    if (met != null) {
      holders.incrementAndGet();
    }
    return met;
  }

  private @Nullable MatchEntry runBlock(@Nullable MatchEntry pairs) {
    int count = blocks.size();
    if (count == 0) {
      return pairs;
    }
    blocks.run(receives);
    MatchEntry all = pairs;
    for (int i = 0; i < count; i++) {
      MatchEntry receive = receives[i];
      MatchEntry message = messages[i];
      if (receive != null && message != null) {
        all = pair(all, receive, message);
      }
      receives[i] = null;
      messages[i] = null;
    }
    return all;
  }

  private static MatchEntry pair(
      @Nullable MatchEntry before, MatchEntry receive, MatchEntry message) {
    receive.sibling = message;
    receive.next = before;
    return receive;
  }

  /** What was linked from the last to the first. */
  private static @Nullable MatchEntry inOrder(@Nullable MatchEntry last) {
    MatchEntry first = null;
    MatchEntry at = last;
    while (at != null) {
      MatchEntry before = at.next;
      at.next = first;
      first = at;
      at = before;
    }
    return first;
  }

  private void handOver(@Nullable MatchEntry pairs) {
    if (pairs == null) {
      return;
    }
    Thread thread = Thread.currentThread();
    // The leader is there already, and so is who is called and looks at something.
    boolean added = thread != leader && handing.add(thread);
    try {
      callWith(pairs);
    } finally {
      holders.decrementAndGet();
      if (added) {
        handing.remove(thread);
      }
    }
  }

  private void callWith(MatchEntry pairs) {
    MatchEntry receive = pairs;
    while (receive != null) {
      MatchEntry next = receive.next;
      MatchEntry message = receive.sibling;
      receive.next = null;
      receive.sibling = null;
      if (message != null) {
        met.accept(receive, message);
      }
      receive = next;
    }
  }

  /** Ends the threads. What is in here stays, to be drained. */
  @Override
  public void close() {
    closed = true;
    blocks.close();
    LockSupport.unpark(leader);
  }
}
