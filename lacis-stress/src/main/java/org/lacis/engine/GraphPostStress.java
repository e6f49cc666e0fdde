package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.ThreadLocalRandom;
import org.lacis.Completion;
import org.lacis.Graph;
import org.lacis.Post;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An operation is completed while it is being posted: its node ends once, and so does the graph,
 * whoever comes last.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Ended once.")
@Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
@State
public class GraphPostStress {
  private static final int LONGEST_PAUSE = 20;
  private static final int LOOKS = 1000;

  private final Dag graph = new Dag(null, new Nesting(), new CoarseClock(), "post");
  private volatile Completion posted;
  private boolean signalled;
  private int calls;

  /** Not started yet. */
  public GraphPostStress() {
    Graph.Node node =
        graph.post(
            done -> {
              posted = done;
              pause();
              return Post.POSTED;
            });
    graph.call(() -> calls++).after(node);
  }

  /** About as long as the other one takes to see it: sometimes more, sometimes less. */
  private static void pause() {
    for (int i = ThreadLocalRandom.current().nextInt(LONGEST_PAUSE); i > 0; i--) {
      Thread.onSpinWait();
    }
  }

  /** Starts it. */
  @Actor
  public void starter() {
    graph.start();
  }

  /** Completes the operation if it is there. */
  @Actor
  public void progress() {
    Completion done = posted;
    for (int i = 0; done == null && i < LOOKS; i++) {
      done = posted;
    }
    if (done != null) {
      done.signal(new StatusRecord());
      signalled = true;
    }
  }

  /** Completes it if it was not there. */
  @Arbiter
  public void after(II_Result result) {
    if (!signalled) {
      posted.signal(new StatusRecord());
    }
    result.r1 = graph.test() ? 1 : 0;
    result.r2 = calls;
  }
}
