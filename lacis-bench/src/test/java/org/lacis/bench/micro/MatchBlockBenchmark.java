package org.lacis.bench.micro;

import java.util.concurrent.TimeUnit;
import org.lacis.bench.micro.MatchFeed.Entry;
import org.lacis.bench.micro.MatchFeed.Keys;
import org.lacis.match.BlockMatcher;
import org.lacis.match.MatchEntry;
import org.lacis.match.OrderedMatcher;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The ordered engine with matching threads: a block of messages, whose receives one thread has
 * posted before; the time of one receive and its message, by the clock. Without as many cores as
 * threads the scheduler decides.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
@State(Scope.Thread)
public class MatchBlockBenchmark {
  private static final int BLOCK = BlockMatcher.MAX_BLOCK;

  @Param Keys keys;

  @Param({"1", "2", "4"})
  int matchingThreads;

  @Param({"true", "false"})
  boolean fastPath;

  private final MatchEntry[] met = new MatchEntry[BLOCK];
  private OrderedMatcher matcher;
  private BlockMatcher blocks;
  private Entry[] receives;
  private Entry[] messages;

  @Setup(Level.Trial)
  public void make() {
    boolean crowded = matchingThreads > Runtime.getRuntime().availableProcessors();
    matcher = new OrderedMatcher(1024, 8192);
    blocks = new BlockMatcher(matcher, matchingThreads, true, fastPath, crowded);
    receives = keys.entries(0, BLOCK);
    messages = keys.entries(0, BLOCK);
  }

  @TearDown(Level.Trial)
  public void end() {
    blocks.close();
  }

  @Benchmark
  @OperationsPerInvocation(BLOCK)
  public MatchEntry blocks() {
    for (Entry receive : receives) {
      receive.post(matcher);
    }
    blocks.match(messages, BLOCK, met);
    return met[BLOCK - 1];
  }
}
