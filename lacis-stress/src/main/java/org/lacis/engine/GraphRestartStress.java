package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.Completion;
import org.lacis.Post;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A graph finishes while another thread looks, and starts it again if it has: who finds it finished
 * sees what it did, and the next run is a whole one.
 */
@JCStressTest
@Outcome(id = "-1, 1, 7", expect = ACCEPTABLE, desc = "Looked before it had finished.")
@Outcome(id = "7, 2, 8", expect = ACCEPTABLE, desc = "Found it finished, and started it again.")
@Outcome(expect = FORBIDDEN, desc = "Finished too early, or a run lost.")
@State
public class GraphRestartStress {
  private final Dag graph = new Dag(null, new Nesting(), new CoarseClock(), "restart");
  private Completion posted;
  private int runs;
  private int value;

  /** Started. */
  public GraphRestartStress() {
    var node =
        graph.post(
            done -> {
              posted = done;
              return Post.POSTED;
            });
    graph.call(() -> value = 7 + runs++).after(node);
    graph.start();
  }

  /** Completes the first run. */
  @Actor
  public void progress() {
    posted.signal(new StatusRecord());
  }

  /** Looks, and starts the second. */
  @Actor
  public void starter(III_Result result) {
    result.r1 = -1;
    if (graph.test()) {
      result.r1 = value;
      graph.start();
    }
  }

  /** Completes the second run if there is one. */
  @Arbiter
  public void after(III_Result result) {
    if (!graph.test()) {
      posted.signal(new StatusRecord());
    }
    result.r2 = graph.test() ? runs : -1;
    result.r3 = value;
  }
}
