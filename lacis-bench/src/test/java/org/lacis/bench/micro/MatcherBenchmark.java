package org.lacis.bench.micro;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.lacis.match.HashMatcher;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A receive put in, and the arrival that takes it out. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class MatcherBenchmark {
  private final Matcher matcher = new HashMatcher();
  private final AtomicLong threads = new AtomicLong();

  /** Entries of one thread, with keys nobody else has. */
  @State(Scope.Thread)
  public static class Own {
    final Entry receive = new Entry();
    final Entry arrival = new Entry();
    long thread = -1;
    long turn;
  }

  static final class Entry extends MatchEntry {
    void name(long key) {
      this.key = key;
    }
  }

  @Benchmark
  public Object matcher(Own own) {
    if (own.thread < 0) {
      own.thread = threads.getAndIncrement();
    }
    long key = (own.thread << 32) | (own.turn++ & 1023);
    own.receive.name(key);
    own.arrival.name(key);
    while (matcher.insertReceive(own.receive) == Matcher.BUSY) {
      Thread.onSpinWait();
    }
    Object found;
    while ((found = matcher.insertArrival(own.arrival)) == Matcher.BUSY) {
      Thread.onSpinWait();
    }
    return found;
  }
}
