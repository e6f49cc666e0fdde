package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lacis.bench.Fakes.round;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
        .contains("  a over shm, near\n")
        .containsPattern("mpich +0.50 +0.55 +10 %\n")
        .containsPattern("aeron +1.00 +2.20 +120 %  \\*\n")
        .contains("1 of 2 ratios agree within 15 %", "; 0 of the first are not compared");
    List<Round> far = List.of(one.get(1), one.get(3));
    assertThat(Comparison.of(run("x", far), run("y", other)))
        .contains("0 of 0 ratios agree", "; 2 of the first are not compared");
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
