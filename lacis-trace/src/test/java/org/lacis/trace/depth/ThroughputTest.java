package org.lacis.trace.depth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;
import org.lacis.trace.Traces;
import org.lacis.trace.dumpi.BigTrace;
import org.lacis.trace.replay.Engine;
import org.lacis.trace.replay.Replay;
import org.lacis.trace.replay.ReplayOptions;
import org.lacis.trace.replay.ReplayResult;

/**
 * A long trace is read and played in little memory; how fast is printed. With -Dlacis.long=true it
 * has 1 GB.
 */
class ThroughputTest {
  @TempDir Path folder;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aLongTraceIsReadAndThenKnown() throws IOException {
    long bytes = Boolean.getBoolean("lacis.long") ? 1L << 30 : 1 << 24;
    Path big =
        BigTrace.make(Traces.open(Samples.folder("halo2d_mpich")), folder.resolve("big"), bytes);
    Trace trace = Traces.open(big);
    var cache = new ProfileCache(folder.resolve("cache"));
    var done = new AtomicLong();
    TraceProfile first = timed(trace, cache, (at, all) -> done.set(at));
    assertThat(done.get()).isGreaterThanOrEqualTo(bytes);
    assertThat(first.problems()).isEmpty();
    assertThat(first.depths().getFirst().greatest()).isEqualTo(2);
    TraceProfile second = timed(trace, cache, Progress.NONE);
    assertThat(second.depths()).isEqualTo(first.depths());
    play(trace, cache, first);
  }

  private static void play(Trace trace, ProfileCache cache, TraceProfile profile)
      throws IOException {
    for (int i = 0; i < 2; i++) {
      long start = System.nanoTime();
      ReplayResult result = Replay.run(trace, ReplayOptions.DEFAULT, cache, Progress.NONE);
      System.out.printf(
          "played %,d messages in %.3f s%n", result.messages(), (System.nanoTime() - start) / 1e9);
      assertThat(result.receives() + result.nobody().taken()).isEqualTo(profile.receives());
      assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(result.messages());
      assertThat(result.play(Engine.LIST).mostPosted()).isLessThanOrEqualTo(8);
    }
  }

  private static TraceProfile timed(Trace trace, ProfileCache cache, Progress progress)
      throws IOException {
    long start = System.nanoTime();
    TraceProfile profile = DepthAnalysis.run(trace, DepthOptions.DEFAULT, cache, 2, progress);
    System.out.printf(
        "%,d calls in %.3f s, heap %,d MB%n",
        profile.calls(), (System.nanoTime() - start) / 1e9, Runtime.getRuntime().maxMemory() >> 20);
    return profile;
  }
}
