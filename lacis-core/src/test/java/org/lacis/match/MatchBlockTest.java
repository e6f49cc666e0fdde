package org.lacis.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What a block counts. Nobody gets past the barrier before all have booked, so it is known what
 * happens.
 */
class MatchBlockTest {

  private static final long ONE = OrderedKeys.key(0, 1);
  private static final long TWO = OrderedKeys.key(0, 2);
  private static final long ANY =
      OrderedKeys.key(OrderedKeys.ANY_SOURCE | OrderedKeys.ANY_TAG, 0, 0);

  private static final class Entry extends MatchEntry {
    Entry(long key) {
      this.key = key;
      this.hash = OrderedKeys.hash(key);
    }
  }

  /** Words of a block that are waited at until so many messages have booked. */
  private static final class HeldWords extends SharedWords {
    private final long all;

    HeldWords(int messages) {
      super(MatchBlock.WORDS);
      all = -1L >>> (Long.SIZE - messages);
    }

    @Override
    void set(int index, long bits) {
      super.set(index, bits);
      if (index == MatchBlock.BOOKED) {
        await(index, all);
      }
    }
  }

  private static MatchCounts matched(
      boolean earlyCheck, boolean fastPath, long[] receives, long... messages) {
    var matcher = new OrderedMatcher(1, 8);
    return matched(earlyCheck, fastPath, matcher, posted(matcher, receives), messages);
  }

  private static List<MatchEntry> posted(OrderedMatcher matcher, long... receives) {
    List<MatchEntry> posted = new ArrayList<>();
    for (long key : receives) {
      posted.add(new Entry(key));
      matcher.insertReceive(posted.getLast());
    }
    return posted;
  }

  /** Checks that messages have met these receives, in their order. */
  private static MatchCounts matched(
      boolean earlyCheck,
      boolean fastPath,
      OrderedMatcher matcher,
      List<MatchEntry> posted,
      long... messages) {
    var words = new HeldWords(messages.length);
    var block = new MatchBlock(matcher, earlyCheck, fastPath, words);
    for (long key : messages) {
      block.add(new Entry(key));
    }
    block.begin();
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < messages.length; i++) {
      int message = i;
      var end = CompletableFuture.runAsync(() -> block.match(message), MatchBlockTest::start);
      ends.add(end);
      // One after the other up to here, so that each finds what was booked before.
      while ((words.getAcquire(MatchBlock.BOOKED) & 1L << i) == 0 && !end.isDone()) {
        Thread.yield();
      }
    }
    ends.forEach(end -> end.orTimeout(20, TimeUnit.SECONDS).join());
    var met = new MatchEntry[MatchBlock.MAX];
    block.end(met);
    assertThat(met).startsWith(posted.subList(0, messages.length).toArray(MatchEntry[]::new));
    return block.counts();
  }

  private static void start(Runnable task) {
    Thread.ofPlatform().daemon().start(task);
  }

  @Test
  void messagesOfDifferentReceivesTakeWhatTheyHaveBooked() {
    MatchCounts counts = matched(true, true, new long[] {ONE, TWO}, ONE, TWO);
    assertThat(counts.blocks()).isEqualTo(1);
    assertThat(counts.optimistic()).isEqualTo(2);
    assertThat(counts.conflicts() + counts.forced() + counts.passedOver()).isZero();
  }

  @Test
  void ofOneSequenceAllButTheFirstHaveAConflictAndGoByTheFastPath() {
    MatchCounts counts = matched(false, true, new long[] {ONE, ONE, ONE}, ONE, ONE, ONE);
    assertThat(counts.optimistic()).isEqualTo(1);
    assertThat(counts.conflicts()).isEqualTo(2);
    assertThat(counts.fastPath()).isEqualTo(2);
    assertThat(counts.slowPath() + counts.forced() + counts.passedOver()).isZero();
  }

  @Test
  void withoutTheFastPathTheyGoByTheSlowOne() {
    MatchCounts counts = matched(false, false, new long[] {ONE, ONE, ONE}, ONE, ONE, ONE);
    assertThat(counts.conflicts()).isEqualTo(2);
    assertThat(counts.slowPath()).isEqualTo(2);
    assertThat(counts.fastPath()).isZero();
  }

  @Test
  void whatIsBookedIsPassedOverByTheEarlyCheck() {
    MatchCounts counts = matched(true, true, new long[] {ONE, ONE, ONE}, ONE, ONE, ONE);
    assertThat(counts.passedOver()).isEqualTo(1 + 2);
    assertThat(counts.optimistic()).isEqualTo(3);
    assertThat(counts.conflicts()).isZero();
  }

  /** The second wants what the first has, and so takes what the third has booked. */
  @Test
  void aConflictForcesThoseBehindItToLookAgain() {
    MatchCounts counts = matched(false, true, new long[] {ONE, ANY, TWO}, ONE, ONE, TWO);
    assertThat(counts.optimistic()).isEqualTo(1);
    assertThat(counts.conflicts()).isEqualTo(1);
    assertThat(counts.forced()).isEqualTo(1);
    assertThat(counts.slowPath()).isEqualTo(2);
  }

  /** Of messages that count along a sequence, none may come to one that another has counted to. */
  @Test
  void aReceiveRemovedFromTheMiddleOfASequenceEndsIt() {
    var matcher = new OrderedMatcher(1, 8);
    List<MatchEntry> posted = posted(matcher, ONE, ONE, ONE, ONE, ONE);
    assertThat(matcher.remove(posted.remove(2), 0)).isTrue();
    MatchCounts counts = matched(false, true, matcher, posted, ONE, ONE, ONE, ONE);
    assertThat(counts.fastPath()).isEqualTo(1);
    assertThat(counts.slowPath()).isEqualTo(2);
  }

  @Test
  void aReceiveRemovedFromTheEndOfASequenceIsNoPartOfWhatIsPostedBehindIt() {
    var matcher = new OrderedMatcher(1, 8);
    List<MatchEntry> posted = posted(matcher, ONE, ONE);
    assertThat(matcher.remove(posted.remove(1), 0)).isTrue();
    posted.addAll(posted(matcher, ONE, ONE));
    MatchCounts counts = matched(false, true, matcher, posted, ONE, ONE, ONE);
    assertThat(counts.slowPath()).isEqualTo(2);
  }

  @Test
  void aSequenceWhoseFirstReceiveWasRemovedIsStillOne() {
    var matcher = new OrderedMatcher(1, 8);
    List<MatchEntry> posted = posted(matcher, ONE, ONE, ONE, ONE);
    assertThat(matcher.remove(posted.remove(0), 0)).isTrue();
    MatchCounts counts = matched(false, true, matcher, posted, ONE, ONE, ONE);
    assertThat(counts.fastPath()).isEqualTo(2);
  }
}
