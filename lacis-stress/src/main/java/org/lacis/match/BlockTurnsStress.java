package org.lacis.match;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two blocks of two messages, and a helper that may come at any time or not at all. */
@JCStressTest
@Outcome(
    id = {"[12][12], [12][12]"},
    expect = ACCEPTABLE,
    desc = "Each message is matched once, by the leader (1) or the helper (2).")
@Outcome(expect = FORBIDDEN, desc = "A message is matched twice, not at all, or not seen.")
@State
public class BlockTurnsStress {
  private final BlockTurns turns = new BlockTurns(2, true);
  private int first;
  private int second;

  private int share(int thread) {
    long block = turns.block();
    int matched = 0;
    int i = BlockTurns.NONE;
    while ((i = turns.next(block, thread, i)) != BlockTurns.NONE) {
      if (i == 0) {
        first += thread + 1;
      } else {
        second += thread + 1;
      }
      matched++;
    }
    return matched;
  }

  private int block() {
    first = 0;
    second = 0;
    turns.begin(2);
    int helped = 2 - share(0);
    while (!turns.areHelped(helped)) {
      Thread.onSpinWait();
    }
    return 10 * first + second;
  }

  /** Begins the blocks. */
  @Actor
  public void leader(II_Result result) {
    result.r1 = block();
    result.r2 = block();
  }

  /** Takes part, twice at most. */
  @Actor
  public void helper() {
    for (int i = 0; i < 2; i++) {
      int matched = share(1);
      if (matched > 0) {
        turns.help(matched);
      }
    }
  }
}
