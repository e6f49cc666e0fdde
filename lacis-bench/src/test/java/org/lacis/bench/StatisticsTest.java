package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void quantilesLieBetweenValues() {
    List<Double> values = List.of(40.0, 10.0, 20.0, 30.0);
    assertThat(Statistics.median(values)).isEqualTo(25);
    assertThat(Statistics.quantile(values, 0)).isEqualTo(10);
    assertThat(Statistics.quantile(values, 1)).isEqualTo(40);
    assertThat(Statistics.quantile(values, 0.25)).isEqualTo(17.5);
    assertThat(Statistics.median(List.of(7.0))).isEqualTo(7);
    assertThat(Statistics.median(List.of())).isNaN();
  }

  @Test
  void theMiddleIsTheMeanOfTheMiddleHalf() {
    assertThat(Statistics.middle(List.of(1000.0, 10.0, 20.0, 0.0))).isEqualTo(15);
    assertThat(Statistics.middle(List.of(0.0, 10.0, 1000.0))).isCloseTo(260 / 1.5, within(1e-9));
    assertThat(Statistics.middle(List.of(10.0, 20.0))).isEqualTo(15);
    assertThat(Statistics.middle(List.of(7.0))).isEqualTo(7);
    assertThat(Statistics.middle(List.of())).isNaN();
  }

  @Test
  void spreadIsHalfTheDistanceOfTheQuartiles() {
    assertThat(Statistics.spread(List.of(90.0, 95.0, 100.0, 105.0, 110.0))).isEqualTo(0.05);
    assertThat(Statistics.spread(List.of(90.0))).isNaN();
    assertThat(Tables.spread(List.of(90.0))).isEqualTo("±?");
    assertThat(Tables.spread(List.of(90.0, 95.0, 100.0, 105.0, 110.0))).isEqualTo("±5 %");
  }

  @Test
  void smallNumbersAreNotZero() {
    assertThat(Tables.number(0.00123)).isEqualTo("0.0012");
    assertThat(Tables.number(0.5)).isEqualTo("0.50");
    assertThat(Tables.number(0)).isEqualTo("0.00");
  }

  @Test
  void theBestIsTheLeastTimeAndTheGreatestRate() {
    assertThat(Statistics.best(List.of(3.0, 1.0, 2.0), Unit.ONE_WAY)).isEqualTo(1);
    assertThat(Statistics.best(List.of(3.0, 1.0, 2.0), Unit.RATE)).isEqualTo(3);
  }

  @Test
  void twoKindsOfTimesArePartedBetweenThem() {
    double parting = Statistics.parting(List.of(50.0, 250.0, 52.0, 240.0, 55.0), 1.5);
    assertThat(parting).isBetween(55.0, 240.0);
  }

  @Test
  void timesTakenWhileOneKindChangesIntoTheOtherDoNotJoinThem() {
    var values = new ArrayList<>(Collections.nCopies(200, 50.0));
    values.addAll(Collections.nCopies(200, 200.0));
    values.addAll(List.of(70.0, 90.0, 110.0, 130.0, 150.0, 170.0));
    assertThat(Statistics.parting(values, 1.5)).isBetween(70.0, 170.0);
  }

  @Test
  void timesThatGrowSlowlyAreOfOneKind() {
    assertThat(Statistics.parting(List.of(100.0, 110.0, 125.0, 140.0, 160.0), 1.5)).isNaN();
    List<Double> many = DoubleStream.iterate(100, t -> 1.005 * t).limit(1000).boxed().toList();
    assertThat(Statistics.parting(many, 1.5)).isNaN();
  }

  @Test
  void oneOddTimeAmongManyIsNoKind() {
    var values = new ArrayList<>(Collections.nCopies(99, 100.0));
    values.add(900.0);
    assertThat(Statistics.parting(values, 1.5)).isNaN();
  }

  @Test
  void unitsMakeValuesOfTimes() {
    assertThat(Unit.ONE_WAY.value(1000, 8, 200_000)).isEqualTo(100);
    assertThat(Unit.EACH.value(1000, 8, 200_000)).isEqualTo(200);
    assertThat(Unit.RATE.value(2_000_000, 8, 1e9)).isEqualTo(2);
    assertThat(Unit.ROUND_TRIPS.value(50_000, 8, 1e9)).isEqualTo(50);
    assertThat(Unit.BANDWIDTH.value(1000, 1 << 20, 1e9)).isEqualTo(1.048576);
    assertThat(Unit.SECONDS.value(1, 8, 5e8)).isEqualTo(0.5);
  }
}
