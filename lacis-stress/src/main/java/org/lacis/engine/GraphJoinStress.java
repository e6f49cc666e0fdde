package org.lacis.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.lacis.Completion;
import org.lacis.Graph;
import org.lacis.Post;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two nodes are completed at once: the one after both runs once and sees what both have left. And
 * so when the graph is started again.
 */
@JCStressTest
@Outcome(id = "1, 11, 2", expect = ACCEPTABLE, desc = "Once in each run, with both.")
@Outcome(expect = FORBIDDEN, desc = "Not run, run twice, or too early.")
@State
public class GraphJoinStress {
  private final Dag graph = new Dag(null, new Nesting(), new CoarseClock(), "join");
  private final Completion[] done = new Completion[2];
  private int one;
  private int ten;
  private int sum;
  private int calls;

  /** Started. */
  public GraphJoinStress() {
    Graph.Node left = graph.post(d -> posted(0, d));
    Graph.Node right = graph.post(d -> posted(1, d));
    graph.call(this::add).after(left, right);
    graph.start();
  }

  private Post posted(int which, Completion completion) {
    done[which] = completion;
    return Post.POSTED;
  }

  private void add() {
    sum = one + ten;
    calls++;
  }

  /** Completes one. */
  @Actor
  public void left() {
    one = 1;
    done[0].signal(new StatusRecord());
  }

  /** Completes the other. */
  @Actor
  public void right() {
    ten = 10;
    done[1].signal(new StatusRecord());
  }

  /** Runs it once more. */
  @Arbiter
  public void after(III_Result result) {
    result.r1 = graph.test() ? calls : -1;
    result.r2 = sum;
    graph.start();
    done[0].signal(new StatusRecord());
    done[1].signal(new StatusRecord());
    result.r3 = graph.test() ? calls : -1;
  }
}
