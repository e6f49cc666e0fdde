package org.lacis.collective;

import org.jspecify.annotations.Nullable;
import org.lacis.Completion;
import org.lacis.Graph;
import org.lacis.Post;

/**
 * The tags of one collective, which is run again and again. Messages may overtake each other, those
 * of one run those of the run before; and a member that only sends, such as the root of a
 * broadcast, may be many runs ahead of the others. So the number of the run is in the tag, modulo
 * {@value #WINDOW}, and before every {@value #WINDOW}th run there is a barrier, the <em>gate</em>:
 * who passes it knows that everybody has finished all runs before, so that none of their messages
 * is left and their tags can be used again. The tags of two gates in a row differ, too: a message
 * of the next one may come while a member has not passed this one.
 */
final class Channel {

  /** How many runs there are between two gates. */
  static final int WINDOW = 32;

  private static final int GATES = 2;

  private final Members members;
  private final int base;
  private final int steps;
  private long run = -1;
  private @Nullable Graph gate;

  /**
   * Makes one.
   *
   * @param base the first of its tags
   * @param steps how many messages one member sends another in a run at most
   */
  Channel(Members members, int base, int steps) {
    this.members = members;
    this.base = base;
    this.steps = steps;
  }

  /** How many tags it takes. */
  static long tags(int steps) {
    return GATES + (long) WINDOW * steps;
  }

  /** Begins the next run. Goes through the gate if it is time to. */
  Post begin(Completion done) {
    run++;
    if (run % WINDOW != 0 || run == 0) {
      return Post.DONE;
    }
    Graph barrier = gate;
    if (barrier == null) {
      barrier = members.lacis.newGraph("gate");
      Dissemination.write(new Plan(members, barrier, this::gateTag, null));
      gate = barrier;
    }
    return barrier.start(done);
  }

  private int gateTag(int step) {
    return base + (int) (run / WINDOW % GATES);
  }

  /**
   * The tag of a message in this run.
   *
   * @param step how many messages the sender has sent the receiver before in a run
   */
  int tag(int step) {
    return base + GATES + (int) (run % WINDOW) * steps + step;
  }
}
