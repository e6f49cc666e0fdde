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

/**
 * A receive is taken, changed and put back under another key while an arrival of the first key
 * comes: the arrival finds it as it was before or not at all.
 */
@JCStressTest
@Outcome(id = "1, 0, 11", expect = ACCEPTABLE, desc = "It was changed; both wait.")
@Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "It was matched.")
@Outcome(expect = FORBIDDEN, desc = "It was matched after the change, or twice, or lost.")
@State
public class MatchAgainStress {
  private final Matcher matcher = Entry.matcher();
  private final Entry arrival = new Entry(7);

  /** With a receive that waits. */
  public MatchAgainStress() {
    Entry.receive(matcher, new Entry(7), 1);
  }

  /** Takes the receive and puts it back. */
  @Actor
  public void change(III_Result result) {
    Entry receive = Entry.take(matcher, 7);
    if (receive != null) {
      result.r1 = receive.payload;
      receive.key(8);
      Entry.receive(matcher, receive, 3);
    }
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
