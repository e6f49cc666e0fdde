package org.lacis.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;
import org.lacis.trace.Traces;
import org.lacis.trace.depth.Progress;

/** Runs that are played again. */
class ReplayTest {
  private static final ReplayOptions TIMES = ReplayOptions.DEFAULT;
  private static final ReplayOptions MODEL =
      TIMES.withArrivals(new Arrivals.Model(7, 1_000, 5_000));

  @TestFactory
  Stream<DynamicTest> everyMessageMeetsTheReceiveItMet() throws IOException {
    return ofAll(
        (trace, options) -> {
          ReplayResult result = Replay.run(trace, options, Progress.NONE);
          assertThat(result.problems()).isEmpty();
          assertThat(result.leftOut()).isZero();
          assertThat(result.paired()).isLessThanOrEqualTo(result.messages());
          for (ReplayResult.Play play : result.plays()) {
            assertThat(play.matched()).isEqualTo(result.messages());
            assertThat(play.unexpected()).isLessThanOrEqualTo(play.matched());
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> enginesAgreeWithTheList() throws IOException {
    return ofAll(
        (trace, options) -> {
          for (int block : new int[] {1, 4, 32}) {
            Map<Engine, Map<String, Integer>> met = new TreeMap<>();
            Replay.run(
                trace,
                options.withBlock(block),
                Progress.NONE,
                (engine, rank, receive, message) ->
                    met.computeIfAbsent(engine, e -> new TreeMap<>())
                        .put(rank + " " + receive, message));
            assertThat(met.get(Engine.ORDERED)).isEqualTo(met.get(Engine.LIST));
            assertThat(met.get(Engine.BLOCKS)).isEqualTo(met.get(Engine.LIST));
          }
        });
  }

  private interface Check {
    void of(Trace trace, ReplayOptions options) throws IOException;
  }

  private static Stream<DynamicTest> ofAll(Check check) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path folder : Samples.all()) {
      for (ReplayOptions options : List.of(TIMES, MODEL)) {
        tests.add(
            DynamicTest.dynamicTest(
                folder.getFileName() + " " + options.arrivals().getClass().getSimpleName(),
                () -> check.of(Traces.open(folder), options)));
      }
    }
    return tests.stream();
  }

  @Test
  void receivesWithoutWildcardsGetWhatTheyGotWhateverTheOrder() throws IOException {
    for (long seed = 0; seed < 10; seed++) {
      ReplayResult result =
          run("halo2d_mpich", TIMES.withArrivals(new Arrivals.Model(seed, 100, 100_000)));
      ReplayResult.Play blocks = result.play(Engine.BLOCKS);
      assertThat(blocks.asRecorded()).isEqualTo(result.messages());
      assertThat(blocks.optimistic() + blocks.fastPath() + blocks.slowPath())
          .isEqualTo(result.messages());
    }
  }

  @Test
  void receivesFromNobodyDoNotStay() throws IOException {
    // At the border of the grid, with MPICH, they look like receives of any source.
    ReplayResult result = run("halo2d_mpich", TIMES);
    assertThat(result.nobody()).isEqualTo(new ReplayResult.Nobody(240, 240, 240));
    assertThat(result.wildcards()).isZero();
    assertThat(result.notes()).isEmpty();
    assertThat(result.play(Engine.LIST).mostPosted()).isLessThanOrEqualTo(8);
  }

  @Test
  void aListIsSearchedLongerThanBins() throws IOException {
    ReplayResult result = run("halo2d_mpich", TIMES);
    ReplayResult.Play list = result.play(Engine.LIST);
    ReplayResult.Play ordered = result.play(Engine.ORDERED);
    assertThat(list.searches()).isEqualTo(ordered.searches());
    assertThat(list.searches())
        .isEqualTo(result.messages() + result.receives() + result.nobody().taken());
    assertThat(list.attempts()).isGreaterThan(result.messages());
    assertThat(list.mostAttempts()).isGreaterThan(1);
    assertThat(result.play(Engine.BLOCKS).searches()).isZero();
  }

  @Test
  void whatAReceiveWithoutAStatusGotIsNotGuessed() throws IOException {
    // Its receives take any source, and half of them have no status.
    ReplayResult result = run("gather_any_ompi", TIMES);
    assertThat(result.paired()).isZero();
    assertThat(result.play(Engine.LIST).matched()).isEqualTo(672);
    assertThat(result.wildcardShare()).isEqualTo(1);
    // With a status for each, all are known.
    assertThat(run("wild_some_mpich", TIMES).paired()).isEqualTo(144);
  }

  @Test
  void theSameSeedGivesTheSameRun() throws IOException {
    ReplayResult.Play one = run("wild_some_mpich", MODEL).play(Engine.LIST);
    assertThat(run("wild_some_mpich", MODEL).play(Engine.LIST)).isEqualTo(one);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TIMES.withBlock(0))
        .withMessageContaining("blocks of 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TIMES.withThreads(0))
        .withMessageContaining("0 threads");
    assertThatIllegalArgumentException().isThrownBy(() -> new Arrivals.Model(1, -1, 0));
  }

  private static ReplayResult run(String name, ReplayOptions options) throws IOException {
    return Replay.run(Traces.open(Samples.folder(name)), options, Progress.NONE);
  }
}
