package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RatiosTest {

  /** As many rounds of each start; those of a start are alike. */
  private static Ratios of(int roundsEach, double... starts) {
    List<Ratios.Ratio> all =
        IntStream.range(0, roundsEach * starts.length)
            .mapToObj(i -> new Ratios.Ratio(i / roundsEach, starts[i / roundsEach]))
            .toList();
    return new Ratios(all, starts.length);
  }

  @Test
  void whatIsTheSameInAllRoundsIsCertain() {
    assertThat(of(3, 2, 2, 2, 2, 2).uncertainty()).isZero();
    assertThat(of(3, 2, 2, 2, 2, 2).isReliable()).isTrue();
  }

  @Test
  void tooFewRoundsAreNotReliableHoweverAlike() {
    assertThat(of(1, 2, 2).isReliable()).isFalse();
    assertThat(new Ratios(of(4, 2).all(), 5).isReliable()).isFalse();
    assertThat(of(4, 2).isReliable()).isTrue();
  }

  @Test
  void whatIsFarApartIsNotReliable() {
    assertThat(of(3, 1, 1.02, 1.04, 1.06, 1.08).isReliable()).isTrue();
    assertThat(of(3, 1, 1.2, 1.4, 1.6, 1.8).isReliable()).isFalse();
  }

  @Test
  void hardlyAnyTwoRunsDifferIfBothAreReliable() {
    // Starts that differ by 11 % are about as far apart as they may be.
    Pairs fair = new Pairs(0.11, 0);
    assertThat(fair.reliable).isGreaterThan(Pairs.COUNT / 3);
    assertThat(fair.apart / (double) fair.reliable).isBetween(0.02, 0.08);
    assertThat(new Pairs(0.3, 0).reliable).isLessThan(Pairs.COUNT / 4);
  }

  @Test
  void manyRoundsMakeUpForTheirNoise() {
    Pairs noisy = new Pairs(0.08, 0.3);
    assertThat(noisy.reliable).isGreaterThan(Pairs.COUNT / 3);
    assertThat(noisy.apart / (double) noisy.reliable).isLessThan(0.08);
  }

  /**
   * Pairs of runs of five starts that differ by so much, with rounds that do; those reliable, and
   * those apart of these.
   */
  private static final class Pairs {
    static final int COUNT = 20_000;
    private static final int ROUNDS = 16;
    int reliable;
    int apart;

    Pairs(double difference, double noise) {
      Random random = new Random(1);
      for (int i = 0; i < COUNT; i++) {
        Ratios one = drawn(random, difference, noise);
        Ratios other = drawn(random, difference, noise);
        if (one.isReliable() && other.isReliable()) {
          reliable++;
          apart += Math.abs(other.middle() / one.middle() - 1) > Ratios.AGREEMENT ? 1 : 0;
        }
      }
    }

    private static Ratios drawn(Random random, double difference, double noise) {
      double[] starts =
          random.doubles(5).map(_ -> 1 + difference * random.nextGaussian()).toArray();
      Ratios alike = of(ROUNDS, starts);
      List<Ratios.Ratio> noisy =
          alike.all().stream()
              .map(
                  ratio ->
                      new Ratios.Ratio(
                          ratio.start(), ratio.value() * (1 + noise * random.nextGaussian())))
              .toList();
      return new Ratios(noisy, starts.length);
    }
  }
}
