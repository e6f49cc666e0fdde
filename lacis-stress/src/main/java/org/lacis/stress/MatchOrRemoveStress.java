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

/** A receive is removed while its arrival comes: it is removed or matched, not both. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "It was removed, and the arrival waits.")
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "It was matched, and the removal says so.")
@Outcome(expect = FORBIDDEN, desc = "Both had it, or nobody.")
@State
public class MatchOrRemoveStress {
  private final Matcher matcher = Entry.matcher();
  private final Entry receive = new Entry(7);
  private final Entry arrival = new Entry(7);

  /** With a receive that waits. */
  public MatchOrRemoveStress() {
    Entry.receive(matcher, receive, 1);
  }

  /** Removes the receive. */
  @Actor
  public void remove(III_Result result) {
    result.r1 = matcher.remove(receive, 0) ? 1 : 0;
  }

  /** Brings the arrival. */
  @Actor
  public void arrive(III_Result result) {
    result.r2 = Entry.payload(Entry.arrive(matcher, arrival, 2));
  }

  /** Counts what is left. */
  @Arbiter
  public void left(III_Result result) {
    result.r3 = Entry.waiting(matcher);
  }
}
