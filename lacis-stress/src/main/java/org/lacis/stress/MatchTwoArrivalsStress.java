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

/** Two arrivals for the one receive that waits: one gets it, and the other waits. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The first found it.")
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "The second found it.")
@Outcome(expect = FORBIDDEN, desc = "An entry was lost or matched twice.")
@State
public class MatchTwoArrivalsStress {
  private final Matcher matcher = Entry.matcher();
  private final Entry first = new Entry(7);
  private final Entry second = new Entry(7);

  /** With a receive that waits. */
  public MatchTwoArrivalsStress() {
    Entry.receive(matcher, new Entry(7), 1);
  }

  /** Brings an arrival. */
  @Actor
  public void first(III_Result result) {
    result.r1 = Entry.payload(Entry.arrive(matcher, first, 2));
  }

  /** Brings another. */
  @Actor
  public void second(III_Result result) {
    result.r2 = Entry.payload(Entry.arrive(matcher, second, 3));
  }

  /** Counts what is left. */
  @Arbiter
  public void left(III_Result result) {
    result.r3 = Entry.waiting(matcher);
  }
}
