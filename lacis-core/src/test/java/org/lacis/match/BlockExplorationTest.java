package org.lacis.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of two and three messages, in every order of their threads' steps. */
class BlockExplorationTest {

  /** Receives of each class, and two of one key. */
  private static final long[] RECEIVES = {
    OrderedKeys.key(0, 1),
    OrderedKeys.key(OrderedKeys.ANY_TAG, 0, 0),
    OrderedKeys.key(OrderedKeys.ANY_SOURCE, 0, 1),
    OrderedKeys.key(OrderedKeys.ANY_SOURCE | OrderedKeys.ANY_TAG, 0, 0),
    OrderedKeys.key(0, 2),
  };

  private static final long[] MESSAGES = {OrderedKeys.key(0, 1), OrderedKeys.key(0, 2)};

  /** What was explored by a test. */
  private double orders;

  private long states;

  /** A receive that is removed when the last one before that is posted. */
  private record Removal(int receive, int last) {}

  private static final class Entry extends MatchEntry {
    final int number;

    Entry(long key, int number) {
      this.key = key;
      this.hash = OrderedKeys.hash(key);
      this.number = number;
    }

    @Override
    public String toString() {
      return Integer.toString(number);
    }
  }

  @ParameterizedTest(name = "early check {0}")
  @ValueSource(booleans = {true, false})
  void twoMessagesAndTwoReceivesOfAllKinds(boolean earlyCheck) {
    long[] messages = new long[2];
    long[] receives = new long[2];
    for (int m = 0; m < 4; m++) {
      messages[0] = MESSAGES[m & 1];
      messages[1] = MESSAGES[m >> 1];
      for (int r = 0; r < 25; r++) {
        receives[0] = RECEIVES[r % 5];
        receives[1] = RECEIVES[r / 5];
        explore(receives, messages, earlyCheck, true);
        explore(receives, messages, earlyCheck, false);
      }
    }
  }

  @Test
  void threeMessagesAndASequenceOfReceives() {
    long key = MESSAGES[0];
    long[] three = {key, key, key};
    MatchCounts counts = explore(three, three, false, true);
    assertThat(counts.optimistic()).isPositive();
    assertThat(counts.conflicts()).isPositive();
    assertThat(counts.fastPath()).isPositive();
    assertThat(counts.slowPath()).isPositive();
    assertThat(counts.leftForLater()).isPositive();
    assertThat(explore(three, three, false, false).fastPath()).isZero();
    assertThat(explore(new long[] {key, key}, three, true, true).passedOver()).isPositive();
  }

  @Test
  void threeMessagesThatGiveUpWhatOthersWant() {
    long one = MESSAGES[0];
    long two = MESSAGES[1];
    long any = RECEIVES[3];
    explore(new long[] {one, any, two}, new long[] {one, one, two}, true, true);
    explore(new long[] {any, any, one}, new long[] {one, two, one}, true, true);
  }

  @ParameterizedTest(name = "early check {0}")
  @ValueSource(booleans = {true, false})
  void threeMessagesAndASequenceThatAReceiveWasRemovedFrom(boolean earlyCheck) {
    long key = MESSAGES[0];
    exploreRemovals(new long[] {key, key, key, key}, earlyCheck);
  }

  @Test
  void threeMessagesAndReceivesOfTwoKindsOfWhichOneWasRemoved() {
    long key = MESSAGES[0];
    for (long kind : new long[] {RECEIVES[1], RECEIVES[3], RECEIVES[4]}) {
      exploreRemovals(new long[] {kind, key, kind, key}, false);
      exploreRemovals(new long[] {key, key, kind, key}, false);
    }
  }

  /** Each receive is removed once, after each of those that are posted behind it. */
  private void exploreRemovals(long[] receives, boolean earlyCheck) {
    long key = MESSAGES[0];
    for (int removed = 0; removed < receives.length; removed++) {
      for (int last = removed; last < receives.length; last++) {
        var removal = new Removal(removed, last);
        explore(receives, removal, new long[] {key, key, key}, earlyCheck, true);
      }
    }
  }

  /** All of three messages and three receives, if the keys of the messages are these. */
  @Test
  void threeMessagesAndThreeReceivesOfAllKinds() {
    exploreThree(5);
  }

  @ParameterizedTest(name = "keys {0}")
  @ValueSource(ints = {0, 1, 2, 3, 4, 6, 7})
  @EnabledIfSystemProperty(named = "lacis.long", matches = "true")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void threeMessagesOfOtherKeysAndThreeReceivesOfAllKinds(int m) {
    exploreThree(m);
  }

  private void exploreThree(int m) {
    long[] messages = {MESSAGES[m & 1], MESSAGES[m >> 1 & 1], MESSAGES[m >> 2]};
    for (int r = 0; r < 125; r++) {
      long[] receives = {RECEIVES[r % 5], RECEIVES[r / 5 % 5], RECEIVES[r / 25]};
      explore(receives, messages, true, true);
      explore(receives, messages, false, true);
    }
    System.out.printf("keys %d: %d states, %.2g orders of steps%n", m, states, orders);
  }

  private MatchCounts explore(
      long[] receives, long[] messages, boolean earlyCheck, boolean fastPath) {
    return explore(receives, null, messages, earlyCheck, fastPath);
  }

  /** What was counted is more than it is in one run, as steps are taken again and again. */
  private MatchCounts explore(
      long[] receives,
      @Nullable Removal removal,
      long[] messages,
      boolean earlyCheck,
      boolean fastPath) {
    List<String> expected = serially(receives, removal, messages);
    var explorer =
        new BlockExplorer(
            receives.length,
            messages.length,
            words -> scene(words, receives, removal, messages, earlyCheck, fastPath),
            scene -> assertThat(outcome(scene, messages.length)).isEqualTo(expected));
    orders += explorer.explore();
    states += explorer.states();
    return explorer.counts();
  }

  private static BlockExplorer.Scene scene(
      SharedWords[] words,
      long[] receives,
      @Nullable Removal removal,
      long[] messages,
      boolean earlyCheck,
      boolean fastPath) {
    var table = new ReceiveTable(1, receives.length, words[0], words[1]);
    var matcher = new OrderedMatcher(1, table, 3, false);
    post(matcher, receives, removal);
    var block = new MatchBlock(matcher, earlyCheck, fastPath, words[2]);
    for (int i = 0; i < messages.length; i++) {
      block.add(new Entry(messages[i], i));
    }
    block.begin();
    return new BlockExplorer.Scene(matcher, block);
  }

  private static void post(Matcher matcher, long[] receives, @Nullable Removal removal) {
    List<Entry> posted = new ArrayList<>();
    for (int i = 0; i < receives.length; i++) {
      posted.add(new Entry(receives[i], i));
      matcher.insertReceive(posted.getLast());
      if (removal != null && removal.last == i) {
        assertThat(matcher.remove(posted.get(removal.receive), 0)).isTrue();
      }
    }
  }

  /** The receive of each message, then what is left. */
  private static List<String> outcome(BlockExplorer.Scene scene, int messages) {
    var receives = new MatchEntry[MatchBlock.MAX];
    scene.block().end(receives);
    List<String> outcome = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      outcome.add(String.valueOf(receives[i]));
    }
    left(scene.matcher(), outcome);
    return outcome;
  }

  private static List<String> serially(
      long[] receives, @Nullable Removal removal, long[] messages) {
    var matcher = new ListMatcher();
    post(matcher, receives, removal);
    List<String> outcome = new ArrayList<>();
    for (int i = 0; i < messages.length; i++) {
      outcome.add(String.valueOf(matcher.insertArrival(new Entry(messages[i], i))));
    }
    left(matcher, outcome);
    return outcome;
  }

  private static void left(Matcher matcher, List<String> outcome) {
    List<String> left = new ArrayList<>();
    matcher.drain(entry -> left.add(entry + " of " + ((Entry) entry).key));
    left.sort(null);
    outcome.addAll(left);
  }
}
