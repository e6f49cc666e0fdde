package org.lacis.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lacis.trace.Samples;
import org.lacis.trace.Traces;

/** Runs that are played again. */
class ReplayTest {
  private static final Arrivals MODEL = new Arrivals.Model(7, 1_000, 5_000);

  @TestFactory
  Stream<DynamicTest> everyMessageMeetsTheReceiveItMet() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path folder : Samples.all()) {
      for (Arrivals arrivals : List.of(new Arrivals.Times(), MODEL)) {
        tests.add(
            DynamicTest.dynamicTest(
                folder.getFileName() + " " + arrivals.getClass().getSimpleName(),
                () -> everythingMeets(Replay.of(Traces.open(folder), arrivals))));
      }
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> enginesAgreeWithTheList() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path folder : Samples.all()) {
      for (Arrivals arrivals : List.of(new Arrivals.Times(), MODEL)) {
        tests.add(
            DynamicTest.dynamicTest(
                folder.getFileName() + " " + arrivals.getClass().getSimpleName(),
                () -> agree(Replay.of(Traces.open(folder), arrivals))));
      }
    }
    return tests.stream();
  }

  @Test
  void receivesWithoutWildcardsGetWhatTheyGotWhateverTheOrder() throws IOException {
    for (long seed = 0; seed < 10; seed++) {
      Replay replay =
          Replay.of(
              Traces.open(Samples.folder("halo2d_mpich")), new Arrivals.Model(seed, 100, 100_000));
      Replay.Result result = replay.play(Engine.BLOCKS, 8, 2);
      assertThat(result.asRecorded()).isEqualTo(result.messages());
      assertThat(result.counts().optimistic() + result.counts().conflicts())
          .isLessThanOrEqualTo(result.messages());
    }
  }

  @Test
  void whatAReceiveWithoutAStatusGotIsNotGuessed() throws IOException {
    // Its receives take any source, and half of them have no status.
    Replay replay = Replay.of(Traces.open(Samples.folder("gather_any_ompi")), new Arrivals.Times());
    Replay.Result result = replay.play(Engine.LIST, 1, 1);
    assertThat(result.paired()).isZero();
    assertThat(result.matched()).isEqualTo(672);
    // With a status for each, all are known.
    replay = Replay.of(Traces.open(Samples.folder("wild_some_mpich")), new Arrivals.Times());
    assertThat(replay.play(Engine.LIST, 1, 1).paired()).isEqualTo(144);
  }

  @Test
  void theSameSeedGivesTheSameRun() throws IOException {
    var trace = Traces.open(Samples.folder("wild_some_mpich"));
    Replay one = Replay.of(trace, MODEL);
    Replay other = Replay.of(trace, MODEL);
    assertThat(one.play(Engine.LIST, 1, 1)).isEqualTo(other.play(Engine.LIST, 1, 1));
  }

  @Test
  void blocksOfNothingAreRefused() throws IOException {
    Replay replay = Replay.of(Traces.open(Samples.folder("tour_mpich")), MODEL);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> replay.play(Engine.BLOCKS, 0, 1))
        .withMessageContaining("blocks of 0");
    assertThatIllegalArgumentException().isThrownBy(() -> new Arrivals.Model(1, -1, 0));
  }

  private static void everythingMeets(Replay replay) {
    Replay.Result result = replay.play(Engine.LIST, 1, 1);
    assertThat(result.problems()).isEmpty();
    assertThat(result.leftOut()).isZero();
    assertThat(result.matched()).isEqualTo(result.messages());
    assertThat(result.paired()).isLessThanOrEqualTo(result.messages());
    assertThat(result.unexpected()).isLessThanOrEqualTo(result.matched());
  }

  private static void agree(Replay replay) {
    for (int rank = 0; rank < replay.ranks(); rank++) {
      int[] expected = replay.got(rank, Engine.LIST, 1, 1);
      assertThat(replay.got(rank, Engine.ORDERED, 1, 1)).isEqualTo(expected);
      for (int block : new int[] {1, 4, 32}) {
        assertThat(replay.got(rank, Engine.BLOCKS, block, 2)).isEqualTo(expected);
      }
    }
  }
}
