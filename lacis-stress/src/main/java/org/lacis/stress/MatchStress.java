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

/** A receive and an arrival of one key at once: one of them, and only one, finds the other. */
@JCStressTest
@Outcome(id = "2, 0, 0", expect = ACCEPTABLE, desc = "The receive came second.")
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "The arrival came second.")
@Outcome(expect = FORBIDDEN, desc = "They missed each other, or both matched, or saw no payload.")
@State
public class MatchStress {
  private final Matcher matcher = Entry.matcher();
  private final Entry receive = new Entry(7);
  private final Entry arrival = new Entry(7);

  /** Posts the receive. */
  @Actor
  public void receive(III_Result result) {
    result.r1 = Entry.payload(Entry.receive(matcher, receive, 1));
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
