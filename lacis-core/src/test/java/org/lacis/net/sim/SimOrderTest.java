package org.lacis.net.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

class SimOrderTest {

  private static final Duration WINDOW = Duration.of(5, ChronoUnit.MICROS);

  private static List<String> texts(Ranks ranks) {
    return ranks.log.stream()
        .map(line -> line.substring(line.indexOf('\'') + 1, line.lastIndexOf('\'')))
        .toList();
  }

  private static List<String> hundred(Ranks ranks) {
    List<String> sent = IntStream.range(0, 100).mapToObj(Integer::toString).toList();
    sent.forEach(text -> ranks.send(0, 1, text));
    ranks.drain();
    return sent;
  }

  @Test
  void messagesArriveInOrderByDefault() {
    Ranks ranks = new Ranks(SimOptions.defaults());
    List<String> sent = hundred(ranks);
    assertThat(texts(ranks)).isEqualTo(sent);
  }

  @Test
  void randomDelaysKeepTheOrder() {
    Ranks ranks = new Ranks(SimOptions.defaults().withDelay(WINDOW));
    List<String> sent = hundred(ranks);
    assertThat(texts(ranks)).isEqualTo(sent);
  }

  @Test
  void reorderingLosesNothingButTheOrder() {
    Ranks ranks = new Ranks(SimOptions.defaults().withReordering(WINDOW));
    List<String> sent = hundred(ranks);
    assertThat(texts(ranks)).isNotEqualTo(sent).containsExactlyInAnyOrderElementsOf(sent);
  }

  @Test
  void theSameSeedGivesTheSameDeliveriesAndAnotherSeedOthers() {
    assertThat(run(42)).isEqualTo(run(42)).isNotEqualTo(run(43));
  }

  /** A random program, the same each time, on a fabric with everything that is left to chance. */
  private static List<String> run(long seed) {
    Ranks ranks =
        new Ranks(
            SimOptions.defaults()
                .withRanks(5)
                .withSeed(seed)
                .withReordering(WINDOW)
                .withDelay(WINDOW)
                .withFullProbability(0.1)
                .withBusyProbability(0.1));
    SplittableRandom random = new SplittableRandom(1);
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      if (random.nextInt(3) == 0) {
        answers.add("posted " + ranks.send(random.nextInt(5), random.nextInt(5), "m" + i));
      } else {
        ranks.poll(random.nextInt(5));
      }
    }
    ranks.drain();
    answers.addAll(ranks.log);
    return answers;
  }

  @Test
  void postsAreRefusedAboutAsOftenAsAsked() {
    Ranks ranks =
        new Ranks(SimOptions.defaults().withBusyProbability(0.25).withFullProbability(0.25));
    int[] answers = new int[3];
    for (int i = 0; i < 1000; i++) {
      answers[-ranks.send(0, 1, "")]++;
      ranks.poll(1);
      ranks.poll(1);
    }
    assertThat(answers[-NetDevice.BUSY]).isBetween(200, 300);
    assertThat(answers[-NetDevice.FULL]).isBetween(140, 240);
    ranks.drain();
    assertThat(ranks.log).hasSize(answers[NetDevice.OK]);
  }

  @Test
  void whatComesBeforeItsRankOrDeviceIsOpenWaits() {
    SimFabric fabric = SimFabric.create(SimOptions.defaults());
    NetContext early = fabric.open(0);
    early.openDevice();
    NetDevice second = early.openDevice();
    second.inject(1, 7, 8, MemorySegment.ofArray(new byte[0]), 0, 0);
    while (fabric.now() == 0) {
      second.poll(new CountingSink(), 1);
    }
    NetContext late = fabric.open(1);
    CountingSink first = new CountingSink();
    assertThat(late.openDevice().poll(first, 1)).isZero();
    CountingSink other = new CountingSink();
    assertThat(late.openDevice().poll(other, 1)).isEqualTo(1);
    assertThat(other.messages).isEqualTo(1);
  }

  private static final class CountingSink implements NetSink {
    private int messages;

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      messages++;
      return true;
    }

    @Override
    public void completed(long cookie, int result) {}

    @Override
    public void peerGone(int peer, PeerEnd how) {}
  }
}
