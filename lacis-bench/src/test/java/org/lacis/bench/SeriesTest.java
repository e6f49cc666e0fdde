package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lacis.bench.Fakes.round;
import static org.lacis.bench.Fakes.startedRound;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private final Subject lacis = Fakes.subject("lacis", Family.LACIS);
  private final Subject one = Fakes.subject("one", Family.MPI);
  private final Subject other = Fakes.subject("other", Family.MPI);
  private final Subject memory = Fakes.subject("memory", Family.MEMORY);

  private Series series(Unit unit, Round... rounds) {
    var results = new Results();
    results.add(
        List.of(
            new Series(
                "shm",
                Fakes.measure("am-latency", unit),
                List.of(lacis, one, other, memory),
                List.of(rounds),
                Double.NaN)));
    return results.all().getFirst();
  }

  @Test
  void theRatioIsTheMiddleOfTheRatiosOfRounds() {
    // The machine gets slower and slower: medians would say 100 : 100.
    var series =
        series(
            Unit.ONE_WAY,
            round(50, 50, "lacis", 100, "one", 50),
            round(50, 50, "lacis", 50, "one", 100),
            round(50, 50, "lacis", 200, "one", 400),
            round(50, 50, "lacis", 100, "one", 200));
    assertThat(series.ratios(lacis, one).middle()).isEqualTo(0.5);
    assertThat(series.median(lacis)).isEqualTo(100);
    assertThat(series.median(one)).isEqualTo(150);
  }

  @Test
  void roundsInWhichOneIsMissingHaveNoRatio() {
    var series =
        series(Unit.ONE_WAY, round(50, 50, "lacis", 100, "one", 50), round(50, 50, "lacis", 999));
    assertThat(series.ratios(lacis, one).values()).containsExactly(2.0);
  }

  @Test
  void onlyRoundsInTheStateOfMostAreTold() {
    var series =
        series(
            Unit.ONE_WAY,
            round(50, 52, "lacis", 100),
            round(52, 250, "lacis", 200),
            round(250, 250, "lacis", 300),
            round(250, 51, "lacis", 200),
            round(51, 51, "lacis", 110));
    assertThat(series.state()).isEqualTo(State.NEAR);
    assertThat(series.values(lacis)).containsExactly(100.0, 110.0);
    assertThat(series.rounds())
        .extracting(series::state)
        .containsExactly(State.NEAR, State.MIXED, State.FAR, State.MIXED, State.NEAR);
  }

  @Test
  void aRoundIsMixedIfTheStateChangedAroundAnyOfItsSamples() {
    Round inBetween = round(50, 50, "lacis", 1, "one", 1, "other", 1);
    Map<String, Reading> readings = new HashMap<>(inBetween.readings());
    readings.computeIfPresent("one", (_, reading) -> reading.between(50, 250));
    readings.computeIfPresent("other", (_, reading) -> reading.between(250, 50));
    var series = series(Unit.RATE, inBetween, new Round(0, readings));
    assertThat(series.rounds()).extracting(series::state).containsExactly(State.NEAR, State.MIXED);
    assertThat(inBetween.changes(1.5)).isFalse();
    assertThat(series.rounds().getLast().changes(1.5)).isTrue();
  }

  @Test
  void ofAMachineThatStaysTheSameAllRoundsAreTold() {
    var series = series(Unit.RATE, round(100, 110, "lacis", 1), round(110, 105, "lacis", 3));
    assertThat(series.state()).isEqualTo(State.STEADY);
    assertThat(series.values(lacis)).containsExactly(1.0, 3.0);
  }

  @Test
  void tablesThatLaterRoundsHaveMadeUntrueAreShownOnceMore() {
    var results = new Results();
    var shown = new Shown();
    var latency = Fakes.measure("am-latency", Unit.ONE_WAY);
    results.add(
        List.of(
            new Series(
                "shm",
                latency,
                List.of(lacis),
                List.of(
                    round(100, 100, "lacis", 1),
                    round(140, 140, "lacis", 9),
                    round(140, 140, "lacis", 9)),
                Double.NaN)));
    String first = shown.table(results.all(), "shm", Group.LATENCY);
    assertThat(first).doesNotContain("rounds");
    assertThat(shown.corrections(results.all())).isEmpty();
    results.add(
        List.of(
            new Series(
                "tcp", latency, List.of(lacis), List.of(round(50, 50, "lacis", 5)), Double.NaN)));
    String second = shown.table(results.all(), "tcp", Group.LATENCY);
    assertThat(shown.corrections(results.all()))
        .contains("latency, shm", "(far, 3 of 3 rounds)")
        .doesNotContain("latency, tcp", second);
  }

  @Test
  void theBestPeerIsNeitherLacisNorTheMemory() {
    var round = round(50, 50, "lacis", 5, "one", 20, "other", 10, "memory", 1);
    assertThat(series(Unit.ONE_WAY, round).bestPeer()).contains(other);
    assertThat(series(Unit.RATE, round).bestPeer()).contains(one);
  }

  @Test
  void collectionsAreCountedInAllRounds() {
    var series =
        series(
            Unit.ONE_WAY,
            round(50, 50, "lacis", 1),
            round(50, 50, "lacis", 1),
            round(50, 250, "lacis", 1));
    assertThat(series.collections(lacis)).isEqualTo(3);
  }

  @Test
  void whatRestsOnTooLittleIsInBrackets() {
    List<Round> rounds = new ArrayList<>();
    for (int start = 0; start < 3; start++) {
      rounds.add(startedRound(start, 50, 50, "lacis", 10, "one", 20));
      rounds.add(startedRound(start, 50, 50, "lacis", 10, "one", 20));
    }
    assertThat(table(rounds)).containsPattern("one +20.0 +±0 % +20.0 +0.50 ±0 %\n");
    // Of two starts, but of two rounds.
    assertThat(table(List.of(rounds.get(0), rounds.get(2))))
        .contains("(too few to rely on)")
        .containsPattern("one +\\(20.0\\) +±0 % +20.0 +\\(0.50\\) ±0 %\n")
        .contains("× the best MPI: (0.50), reached");
    // Of most rounds, but all of them of one start of three.
    rounds.add(startedRound(1, 250, 250, "lacis", 10, "one", 20));
    rounds.add(startedRound(2, 250, 250, "lacis", 10, "one", 20));
    for (int i = 0; i < 7; i++) {
      rounds.add(startedRound(2, 250, 250, "lacis", 10, "one", 20));
    }
    assertThat(table(rounds)).contains("(far, 9 of 15 rounds)");
    rounds.removeIf(round -> round.bounces().getFirst() > 100 && round.start() == 1);
    assertThat(table(rounds)).contains("(far, 8 of 14 rounds, too few to rely on)");
    // All that were asked for are of one start.
    rounds.removeIf(round -> round.start() != 2);
    assertThat(table(rounds)).contains("(far, 8 of 10 rounds)");
  }

  private String table(List<Round> rounds) {
    return Tables.group(
        List.of(series(Unit.ONE_WAY, rounds.toArray(Round[]::new))), "shm", Group.LATENCY);
  }

  @Test
  void measuresAreComparedInTheStateThatBothHave() {
    List<Round> ours = new ArrayList<>();
    List<Round> others = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ours.add(round(50, 50, "lacis", 60));
      others.add(round(50, 50, "lacis", 100));
    }
    for (int i = 0; i < 4; i++) {
      ours.add(round(50, 250, "lacis", 1));
      ours.add(round(250, 250, "lacis", 500));
      others.add(round(250, 50, "lacis", 1));
    }
    assertThat(verdict(ours, others)).endsWith(": 0.60 near, reached");
    assertThat(verdict(ours, others.subList(2, 7))).endsWith(": (0.60) near, reached");
    assertThat(verdict(ours.subList(3, 11), others))
        .endsWith(": –, unknown: the two were never measured in the same state");
  }

  /** What a target says that compares two measures. */
  private String verdict(List<Round> ours, List<Round> others) {
    var here = Fakes.measure("am-latency", Unit.ONE_WAY);
    var there = Fakes.measure("put-signal", Unit.ONE_WAY);
    List<Series> all =
        List.of(
            new Series("shm", here, List.of(lacis), ours, 120),
            new Series("shm", there, List.of(lacis), others, 120));
    return new Target("am-latency", Target.Against.LACIS, "put-signal", 1)
        .verdict(all, "shm")
        .orElseThrow()
        .text(Unit.ONE_WAY);
  }

  @Test
  void targetsAreReachedOrMissed() {
    var round = round(50, 50, "lacis", 60, "one", 100, "other", 120, "memory", 40);
    var all = List.of(series(Unit.ONE_WAY, round, round, round));
    assertThat(verdict(Target.Against.MPI, 0.6, all))
        .isEqualTo("≤ 0.60 × the best MPI: 0.60, reached");
    assertThat(verdict(Target.Against.MPI, 0.5, all))
        .isEqualTo("≤ 0.50 × the best MPI: 0.60, missed by 20 %");
    assertThat(verdict(Target.Against.MEMORY, 1.3, all))
        .isEqualTo("≤ 1.30 × memory alone: 1.50, missed by 15 %");
    assertThat(verdict(Target.Against.NUMBER, 100, all))
        .isEqualTo("≤ 100 ns one way: 60.0, reached");
    assertThat(
            new Target("bandwidth", Target.Against.MEMORY, "copy[bytes=1048576]", 0.8)
                .mark(Unit.BANDWIDTH))
        .isEqualTo("≥ 0.80 × memory alone in “1 MiB, a copy within one process”");
    assertThat(new Target("am-latency", Target.Against.AERON, "", 1).verdict(all, "shm")).isEmpty();
    assertThat(new Target("am-latency", Target.Against.MPI, "", 1).verdict(all, "tcp")).isEmpty();
  }

  @Test
  void aTargetMayNameOneMpi() {
    var round = round(50, 50, "lacis", 60, "mpich", 3, "one", 60);
    var subjects =
        List.of(lacis, Fakes.subject("mpich", Family.MPI), Fakes.subject("one", Family.MPI));
    var rate = Fakes.measure("am-latency", Unit.RATE);
    var all = List.of(new Series("shm", rate, subjects, List.of(round, round, round), Double.NaN));
    assertThat(
            new Target("am-latency", Target.Against.MPICH, "", 20)
                .verdict(all, "shm")
                .orElseThrow()
                .text(Unit.RATE))
        .isEqualTo("≥ 20.0 × MPICH: 20.0, reached");
    assertThat(new Target("am-latency", Target.Against.OPEN_MPI, "", 20).verdict(all, "shm"))
        .isEmpty();
  }

  @Test
  void aTargetThatNeedsAnotherGroupSaysSo() {
    var round = round(50, 50, "lacis", 60);
    var all = List.of(series(Unit.ONE_WAY, round, round, round));
    assertThat(
            new Target("am-latency", Target.Against.LACIS, "put-signal", 1)
                .verdict(all, "shm")
                .orElseThrow()
                .text(Unit.ONE_WAY))
        .endsWith(": –, unknown: it needs rma in the same run");
  }

  private static String verdict(Target.Against against, double factor, List<Series> all) {
    return new Target("am-latency", against, "", factor)
        .verdict(all, "shm")
        .orElseThrow()
        .text(Unit.ONE_WAY);
  }
}
