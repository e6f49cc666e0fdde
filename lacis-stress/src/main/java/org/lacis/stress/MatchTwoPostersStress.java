package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.match.Matcher;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads post receives of one key: both are kept, in some order. */
@JCStressTest
@Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "The first came first.")
@Outcome(id = "2, 1, 0", expect = ACCEPTABLE, desc = "The second came first.")
@Outcome(expect = FORBIDDEN, desc = "One was lost.")
@State
public class MatchTwoPostersStress {
  private final Matcher matcher = Entry.matcher();
  private final Entry first = new Entry(7);
  private final Entry second = new Entry(7);

  /** Posts a receive. */
  @Actor
  public void first() {
    Entry.receive(matcher, first, 1);
  }

  /** Posts another. */
  @Actor
  public void second() {
    Entry.receive(matcher, second, 2);
  }

  /** Takes them. */
  @Arbiter
  public void left(III_Result result) {
    result.r1 = Entry.payload(Entry.take(matcher, 7));
    result.r2 = Entry.payload(Entry.take(matcher, 7));
    result.r3 = Entry.waiting(matcher);
  }
}
