package org.lacis.bench.micro;

import java.util.concurrent.TimeUnit;
import org.lacis.bench.micro.MatchFeed.Engine;
import org.lacis.bench.micro.MatchFeed.Entry;
import org.lacis.bench.micro.MatchFeed.Keys;
import org.lacis.match.Matcher;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * So many receives, then their messages, or the other way round; the time of one receive and its
 * message. Each thread has an engine of its own. Entries are in the order in which they are found,
 * so that lists find the first one too.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
@State(Scope.Thread)
public class MatchDepthBenchmark {
  private static final int PAIRS = 100_000;

  @Param Engine engine;
  @Param Keys keys;

  /** Divides {@link #PAIRS}. */
  @Param({"10", "1000", "100000"})
  int waiting;

  private Matcher matcher;
  private Entry[] receives;
  private Entry[] messages;

  @Setup(Level.Trial)
  public void make() {
    matcher = engine.make();
    receives = keys.entries(0, waiting);
    messages = keys.entries(0, waiting);
  }

  /** Receives are posted first. */
  @Benchmark
  @OperationsPerInvocation(PAIRS)
  public void expected() {
    for (int done = 0; done < PAIRS; done += waiting) {
      for (Entry receive : receives) {
        receive.post(matcher);
      }
      for (Entry message : messages) {
        message.takeReceive(matcher);
      }
    }
  }

  /** Messages come first. */
  @Benchmark
  @OperationsPerInvocation(PAIRS)
  public void unexpected() {
    for (int done = 0; done < PAIRS; done += waiting) {
      for (Entry message : messages) {
        message.arrive(matcher);
      }
      for (Entry receive : receives) {
        receive.takeMessage(matcher);
      }
    }
  }
}
