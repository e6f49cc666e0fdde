package org.lacis.match;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Matches a block in every order in which its threads can come to the words they share. Each
 * message's code is run from its beginning with the answers it was given so far, takes one step
 * more, and is left where it would take the next. States that were seen before are not followed
 * again: what is in the words, and what each thread has been answered, is all there is to a state.
 * When a thread has booked or taken a receive, or found none, it does not matter any more which
 * answers have led it there; the number of orders, which is counted from the end, stays the same.
 *
 * <p>To wait is no step of its own, but part of the one behind it. Bits that are waited for are not
 * taken back within a block, so a wait that is over stays over, and when it is looked at changes
 * nothing for anybody.
 */
final class BlockExplorer {

  /** A thread has taken its step, or cannot take it now. */
  @SuppressWarnings("serial")
  private static final class Leave extends RuntimeException {
    Leave() {
      super(null, null, false, false);
    }
  }

  private static final Leave LEAVE = new Leave();
  private static final int MAX_STEPS = 200;

  // What a thread has chosen.
  private static final int BOOKED = 0;
  private static final int TAKEN = 1;

  /** Where it does not matter how a thread has come there, but for what it has chosen. */
  private enum Point {
    BOOKED,
    TOLD,
    TAKEN,
    DONE,
    ENDED
  }

  /** Words that count accesses, for the thread that runs. */
  private final class SteppedWords extends SharedWords {
    SteppedWords(int count) {
      super(count);
    }

    @Override
    long getAcquire(int index) {
      return stepping ? access(() -> super.getAcquire(index)) : super.getAcquire(index);
    }

    @Override
    void setRelease(int index, long value) {
      if (stepping) {
        access(
            () -> {
              super.setRelease(index, value);
              return 0;
            });
        if (this == receives
            && index % ReceiveTable.STRIDE == ReceiveTable.STATE
            && value == ReceiveTable.CONSUMED) {
          choose(TAKEN, index);
          forget(Point.TAKEN);
        }
      } else {
        super.setRelease(index, value);
      }
    }

    @Override
    boolean compareAndSet(int index, long expected, long value) {
      return stepping
          ? access(() -> super.compareAndSet(index, expected, value) ? 1 : 0) == 1
          : super.compareAndSet(index, expected, value);
    }

    @Override
    void set(int index, long bits) {
      access(
          () -> {
            super.set(index, bits);
            return 0;
          });
      if (this == receives) {
        choose(BOOKED, index);
        forget(Point.BOOKED);
      } else if (index == MatchBlock.BOOKED) {
        forget(Point.TOLD);
      } else if (index == MatchBlock.DONE) {
        forget(Point.DONE);
      }
    }

    @Override
    void await(int index, long bits) {
      if ((words[index] & bits) != bits) {
        throw LEAVE;
      }
    }
  }

  private interface Access {
    long go();
  }

  /** What is explored, made anew with the words it is given. */
  record Scene(OrderedMatcher matcher, MatchBlock block) {}

  private record State(long one, long two) {}

  private final SteppedWords receives;
  private final SteppedWords bins;
  private final SteppedWords block;
  private final Function<SharedWords[], Scene> maker;
  private final Consumer<Scene> check;
  private final Scene scene;
  private final int threads;
  private final long[][] answers;

  /** By thread and step: what the thread was answered up to there. */
  private final long[][] histories;

  /**
   * By thread and step: where the receives are that it has booked and taken; 0 if there is none.
   */
  private final int[][][] choices;

  private final int[] steps;
  private final boolean[] ended;

  /** By state: in how many orders the steps that are left can be taken. */
  private final Map<State, Double> seen = new HashMap<>();

  private boolean stepping;
  private int thread;
  private int at;
  private boolean stepped;

  /**
   * Prepares.
   *
   * @param capacity of the table
   * @param threads messages of the block
   * @param maker makes a matcher with its receives, and a block that has begun, of words for
   *     receives, bins and the block
   * @param check looks at each outcome: the block is matched, and has not ended
   */
  BlockExplorer(
      int capacity, int threads, Function<SharedWords[], Scene> maker, Consumer<Scene> check) {
    this.receives = new SteppedWords(ReceiveTable.receiveWords(capacity));
    this.bins = new SteppedWords(Bins.count(1));
    this.block = new SteppedWords(MatchBlock.WORDS);
    this.maker = maker;
    this.check = check;
    this.threads = threads;
    this.scene = maker.apply(new SharedWords[] {receives, bins, block});
    this.answers = new long[threads][MAX_STEPS];
    this.histories = new long[threads][MAX_STEPS + 1];
    this.choices = new int[threads][MAX_STEPS + 1][2];
    this.steps = new int[threads];
    this.ended = new boolean[threads];
  }

  /** Explores everything; in how many orders the steps can be taken. */
  double explore() {
    return follow();
  }

  /** How many states there were. */
  int states() {
    return seen.size();
  }

  /** What the threads have counted, each time they were run. */
  MatchCounts counts() {
    return scene.block.counts();
  }

  private double follow() {
    State state = state();
    Double known = seen.get(state);
    if (known != null) {
      return known;
    }
    double orders = 0;
    long[][] words = {receives.words.clone(), bins.words.clone(), block.words.clone()};
    boolean open = false;
    boolean moved = false;
    for (int t = 0; t < threads; t++) {
      if (ended[t]) {
        continue;
      }
      open = true;
      if (step(t)) {
        moved = true;
        orders += follow();
        restore(words);
        steps[t]--;
        ended[t] = false;
      }
    }
    if (!open) {
      outcome();
      orders = 1;
    } else if (!moved) {
      throw new AssertionError("all threads wait: " + Arrays.toString(steps) + " steps");
    }
    seen.put(state, orders);
    return orders;
  }

  private void restore(long[][] words) {
    System.arraycopy(words[0], 0, receives.words, 0, words[0].length);
    System.arraycopy(words[1], 0, bins.words, 0, words[1].length);
    System.arraycopy(words[2], 0, block.words, 0, words[2].length);
  }

  /** One more step of a thread; false if it must wait. */
  private boolean step(int t) {
    thread = t;
    at = 0;
    stepped = false;
    stepping = true;
    try {
      scene.block.match(t);
      ended[t] = true;
      forget(Point.ENDED);
    } catch (Leave e) {
      // It goes on from here another time.
    } finally {
      stepping = false;
    }
    return stepped;
  }

  private long access(Access access) {
    if (at < steps[thread]) {
      return answers[thread][at++];
    }
    if (stepped) {
      throw LEAVE;
    }
    long answer = access.go();
    answers[thread][at] = answer;
    histories[thread][at + 1] = mix(histories[thread][at] + 1, answer);
    choices[thread][at + 1][BOOKED] = choices[thread][at][BOOKED];
    choices[thread][at + 1][TAKEN] = choices[thread][at][TAKEN];
    steps[thread] = ++at;
    stepped = true;
    return answer;
  }

  /** The thread that runs has chosen a receive. */
  private void choose(int what, int index) {
    choices[thread][at][what] = index;
  }

  /** Of the thread that runs, only this and its choices are part of the state, at its last step. */
  private void forget(Point point) {
    if (at == steps[thread]) {
      int[] chosen = choices[thread][at];
      histories[thread][at] = mix(mix(-1 - point.ordinal(), chosen[BOOKED]), chosen[TAKEN]);
    }
  }

  /** A scene of its own is brought to the same end, and looked at. */
  private void outcome() {
    var words =
        new SharedWords[] {
          new SharedWords(receives.words.length),
          new SharedWords(bins.words.length),
          new SharedWords(block.words.length)
        };
    Scene end = maker.apply(words);
    System.arraycopy(receives.words, 0, words[0].words, 0, receives.words.length);
    System.arraycopy(bins.words, 0, words[1].words, 0, bins.words.length);
    for (int t = 0; t < threads; t++) {
      // With every answer known, this only sets what the thread has found.
      step(t);
      end.block.copyOutcome(scene.block, t);
    }
    check.accept(end);
  }

  private State state() {
    long one = 1;
    long two = 2;
    for (SharedWords words : new SharedWords[] {receives, bins}) {
      for (long word : words.words) {
        one = mix(one, word);
        two = mix(two, ~word);
      }
    }
    for (int i = MatchBlock.APART; i < MatchBlock.WORDS; i += MatchBlock.APART) {
      one = mix(one, block.words[i]);
      two = mix(two, ~block.words[i]);
    }
    for (int t = 0; t < threads; t++) {
      one = mix(one, histories[t][steps[t]]);
      two = mix(two, ~histories[t][steps[t]]);
    }
    return new State(one, two);
  }

  private static long mix(long hash, long value) {
    long h = (hash ^ value) * 0x9E3779B97F4A7C15L;
    return h ^ (h >>> 29);
  }
}
