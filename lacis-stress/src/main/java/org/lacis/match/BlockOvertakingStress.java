package org.lacis.match;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two messages that may overtake each other take two receives, in any order. */
@JCStressTest
@Outcome(
    id = {"12", "21"},
    expect = ACCEPTABLE,
    desc = "Each has one.")
@Outcome(expect = FORBIDDEN, desc = "Both have one, or one has none.")
@State
public class BlockOvertakingStress {
  private final BlockStage stage = new BlockStage(2, false, true);

  /** Matches the first message. */
  @Actor
  public void first() {
    stage.match(0);
  }

  /** Matches the second message. */
  @Actor
  public void second() {
    stage.match(1);
  }

  /** Looks at what they have. */
  @Arbiter
  public void outcome(I_Result result) {
    result.r1 = stage.outcome();
  }
}
