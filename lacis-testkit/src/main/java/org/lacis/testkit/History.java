package org.lacis.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.match.OrderedKeys;

/**
 * What happens to an ordered matcher: receives, messages, looks at messages, and receives that are
 * cancelled.
 *
 * @param steps one after the other
 */
record History(List<History.Step> steps) {

  /** What is done. */
  enum Kind {
    RECEIVE,
    MESSAGE,
    /** Takes a message without a receive. */
    CLAIM,
    /** Takes a receive back. */
    CANCEL
  }

  /**
   * One step.
   *
   * @param open what the receive, or claim, leaves open
   * @param which of the receives before it is cancelled, modulo their number
   */
  record Step(Kind kind, int open, int source, int tag, int which) {

    long key() {
      return OrderedKeys.key(open, source, tag);
    }

    @Override
    public String toString() {
      return kind == Kind.CANCEL
          ? "cancel " + which
          : "%s source %s tag %s"
              .formatted(
                  kind.name().toLowerCase(Locale.ROOT),
                  (open & OrderedKeys.ANY_SOURCE) != 0 ? "any" : source,
                  (open & OrderedKeys.ANY_TAG) != 0 ? "any" : tag);
    }
  }

  /** A receive or message that knows which step has made it. */
  static final class Entry extends MatchEntry {
    final int step;

    Entry(Step made, int step) {
      this.key = made.key();
      this.hash = OrderedKeys.hash(made.source, made.tag);
      this.step = step;
    }
  }

  /**
   * A history of a random kind: few or many keys, mostly receives or mostly messages for a while.
   *
   * @param open what receives leave open at most
   */
  static History random(RandomGenerator random, int steps, int open) {
    int sources = 1 + random.nextInt(4);
    int tags = random.nextBoolean() ? 1 + random.nextInt(3) : 1000;
    int openness = random.nextInt(101);
    List<Step> made = new ArrayList<>();
    int receives = 50;
    for (int i = 0; i < steps; i++) {
      if (random.nextInt(40) == 0) {
        receives = random.nextInt(101);
      }
      int kind = random.nextInt(100);
      boolean receive = random.nextInt(100) < receives;
      made.add(
          new Step(
              kind < 4
                  ? Kind.CANCEL
                  : kind < 8 ? Kind.CLAIM : receive ? Kind.RECEIVE : Kind.MESSAGE,
              (receive || kind < 8) && random.nextInt(100) < openness
                  ? random.nextInt(4) & open
                  : 0,
              random.nextInt(sources),
              random.nextInt(tags),
              random.nextInt(1 << 20)));
    }
    return new History(List.copyOf(made));
  }

  /** Matches so many messages at once. */
  interface Block {
    void match(MatchEntry[] messages, int count, @Nullable MatchEntry[] receives);
  }

  /**
   * What comes of it, by step: the number of the step it has met, or -1.
   *
   * @param block how messages are matched that follow each other; null: one by one
   * @param size of blocks, at most
   */
  List<Integer> outcome(Matcher matcher, @Nullable Block block, int size) {
    Integer[] outcome = new Integer[steps.size()];
    List<Entry> posted = new ArrayList<>();
    List<Entry> together = new ArrayList<>();
    for (int i = 0; i < outcome.length; i++) {
      Step step = steps.get(i);
      if (step.kind == Kind.MESSAGE && block != null) {
        together.add(new Entry(step, i));
        if (together.size() < size) {
          continue;
        }
      }
      if (block != null && !together.isEmpty()) {
        match(block, together, outcome);
      }
      switch (step.kind) {
        case RECEIVE -> {
          Entry receive = new Entry(step, i);
          posted.add(receive);
          outcome[i] = step(matcher.insertReceive(receive));
        }
        case MESSAGE -> {
          if (block == null) {
            outcome[i] = step(matcher.insertArrival(new Entry(step, i)));
          }
        }
        case CLAIM -> outcome[i] = step(matcher.takeArrival(step.key(), _ -> true));
        case CANCEL ->
            outcome[i] =
                !posted.isEmpty() && matcher.remove(posted.get(step.which % posted.size()), 0)
                    ? 1
                    : 0;
      }
    }
    if (block != null && !together.isEmpty()) {
      match(block, together, outcome);
    }
    List<Integer> all = new ArrayList<>(List.of(outcome));
    matcher.drain(entry -> all.add(step(entry)));
    all.subList(outcome.length, all.size()).sort(null);
    return all;
  }

  private static void match(Block block, List<Entry> together, Integer[] outcome) {
    MatchEntry[] receives = new MatchEntry[together.size()];
    block.match(together.toArray(MatchEntry[]::new), together.size(), receives);
    for (int i = 0; i < receives.length; i++) {
      outcome[together.get(i).step] = step(receives[i]);
    }
    together.clear();
  }

  private static int step(@Nullable MatchEntry met) {
    return met == null ? -1 : ((Entry) met).step;
  }

  /** What is left when no step, and no two steps, can be left out without it becoming right. */
  History shrunk(Predicate<History> wrong) {
    History least = this;
    for (int length = Integer.MAX_VALUE; least.steps.size() < length; ) {
      length = least.steps.size();
      least = least.withoutRuns(wrong).withoutPairs(wrong);
    }
    return least;
  }

  /** Leaves out runs of steps, long ones first. */
  private History withoutRuns(Predicate<History> wrong) {
    History least = this;
    for (int cut = Math.max(1, steps.size() / 2); cut > 0; cut /= 2) {
      for (int at = 0; at + cut <= least.steps.size(); ) {
        History candidate = least.without(at, cut);
        if (wrong.test(candidate)) {
          least = candidate;
        } else {
          at += cut;
        }
      }
    }
    return least;
  }

  /** Leaves out two steps that need each other, as a cancel does its receive. */
  private History withoutPairs(Predicate<History> wrong) {
    for (int second = 1; second < steps.size(); second++) {
      for (int first = 0; first < second; first++) {
        History candidate = without(second, 1).without(first, 1);
        if (wrong.test(candidate)) {
          return candidate;
        }
      }
    }
    return this;
  }

  private History without(int at, int count) {
    List<Step> fewer = new ArrayList<>(steps.subList(0, at));
    fewer.addAll(steps.subList(at + count, steps.size()));
    return new History(List.copyOf(fewer));
  }

  /** Compares with the outcome that is right; if it is another, shows the least history for it. */
  void check(Function<History, List<Integer>> right, Function<History, List<Integer>> tested) {
    if (right.apply(this).equals(tested.apply(this))) {
      return;
    }
    // Threads may come in another order the next time, so once is not enough to call it right.
    Predicate<History> wrong =
        history -> {
          for (int i = 0; i < 20; i++) {
            if (!right.apply(history).equals(tested.apply(history))) {
              return true;
            }
          }
          return false;
        };
    History least = shrunk(wrong);
    throw new AssertionError(
        "matched %s instead of %s:\n%s"
            .formatted(
                tested.apply(least),
                right.apply(least),
                String.join("\n", least.steps.stream().map(Step::toString).toList())));
  }
}
