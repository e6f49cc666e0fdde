package org.lacis.net.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

class SimTimeTest {

  /** o = 10, L = 100, g = 20, G = 2: numbers one can add up by hand. */
  private static final CostModel COST =
      new CostModel(Duration.ofNanos(10), Duration.ofNanos(100), Duration.ofNanos(20), 2);

  private static Ranks ranks(int n) {
    return new Ranks(SimOptions.defaults().withRanks(n).withCost(COST));
  }

  @Test
  void aMessageTakesOverheadItsBytesAndLatency() {
    Ranks ranks = ranks(2);
    ranks.send(0, 1, "1234567");
    ranks.drain();
    assertThat(ranks.log).containsExactly((10 + 14 + 100) + " 1: '1234567' from 0");
  }

  @Test
  void receivingCostsOverheadToo() {
    Ranks ranks = ranks(2);
    ranks.send(0, 1, "");
    ranks.drain();
    assertThat(ranks.fabric.time(1)).isEqualTo(110 + 10);
    assertThat(ranks.fabric.time(0)).isEqualTo(ranks.fabric.now());
  }

  @Test
  void smallMessagesLeaveAGapApart() {
    Ranks ranks = ranks(2);
    ranks.send(0, 1, "a");
    ranks.send(0, 1, "b");
    ranks.drain();
    assertThat(ranks.log).containsExactly("112 1: 'a' from 0", "132 1: 'b' from 0");
  }

  @Test
  void largeMessagesLeaveTheirBytesApart() {
    Ranks ranks = ranks(2);
    String large = "x".repeat(50);
    ranks.send(0, 1, large);
    ranks.send(0, 1, large);
    ranks.drain();
    assertThat(ranks.log.get(0)).startsWith((10 + 100 + 100) + " ");
    assertThat(ranks.log.get(1)).startsWith((10 + 100 + 100 + 100) + " ");
  }

  @Test
  void messagesOfManySendersEnterADeviceOneAfterTheOther() {
    Ranks ranks = ranks(4);
    for (int source = 1; source < 4; source++) {
      ranks.send(source, 0, "");
    }
    ranks.drain();
    assertThat(ranks.log)
        .containsExactly("110 0: '' from 1", "130 0: '' from 2", "150 0: '' from 3");
  }

  @Test
  void whatARankComputesDelaysWhatItSends() {
    Ranks ranks = ranks(2);
    ranks.fabric.compute(0, Duration.ofNanos(1000));
    ranks.send(0, 1, "late");
    ranks.drain();
    assertThat(ranks.log).containsExactly((1000 + 10 + 8 + 100) + " 1: 'late' from 0");
  }

  @Test
  void aPutIsAcknowledgedAfterAnotherLatencyAndAGetBringsItsBytesBack() {
    Ranks ranks = ranks(2);
    MemorySegment remote = Arena.ofAuto().allocate(64);
    MemorySegment local = MemorySegment.ofArray(new byte[64]);
    long key = ranks.contexts[1].register(remote, 0, 64, NetContext.READ | NetContext.WRITE);
    assertThat(ranks.devices[0].put(1, local, 0, 50, key, 0, 0, 0, 7)).isEqualTo(NetDevice.PENDING);
    ranks.drain();
    long start = ranks.fabric.now();
    assertThat(start).isEqualTo(10 + 100 + 100 + 100);
    assertThat(ranks.devices[0].get(1, local, 0, 50, key, 0, 0, 0, 8)).isEqualTo(NetDevice.PENDING);
    ranks.drain();
    assertThat(ranks.log)
        .containsExactly(
            "310 0: completed 7 0", (310 + 10 + 100 + 100 + 100) + " 0: completed 8 0");
  }

  @Test
  void aRankThatDoesNotPollHoldsNoOneUp() {
    Ranks ranks = ranks(3);
    ranks.send(0, 2, "never read");
    ranks.fabric.compute(0, Duration.ofNanos(500));
    ranks.send(0, 1, "read");
    for (int polls = 0; ranks.log.isEmpty(); polls++) {
      assertThat(polls).isLessThan(10);
      ranks.poll(1);
    }
    assertThat(ranks.log.get(0)).endsWith("1: 'read' from 0");
  }

  @Test
  void timeStandsStillWhenNothingIsUnderWay() {
    Ranks ranks = ranks(2);
    ranks.drain();
    assertThat(ranks.fabric.now()).isZero();
    assertThat(ranks.fabric.step(ranks::poll)).isFalse();
  }

  @Test
  void withoutCostsEverythingIsThereAtOnce() {
    Ranks ranks = new Ranks(SimOptions.defaults().withCost(CostModel.FREE));
    ranks.send(0, 1, "now");
    assertThat(ranks.poll(1)).isEqualTo(1);
    assertThat(ranks.fabric.now()).isZero();
  }

  @Test
  void thousandsOfRanksPassATokenRoundByStepsAlone() {
    int size = 4096;
    Ranks ranks = new Ranks(SimOptions.defaults().withRanks(size).withCost(COST));
    ranks.send(0, 1, "token");
    int[] hops = {0};
    boolean busy = true;
    while (busy) {
      busy =
          ranks.fabric.step(
              rank -> {
                if (ranks.poll(rank) == 1 && rank != 0) {
                  ranks.send(rank, (rank + 1) % size, "token");
                  hops[0]++;
                }
              });
    }
    assertThat(hops[0]).isEqualTo(size - 1);
    assertThat(ranks.log.getLast()).endsWith(" 0: 'token' from " + (size - 1));
    // Each hop: overhead, five bytes, latency, overhead of the receiver.
    assertThat(ranks.log.getLast())
        .startsWith(String.format(Locale.ROOT, "%d ", size * (10L + 10 + 100) + (size - 1) * 10L));
  }
}
