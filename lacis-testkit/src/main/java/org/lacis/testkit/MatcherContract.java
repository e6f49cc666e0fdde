package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.match.OrderedKeys;

/**
 * What every matcher does, one thread at a time. A subclass per implementation says which.
 *
 * <p>What several threads see is in {@link MatcherThreadsContract}.
 */
@ExtendWith(Seeded.class)
public abstract class MatcherContract {

  /** An empty matcher. */
  protected abstract Matcher matcher();

  /** How many bits of a key are just compared; the ordered matchers have a meaning for two. */
  protected int keyBits() {
    return Long.SIZE;
  }

  /** An entry that knows its place in the history. */
  protected static final class Entry extends MatchEntry {
    final int number;
    final boolean receive;

    Entry(long key, boolean receive, int number) {
      this.key = key;
      this.hash = hash(key);
      this.receive = receive;
      this.number = number;
    }

    long key() {
      return key;
    }

    @Override
    public String toString() {
      return (receive ? "receive " : "arrival ") + number + " of key " + key;
    }
  }

  static Entry receive(long key) {
    return new Entry(key, true, 0);
  }

  static Entry arrival(long key) {
    return new Entry(key, false, 0);
  }

  static int hash(long key) {
    return OrderedKeys.hash((int) (key >>> Integer.SIZE), (int) key);
  }

  static @Nullable MatchEntry take(Matcher matcher, long key) {
    return matcher.takeReceive(key, hash(key));
  }

  /** Inserts on the entry's own side. */
  static @Nullable MatchEntry insert(Matcher matcher, Entry entry) {
    return entry.receive ? matcher.insertReceive(entry) : matcher.insertArrival(entry);
  }

  @Test
  void anArrivalTakesTheReceiveThatWaits() {
    var matcher = matcher();
    var receive = receive(7);
    assertThat(matcher.insertReceive(receive)).isNull();
    assertThat(matcher.insertArrival(arrival(7))).isSameAs(receive);
    assertThat(matcher.receives()).isZero();
    assertThat(matcher.arrivals()).isZero();
  }

  @Test
  void aReceiveTakesTheArrivalThatWaits() {
    var matcher = matcher();
    var arrival = arrival(7);
    assertThat(matcher.insertArrival(arrival)).isNull();
    assertThat(matcher.insertReceive(receive(7))).isSameAs(arrival);
    assertThat(matcher.receives()).isZero();
    assertThat(matcher.arrivals()).isZero();
  }

  @Test
  void anEntryIsMatchedOnce() {
    var matcher = matcher();
    var receive = receive(7);
    matcher.insertReceive(receive);
    assertThat(matcher.insertArrival(arrival(7))).isSameAs(receive);
    assertThat(matcher.insertArrival(arrival(7))).isNull();
  }

  @Test
  void entriesOfDifferentKeysDoNotMatch() {
    var matcher = matcher();
    for (int bit = 0; bit < keyBits(); bit++) {
      assertThat(matcher.insertReceive(receive(1L << bit))).isNull();
    }
    assertThat(matcher.insertArrival(arrival(0))).isNull();
    assertThat(matcher.insertArrival(arrival(3))).isNull();
    assertThat(matcher.insertArrival(arrival(-1L >>> (Long.SIZE - keyBits())))).isNull();
    assertThat(matcher.receives()).isEqualTo(keyBits());
    assertThat(matcher.arrivals()).isEqualTo(3);
  }

  @Test
  void aReceivePostedFirstIsMatchedFirst() {
    var matcher = matcher();
    var receives = List.of(receive(7), receive(7), receive(7));
    receives.forEach(matcher::insertReceive);
    for (var receive : receives) {
      assertThat(matcher.insertArrival(arrival(7))).isSameAs(receive);
    }
  }

  @Test
  void anArrivalThatCameFirstIsMatchedFirst() {
    var matcher = matcher();
    var arrivals = List.of(arrival(7), arrival(7), arrival(7));
    arrivals.forEach(matcher::insertArrival);
    for (var arrival : arrivals) {
      assertThat(matcher.insertReceive(receive(7))).isSameAs(arrival);
    }
  }

  @Test
  void takingAReceiveTakesTheOldest() {
    var matcher = matcher();
    var first = receive(7);
    var second = receive(7);
    matcher.insertReceive(first);
    matcher.insertReceive(second);
    assertThat(take(matcher, 7)).isSameAs(first);
    assertThat(take(matcher, 7)).isSameAs(second);
    assertThat(take(matcher, 7)).isNull();
  }

  @Test
  void takingAReceiveThatIsNotThereKeepsNothing() {
    var matcher = matcher();
    assertThat(take(matcher, 7)).isNull();
    assertThat(matcher.arrivals()).isZero();
    assertThat(matcher.insertReceive(receive(7))).isNull();
  }

  @Test
  void takingAReceiveTakesNoArrival() {
    var matcher = matcher();
    matcher.insertArrival(arrival(7));
    assertThat(take(matcher, 7)).isNull();
    assertThat(matcher.arrivals()).isEqualTo(1);
  }

  @Test
  void takingAnArrivalTakesTheOldestIfItIsWanted() {
    var matcher = matcher();
    var first = arrival(7);
    var second = arrival(7);
    matcher.insertReceive(receive(8));
    assertThat(matcher.takeArrival(7, _ -> true)).isNull();
    assertThat(matcher.takeArrival(8, _ -> true)).as("a receive").isNull();
    matcher.insertArrival(first);
    matcher.insertArrival(arrival(9));
    matcher.insertArrival(second);
    assertThat(matcher.takeArrival(7, arrival -> arrival != first)).isNull();
    assertThat(matcher.arrivals()).isEqualTo(3);
    assertThat(matcher.takeArrival(7, _ -> true)).isSameAs(first);
    assertThat(matcher.insertReceive(receive(7))).isSameAs(second);
    assertThat(matcher.takeArrival(7, _ -> true)).isNull();
    assertThat(matcher.arrivals()).isEqualTo(1);
  }

  @Test
  void aQuestionThatThrowsChangesNothing() {
    var matcher = matcher();
    var arrival = arrival(7);
    matcher.insertArrival(arrival);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                matcher.takeArrival(
                    7,
                    _ -> {
                      throw new IllegalStateException();
                    }));
    assertThat(matcher.insertReceive(receive(7))).isSameAs(arrival);
  }

  @Test
  void whatIsRemovedIsNotMatchedAndTheOthersKeepTheirOrder() {
    for (int out = 0; out < 4; out++) {
      var matcher = matcher();
      var receives = new ArrayList<Entry>();
      for (int i = 0; i < 4; i++) {
        receives.add(new Entry(7, true, i));
        matcher.insertReceive(receives.get(i));
        matcher.insertReceive(receive(100 + i));
      }
      assertThat(matcher.remove(receives.remove(out), 0)).isTrue();
      var late = receive(7);
      receives.add(late);
      matcher.insertReceive(late);
      for (var receive : receives) {
        assertThat(matcher.insertArrival(arrival(7))).isSameAs(receive);
      }
      assertThat(matcher.receives()).isEqualTo(4);
    }
  }

  /** By a walk for each of them this would take minutes. */
  @Test
  void manyReceivesOfOneKeyAreRemovedFromTheLastToTheFirst() {
    var matcher = matcher();
    var receives = new ArrayList<Entry>();
    for (int i = 0; i < 300_000; i++) {
      receives.add(new Entry(7, true, i));
      matcher.insertReceive(receives.get(i));
    }
    var first = receives.removeFirst();
    while (!receives.isEmpty()) {
      assertThat(matcher.remove(receives.removeLast(), 0)).isTrue();
    }
    assertThat(matcher.receives()).isEqualTo(1);
    assertThat(matcher.insertArrival(arrival(7))).isSameAs(first);
  }

  @Test
  void onlyWhatWaitsCanBeRemoved() {
    var matcher = matcher();
    var receive = receive(7);
    assertThat(matcher.remove(receive, 0)).as("never inserted").isFalse();
    matcher.insertReceive(receive);
    assertThat(matcher.remove(receive, 1)).as("another use of it").isFalse();
    assertThat(matcher.remove(receive(7), 0)).as("another of the same key").isFalse();
    assertThat(matcher.remove(receive, 0)).isTrue();
    assertThat(matcher.remove(receive, 0)).as("removed before").isFalse();
    matcher.insertReceive(receive);
    matcher.insertArrival(arrival(7));
    assertThat(matcher.remove(receive, 0)).as("matched").isFalse();
  }

  @Test
  void anEntryCanBeUsedAgainOnEitherSide() {
    var matcher = matcher();
    var entry = receive(7);
    var other = arrival(7);
    for (int i = 0; i < 3; i++) {
      assertThat(matcher.insertReceive(entry)).isNull();
      assertThat(matcher.insertArrival(other)).isSameAs(entry);
      assertThat(matcher.insertArrival(entry)).isNull();
      assertThat(matcher.insertReceive(other)).isSameAs(entry);
    }
  }

  @Test
  void drainingHandsOutEverythingOnceAndInOrder() {
    var matcher = matcher();
    var expected = new HashMap<Long, List<MatchEntry>>();
    for (int i = 0; i < 300; i++) {
      var entry = new Entry(i % 100, i % 100 < 50, i);
      assertThat(insert(matcher, entry)).isNull();
      expected.computeIfAbsent(entry.key(), _ -> new ArrayList<>()).add(entry);
    }
    var drained = new HashMap<Long, List<MatchEntry>>();
    matcher.drain(e -> drained.computeIfAbsent(((Entry) e).key(), _ -> new ArrayList<>()).add(e));
    assertThat(drained).isEqualTo(expected);
    assertThat(matcher.receives()).isZero();
    assertThat(matcher.arrivals()).isZero();
    matcher.drain(e -> assertThat(e).as("drained twice").isNull());
  }

  @Test
  void countsFollowWhatWaits() {
    var matcher = matcher();
    for (int i = 0; i < 10; i++) {
      matcher.insertReceive(receive(i % 3));
      matcher.insertArrival(arrival(1000 + i % 4));
      assertThat(matcher.receives()).isEqualTo(i + 1);
      assertThat(matcher.arrivals()).isEqualTo(i + 1);
    }
    take(matcher, 0);
    matcher.insertReceive(receive(1000));
    assertThat(matcher.receives()).isEqualTo(9);
    assertThat(matcher.arrivals()).isEqualTo(9);
  }

  @ParameterizedTest(name = "{0} keys")
  @ValueSource(ints = {1, 3, 50, 5_000})
  void randomHistoriesAgreeWithTheModel(int keys, RandomGenerator random) {
    var matcher = matcher();
    Map<Long, Deque<Entry>> model = new HashMap<>();
    var waiting = new ArrayList<Entry>();
    for (int i = 0; i < 20_000; i++) {
      long key = random.nextInt(keys) * 0x100000001L;
      var queue = queue(model, key);
      int action = random.nextInt(20);
      if (action < 16) {
        // Runs of one kind, so that queues grow and empty.
        var entry = new Entry(key, random.nextInt(100) < (i / 1000 % 2 == 0 ? 70 : 30), i);
        boolean matches = !queue.isEmpty() && queue.peekFirst().receive != entry.receive;
        assertThat(insert(matcher, entry)).isSameAs(matches ? queue.pollFirst() : null);
        if (!matches) {
          queue.addLast(entry);
          waiting.add(entry);
        }
      } else if (action < 18) {
        boolean takes = !queue.isEmpty() && queue.peekFirst().receive;
        assertThat(take(matcher, key)).isSameAs(takes ? queue.pollFirst() : null);
      } else if (!waiting.isEmpty()) {
        var entry = waiting.remove(random.nextInt(waiting.size()));
        boolean there = queue(model, entry.key()).remove(entry);
        assertThat(matcher.remove(entry, 0)).as("remove %s", entry).isEqualTo(there);
      }
    }
    long[] left = new long[2];
    model.values().forEach(q -> q.forEach(e -> left[e.receive ? 1 : 0]++));
    assertThat(matcher.receives()).isEqualTo(left[1]);
    assertThat(matcher.arrivals()).isEqualTo(left[0]);
    matcher.drain(e -> assertThat(queue(model, ((Entry) e).key()).pollFirst()).isSameAs(e));
    assertThat(model.values()).allMatch(Deque::isEmpty);
  }

  private static Deque<Entry> queue(Map<Long, Deque<Entry>> model, long key) {
    return model.computeIfAbsent(key, _ -> new ArrayDeque<>());
  }
}
