package org.lacis.bench.micro;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import org.lacis.CompletionQueue;
import org.lacis.Graph;
import org.lacis.Lacis;
import org.lacis.Status;
import org.lacis.Synchronizer;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A runtime of one rank, and objects of it that all threads share. */
@State(Scope.Benchmark)
public class RuntimeState {
  static final int CHAIN = 16;

  Lacis lacis;
  CompletionQueue queue;

  @Setup(Level.Trial)
  public void open() {
    lacis = Lacis.open();
    queue = lacis.newCompletionQueue();
  }

  @TearDown(Level.Trial)
  public void close() {
    lacis.close();
  }

  /** What each thread has for itself. */
  @State(Scope.Thread)
  public static class Own {
    final Status in = Status.of(0, 0, Arena.ofAuto().allocate(JAVA_LONG), null);
    final Status out = Status.create();
    Synchronizer synchronizer;
    Graph chain;
    long called;

    @Setup(Level.Trial)
    public void make(RuntimeState shared) {
      synchronizer = shared.lacis.newSynchronizer();
      chain = shared.lacis.newGraph();
      var last = chain.call(() -> called++);
      for (int i = 1; i < CHAIN; i++) {
        last = chain.call(() -> called++).after(last);
      }
    }
  }
}
