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

/** Entries of two keys enter one bucket at once: nobody is lost or matched with the wrong one. */
@JCStressTest
@Outcome(id = "3, 0, 2", expect = ACCEPTABLE, desc = "The receive found the arrival.")
@Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "The arrival found the receive.")
@Outcome(expect = FORBIDDEN, desc = "An entry was lost, or matched with another key.")
@State
public class MatchTwoKeysStress {
  private final Matcher matcher = Entry.matcher();
  private final Entry receive = new Entry(7);
  private final Entry other = new Entry(8);
  private final Entry arrival = new Entry(7);

  /** Posts a receive. */
  @Actor
  public void receive(III_Result result) {
    result.r1 = Entry.payload(Entry.receive(matcher, receive, 1));
  }

  /** Posts a receive of another key, and brings an arrival of the first. */
  @Actor
  public void otherAndArrive(III_Result result) {
    Entry.receive(matcher, other, 2);
    result.r2 = Entry.payload(Entry.arrive(matcher, arrival, 3));
  }

  /** Takes what is left: the receive of the other key. */
  @Arbiter
  public void left(III_Result result) {
    result.r3 = Entry.payload(Entry.take(matcher, 8)) + 100 * Entry.waiting(matcher);
  }
}
