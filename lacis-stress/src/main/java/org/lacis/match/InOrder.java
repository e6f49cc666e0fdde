package org.lacis.match;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Outcome;

/** What two messages that must not overtake each other may have. */
@Outcome(id = "12", expect = ACCEPTABLE, desc = "The first has the first, the second the second.")
@Outcome(expect = FORBIDDEN, desc = "They have overtaken, or both have one.")
public final class InOrder {
  private InOrder() {}
}
