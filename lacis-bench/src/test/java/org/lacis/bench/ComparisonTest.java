package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lacis.bench.Fakes.round;
import static org.lacis.bench.Fakes.startedRound;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final List<Subject> SUBJECTS =
      List.of(
          Fakes.subject("lacis", Family.LACIS),
          Fakes.subject("mpich", Family.MPI),
          Fakes.subject("aeron", Family.AERON));

  @TempDir Path folder;

  private Path run(String name, List<Round> rounds) throws IOException {
    var series = new Series("shm", Fakes.measure("a", Unit.EACH), SUBJECTS, rounds, Double.NaN);
    Path place = Files.createDirectories(folder.resolve(name));
    Files.writeString(place.resolve("results.csv"), Data.csv(List.of(series)));
    return place;
  }

  @Test
  void ratiosOfTwoRunsAreComparedInTheStateBothHave() throws Exception {
    List<Round> one = new ArrayList<>();
    List<Round> other = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      one.add(round(50, 50, "lacis", 10, "mpich", 20, "aeron", 10));
      other.add(round(50, 50, "lacis", 11, "mpich", 20, "aeron", 5));
      // Far, where all is different; what changed in between counts for nobody.
      one.add(round(250, 250, "lacis", 100, "mpich", 20, "aeron", 10));
    }
    other.add(round(50, 250, "lacis", 1000, "mpich", 20, "aeron", 10));
    String text = Comparison.of(run("x", one), run("y", other).resolve("results.csv"));
    assertThat(text)
        .contains("  a over shm\n")
        .containsPattern("mpich +0.50 +0.55 +10 %  near\n")
        .containsPattern("aeron +1.00 +2.20 +120 %  near  \\*\n")
        .contains("1 of 2 ratios agree within 15 %", "0 of 2 were not compared");
    List<Round> far = List.of(one.get(1), one.get(3), one.get(5));
    assertThat(Comparison.of(run("x", far), run("y", other)))
        .containsPattern("mpich +not compared: 3 far of 1 start; 4 near of 1 start, 1 mixed of 1")
        .contains("0 of 0 ratios agree")
        .contains("2 of 2 were not compared: 0 are in one run only, 2 have too few rounds");
  }

  @Test
  void whatIsOfOneStartOfSeveralIsNotCompared() throws Exception {
    List<Round> one = new ArrayList<>();
    List<Round> other = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      one.add(startedRound(i / 4, 50, 50, "lacis", 10, "mpich", 20));
      other.add(startedRound(i / 2, i < 5 ? 50 : 250, i < 4 ? 50 : 250, "lacis", 10, "mpich", 20));
    }
    assertThat(Comparison.of(run("x", one), run("y", other)))
        .containsPattern("mpich +0.50 +0.50 +0 %  near\n")
        .contains("1 of 1 ratios agree", "0 of 1 were not compared");
    assertThat(Comparison.of(run("x", one), run("y", other.subList(2, 8))))
        .contains("not compared: 8 near of 2 starts; 2 near of 1 start, 3 far of 2 starts, 1 mixed")
        .contains("1 of 1 were not compared");
  }

  @Test
  void whatSwingsWithinARunIsCountedByItself() throws Exception {
    List<Round> one = new ArrayList<>();
    List<Round> other = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      one.add(startedRound(i / 4, 50, 50, "lacis", 10, "mpich", 20, "aeron", 10));
      other.add(startedRound(i / 4, 50, 50, "lacis", 10, "mpich", 20, "aeron", 10 + 10 * (i % 2)));
    }
    assertThat(Comparison.of(run("x", one), run("y", other)))
        .containsPattern("mpich +0.50 +0.50 +0 %\n")
        .containsPattern("aeron +1.00 +\\(0.75\\) +-25 %  \\*\n")
        .contains("1 of 1 ratios agree within 15 %", "0 of 1 more do", "0 of 2 were not compared");
  }

  @Test
  void whatOnlyOneRunHasIsNamed() throws Exception {
    Path one = run("x", Collections.nCopies(3, round(50, 50, "lacis", 10, "mpich", 20)));
    Path other = run("y", Collections.nCopies(3, round(50, 50, "lacis", 10, "aeron", 20)));
    assertThat(Comparison.of(one, other))
        .containsPattern("mpich +in the first run only\n")
        .containsPattern("aeron +in the second run only\n")
        .contains("2 of 2 were not compared: 2 are in one run only, 0 have");
  }

  @Test
  void aFileWithoutStartsIsOfOne() throws Exception {
    Path old =
        Files.writeString(
            folder.resolve("old"),
            """
            network,group,measure,unit,round,state,before_ns,after_ns,subject,family,value,count
            shm,latency,"a",ns,0,steady,50,50,lacis,lacis,10,1
            shm,latency,"a",ns,0,steady,50,50,mpich,mpi,20,1
            """);
    assertThat(ResultsFile.read(old)).extracting(ResultsFile.Sample::start).containsExactly(0, 0);
    assertThat(Comparison.of(old, old)).contains("not compared: 1 steady of 1 start");
  }

  @Test
  void whatIsNotThereIsNamed() throws Exception {
    Path good = run("x", List.of(round(50, 50, "lacis", 10, "mpich", 20)));
    assertThatThrownBy(() -> Comparison.of(good, folder.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no file " + folder.resolve("none"));
    Path odd = Files.writeString(folder.resolve("odd"), "hello\n");
    assertThatThrownBy(() -> Comparison.of(odd, good)).hasMessageContaining("is no results.csv");
    Path cut = Files.writeString(folder.resolve("cut"), "network,group,measure\nshm,a\n");
    assertThatThrownBy(() -> Comparison.of(cut, good)).hasMessageContaining("cut, line 2");
  }
}
