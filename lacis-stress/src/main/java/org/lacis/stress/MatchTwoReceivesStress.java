package org.lacis.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.match.Matcher;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two receives are posted one after the other while their one arrival comes: the first gets it. */
@JCStressTest
@Outcome(id = "3, 0, 0, 10", expect = ACCEPTABLE, desc = "The first receive found it.")
@Outcome(id = "0, 0, 1, 10", expect = ACCEPTABLE, desc = "It found the first receive.")
@Outcome(expect = FORBIDDEN, desc = "The second one got it, or an entry was lost.")
@State
public class MatchTwoReceivesStress {
  private final Matcher matcher = Entry.matcher();
  private final Entry first = new Entry(7);
  private final Entry second = new Entry(7);
  private final Entry arrival = new Entry(7);

  /** Posts both receives. */
  @Actor
  public void receive(IIII_Result result) {
    result.r1 = Entry.payload(Entry.receive(matcher, first, 1));
    result.r2 = Entry.payload(Entry.receive(matcher, second, 2));
  }

  /** Brings the arrival. */
  @Actor
  public void arrive(IIII_Result result) {
    result.r3 = Entry.payload(Entry.arrive(matcher, arrival, 3));
  }

  /** Counts what is left. */
  @Arbiter
  public void left(IIII_Result result) {
    result.r4 = Entry.waiting(matcher);
  }
}
