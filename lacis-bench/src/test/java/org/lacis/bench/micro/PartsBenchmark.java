package org.lacis.bench.micro;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Packet pool, completion queue, synchronizer and graph. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class PartsBenchmark {
  /** A packet taken and given back. */
  @Benchmark
  public void packetPool(RuntimeState shared) {
    Objects.requireNonNull(shared.lacis.packetPool().get()).close();
  }

  /** A completion put in, and one taken out. */
  @Benchmark
  public long completionQueue(RuntimeState shared, RuntimeState.Own own) {
    shared.queue.signal(own.in);
    while (!shared.queue.pop(own.out)) {
      Thread.onSpinWait();
    }
    return own.out.length();
  }

  /** A synchronizer signalled, and found to have fired. */
  @Benchmark
  public boolean synchronizer(RuntimeState.Own own) {
    own.synchronizer.signal(own.in);
    return own.synchronizer.test();
  }

  /** A graph of functions that come one after the other; the time of one. */
  @Benchmark
  @OperationsPerInvocation(RuntimeState.CHAIN)
  public boolean graph(RuntimeState.Own own) {
    own.chain.start();
    return own.chain.test();
  }
}
