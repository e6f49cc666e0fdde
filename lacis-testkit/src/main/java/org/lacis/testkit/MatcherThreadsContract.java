package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;

/** What every matcher does when several threads use it at once. */
@ExtendWith(Seeded.class)
public abstract class MatcherThreadsContract {

  private static final int THREADS = 4;
  private static final int ROUNDS = 30_000;

  /** An empty matcher. */
  protected abstract Matcher matcher();

  /** An entry that counts what becomes of it. */
  private static final class Entry extends MatchEntry {
    final int number;
    boolean receive;
    final AtomicInteger ends = new AtomicInteger();

    Entry(long key, boolean receive, int number) {
      become(key, receive);
      this.number = number;
    }

    long key() {
      return key;
    }

    final void become(long key, boolean receive) {
      this.key = key;
      this.hash = MatcherContract.hash(key);
      this.receive = receive;
    }

    void end() {
      assertThat(ends.incrementAndGet()).as("ends of one entry").isEqualTo(1);
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private static @Nullable Entry insert(Matcher matcher, Entry entry) {
    while (true) {
      var match = entry.receive ? matcher.insertReceive(entry) : matcher.insertArrival(entry);
      if (match != Matcher.BUSY) {
        return (Entry) match;
      }
      Thread.onSpinWait();
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private static @Nullable Entry takeReceive(Matcher matcher, long key) {
    while (true) {
      var match = MatcherContract.take(matcher, key);
      if (match != Matcher.BUSY) {
        return (Entry) match;
      }
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest(name = "{0} keys")
  @ValueSource(ints = {1, 2, 8, 1_000})
  void everyEntryIsMatchedOnceWithOneOfItsKeyAndOfTheOtherKind(int keys, RandomGenerator random)
      throws Exception {
    var matcher = matcher();
    var inserted = together(THREADS, random, (_, own) -> history(matcher, own, keys));

    var waiting = new HashMap<Long, Boolean>();
    matcher.drain(
        e -> {
          var entry = (Entry) e;
          entry.end();
          assertThat(waiting.merge(entry.key(), entry.receive, (a, b) -> a.equals(b) ? a : null))
              .as("a receive and an arrival of key %d both wait", entry.key())
              .isNotNull();
        });
    inserted.forEach(mine -> mine.forEach(e -> assertThat(e.ends.get()).isEqualTo(1)));
    assertThat(matcher.receives() + matcher.arrivals()).isZero();
  }

  /** Inserts, takes and removes; marks the end of every entry that ends in this thread's hands. */
  private static List<Entry> history(Matcher matcher, RandomGenerator random, int keys) {
    var mine = new ArrayList<Entry>(ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
      long key = random.nextInt(keys) * 0x100000001L;
      int action = random.nextInt(20);
      if (action < 17) {
        var entry = new Entry(key, random.nextBoolean(), i);
        mine.add(entry);
        var match = insert(matcher, entry);
        if (match != null) {
          assertThat(match.key()).isEqualTo(key);
          assertThat(match.receive).isNotEqualTo(entry.receive);
          match.end();
          entry.end();
        }
      } else if (action < 18) {
        var taken = takeReceive(matcher, key);
        if (taken != null) {
          assertThat(taken.key()).isEqualTo(key);
          assertThat(taken.receive).isTrue();
          taken.end();
        }
      } else if (!mine.isEmpty()) {
        var entry = mine.get(Math.max(0, mine.size() - 1 - random.nextInt(8)));
        if (matcher.remove(entry, 0)) {
          entry.end();
        }
      }
    }
    return mine;
  }

  @Test
  void withOneThreadOnEachSideTheNthReceiveTakesTheNthArrival(RandomGenerator random)
      throws Exception {
    var matcher = matcher();
    together(
        2,
        random,
        (who, _) -> {
          for (int i = 0; i < 4 * ROUNDS; i++) {
            var match = insert(matcher, new Entry(7, who == 0, i));
            if (match != null) {
              assertThat(match.number).isEqualTo(i);
            }
          }
          return who;
        });
    assertThat(matcher.receives() + matcher.arrivals()).isZero();
  }

  /**
   * An entry that is matched, changed and put back while another thread looks at its bucket must
   * not be taken for what it was.
   */
  @Test
  void entriesCanBeUsedAgainAtOnce(RandomGenerator random) throws Exception {
    int each = 16;
    var matcher = matcher();
    var left =
        together(
            THREADS,
            random,
            (_, own) -> {
              var mine = new ArrayDeque<Entry>();
              for (int i = 0; i < each; i++) {
                mine.add(new Entry(0, true, i));
              }
              for (int i = 0; i < ROUNDS; i++) {
                if (mine.isEmpty()) {
                  matcher.drain(e -> mine.add((Entry) e));
                  continue;
                }
                var entry = mine.pollFirst();
                entry.become(own.nextInt(5), own.nextBoolean());
                long key = entry.key();
                boolean receive = entry.receive;
                var match = insert(matcher, entry);
                if (match != null) {
                  assertThat(match.key()).isEqualTo(key);
                  assertThat(match.receive).isNotEqualTo(receive);
                  mine.add(entry);
                  mine.add(match);
                }
              }
              return mine;
            });
    Set<Entry> all = Collections.newSetFromMap(new IdentityHashMap<>());
    left.forEach(mine -> mine.forEach(e -> assertThat(all.add(e)).isTrue()));
    matcher.drain(e -> assertThat(all.add((Entry) e)).isTrue());
    assertThat(all).hasSize(THREADS * each);
  }

  @Test
  void countingAndDrainingDisturbNobody(RandomGenerator random) throws Exception {
    int each = ROUNDS / 10;
    var matcher = matcher();
    var drained = new AtomicInteger();
    var matches =
        together(
            THREADS,
            random,
            (who, own) -> {
              int matched = 0;
              for (int i = 0; i < each; i++) {
                if (who > 0) {
                  var entry = new Entry(own.nextInt(5), own.nextBoolean(), i);
                  matched += insert(matcher, entry) == null ? 0 : 1;
                  continue;
                }
                assertThat(matcher.receives()).isBetween(0L, (THREADS - 1L) * each);
                assertThat(matcher.arrivals()).isBetween(0L, (THREADS - 1L) * each);
                if (i % 10 == 0) {
                  matcher.drain(_ -> drained.incrementAndGet());
                }
              }
              return matched;
            });
    matcher.drain(_ -> drained.incrementAndGet());
    int matched = matches.stream().mapToInt(Integer::intValue).sum();
    assertThat(2 * matched + drained.get()).isEqualTo((THREADS - 1) * each);
  }

  /** What one thread of several does. */
  private interface Part<T> {
    T play(int who, RandomGenerator random) throws Exception;
  }

  /** Runs a part on several threads at once; their answers, or the first failure. */
  private static <T> List<T> together(int threads, RandomGenerator random, Part<T> part)
      throws Exception {
    try (var executor = Executors.newFixedThreadPool(threads)) {
      var futures = new ArrayList<Future<T>>();
      for (int i = 0; i < threads; i++) {
        int who = i;
        var own = new SplittableRandom(random.nextLong());
        futures.add(executor.submit(() -> part.play(who, own)));
      }
      var answers = new ArrayList<T>();
      try {
        for (var future : futures) {
          answers.add(future.get(60, TimeUnit.SECONDS));
        }
      } finally {
        executor.shutdownNow();
      }
      return answers;
    }
  }
}
