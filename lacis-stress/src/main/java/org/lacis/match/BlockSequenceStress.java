package org.lacis.match;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Both book the first receive of a sequence; the second message takes the one behind it. */
@JCStressTest
@JCStressMeta(InOrder.class)
@State
public class BlockSequenceStress {
  private final BlockStage stage = new BlockStage(2, false, false);

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
