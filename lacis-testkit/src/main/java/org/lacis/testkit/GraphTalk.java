package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import org.lacis.Completion;
import org.lacis.Graph;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.Status;

/**
 * A graph of messages of a rank to itself, with functions, a retry and a graph inside, in code that
 * allocates nothing itself.
 */
final class GraphTalk implements Handler, AutoCloseable {

  private final Lacis lacis;
  private final Graph graph;

  /** Reached without a call of the system, which may allocate by itself. */
  private final Region memory;

  private boolean refused;
  private int ends;

  GraphTalk(Lacis lacis, int size) {
    this.lacis = lacis;
    int rank = lacis.rank();
    this.memory = lacis.allocate(size);
    MemorySegment message = memory.segment();
    MemorySegment buffer = Talk.memory(size);
    Graph inner = lacis.newGraph("inner");
    var first = inner.call(() -> refused = false);
    inner.post(this::stubborn).after(first);
    this.graph = lacis.newGraph("outer");
    var in = graph.post("in", done -> lacis.recv(rank, buffer, 1, done));
    var out = graph.post("out", done -> lacis.send(rank, message, 1, done));
    var nested = graph.post("inner", inner).after(in, out);
    graph
        .post("out again", done -> lacis.send().to(rank).buffer(message).tag(2).post(done))
        .after(nested);
    graph
        .post("in again", done -> lacis.recv().from(rank).buffer(buffer).tag(2).post(done))
        .after(nested);
  }

  private Post stubborn(Completion done) {
    refused = !refused;
    return refused ? Post.RETRY_PACKET : Post.DONE;
  }

  /** Runs it so often. */
  void repeat(int times) {
    for (int i = 0; i < times; i++) {
      int before = ends;
      graph.start(this);
      for (int looks = 0; ends == before; looks++) {
        if (looks == 10_000_000) {
          throw new AssertionError("it does not end: " + graph.describe());
        }
        lacis.progress();
      }
    }
  }

  @Override
  public void signal(Status status) {
    ends++;
  }

  @Override
  public void close() {
    graph.close();
    memory.close();
  }
}
