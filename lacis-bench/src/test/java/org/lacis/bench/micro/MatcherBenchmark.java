package org.lacis.bench.micro;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A receive put in, and the message that takes it out, of an engine that all threads share. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class MatcherBenchmark {
  private static final int ENTRIES = 1024;

  @Param Engine engine;
  @Param Keys keys;

  Matcher matcher;
  final AtomicInteger threads = new AtomicInteger();

  @Setup(Level.Trial)
  public void make() {
    matcher = engine.make();
  }

  /** Entries of one thread; if keys are different, nobody else has them. */
  @State(Scope.Thread)
  public static class Own {
    Entry[] receives;
    Entry[] messages;
    int turn;

    @Setup(Level.Trial)
    public void make(MatcherBenchmark shared) {
      int source = shared.threads.getAndIncrement();
      receives = shared.keys.entries(source, ENTRIES);
      messages = shared.keys.entries(source, ENTRIES);
    }
  }

  @Benchmark
  public void matcher(Own own) {
    int turn = own.turn++ & (ENTRIES - 1);
    own.receives[turn].post(matcher);
    // It may be another thread's, which then has this one's: no entry is ever in twice.
    own.receives[turn] = (Entry) own.messages[turn].takeReceive(matcher);
  }
}
