package org.lacis.net.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetException;

class SimFaultsTest {

  private final Ranks ranks = new Ranks(SimOptions.defaults().withRanks(3));

  private List<String> events() {
    return ranks.log.stream().map(line -> line.substring(line.indexOf(' ') + 1)).toList();
  }

  @Test
  void everyOtherRankHearsOnceThatARankDied() {
    ranks.fabric.kill(2);
    ranks.drain();
    ranks.fabric.kill(2);
    ranks.drain();
    assertThat(events().stream().filter(e -> !e.startsWith("2")))
        .containsExactly("0: gone 2", "1: gone 2");
    assertThat(ranks.send(0, 2, "")).isEqualTo(NetDevice.PEER_GONE);
    assertThat(ranks.send(0, 1, "")).isEqualTo(NetDevice.OK);
  }

  @Test
  void toAKilledRankAllOthersAreGone() {
    ranks.fabric.kill(2);
    assertThat(ranks.send(2, 0, "")).isEqualTo(NetDevice.PEER_GONE);
    ranks.drain();
    assertThat(events()).contains("2: gone 0", "2: gone 1");
  }

  @Test
  void whatADeadRankHadSentArrivesBeforeTheNews() {
    ranks.send(2, 0, "x".repeat(150));
    ranks.send(2, 0, "last words");
    ranks.fabric.kill(2);
    ranks.drain();
    assertThat(events().stream().filter(e -> e.startsWith("0")).skip(1))
        .containsExactly("0: 'last words' from 2", "0: gone 2");
  }

  @Test
  void theNewsWaitsBehindAMessageThatIsNotTaken() {
    ranks.send(2, 0, "stuck");
    ranks.refuse(0, true);
    ranks.fabric.kill(2);
    ranks.drain();
    assertThat(events()).doesNotContain("0: gone 2");
    ranks.refuse(0, false);
    ranks.drain();
    assertThat(events().stream().filter(e -> e.startsWith("0")))
        .containsExactly("0: 'stuck' from 2", "0: gone 2");
  }

  @Test
  void aDeathCanBeSetForALaterTime() {
    ranks.fabric.killAt(1, Duration.ofMillis(1));
    ranks.send(0, 1, "before");
    ranks.drain();
    assertThat(events()).startsWith("1: 'before' from 0").contains("0: gone 1");
    assertThat(ranks.log.stream().filter(l -> l.endsWith("0: gone 1")))
        .allMatch(l -> Long.parseLong(l.substring(0, l.indexOf(' '))) >= 1_000_000);
  }

  @Test
  void transfersWithADeadRankEndWithAnError() {
    MemorySegment remote = Arena.ofAuto().allocate(8);
    long key = ranks.contexts[2].register(remote, 0, 8, NetContext.READ | NetContext.WRITE);
    MemorySegment local = MemorySegment.ofArray(new byte[8]);
    assertThat(ranks.devices[0].put(2, local, 0, 8, key, 0, 5, 0, 11)).isEqualTo(NetDevice.PENDING);
    assertThat(ranks.devices[0].get(2, local, 0, 8, key, 0, 0, 0, 12)).isEqualTo(NetDevice.PENDING);
    ranks.fabric.kill(2);
    assertThat(ranks.devices[0].get(2, local, 0, 8, key, 0, 0, 0, 13)).isEqualTo(NetDevice.PENDING);
    ranks.drain();
    assertThat(events().stream().filter(e -> e.startsWith("0")))
        .containsExactlyInAnyOrder(
            "0: completed 11 -101", "0: completed 12 -101", "0: completed 13 -101", "0: gone 2");
    assertThat(ranks.devices[0].put(2, local, 0, 8, key, 0, 0, 0, 14))
        .isEqualTo(NetDevice.PEER_GONE);
  }

  @Test
  void packetsComeBackFromADeadRank() {
    long address = ranks.contexts[0].allocate(128, 64) + NetContext.PACKET_HEADER;
    assertThat(ranks.devices[0].sendPacket(2, 1, 1, address, 64)).isEqualTo(NetDevice.OK);
    ranks.fabric.kill(2);
    ranks.drain();
    assertThat(ranks.contexts[0].reclaim(a -> assertThat(a).isEqualTo(address))).isEqualTo(1);
  }

  @Test
  void aDeviceOpenedAfterADeathHearsOfIt() {
    ranks.fabric.kill(2);
    ranks.drain();
    ranks.log.clear();
    ranks.devices[0] = ranks.contexts[0].openDevice();
    ranks.drain();
    assertThat(events()).containsExactly("0: gone 2");
    assertThat(ranks.send(0, 2, "")).isEqualTo(NetDevice.PEER_GONE);
  }

  @Test
  void aKilledRankCannotBeOpened() {
    SimFabric fabric = SimFabric.create(SimOptions.defaults());
    fabric.kill(1);
    assertThatThrownBy(() -> fabric.open(1))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("rank 1");
  }

  @Test
  void aPartitionHoldsMessagesUpUntilItHeals() {
    SimPartition partition = ranks.fabric.partition(List.of(0), List.of(1, 2));
    ranks.send(0, 1, "first");
    ranks.send(0, 1, "second");
    ranks.send(1, 0, "back");
    ranks.send(1, 2, "same side");
    ranks.drain();
    assertThat(events()).containsExactly("2: 'same side' from 1");
    partition.heal();
    ranks.drain();
    assertThat(events().stream().filter(e -> e.startsWith("1")))
        .containsExactly("1: 'first' from 0", "1: 'second' from 0");
    assertThat(events()).contains("0: 'back' from 1");
  }

  @Test
  void aPartitionForAWhileHealsByItself() {
    ranks.fabric.partition(List.of(0), List.of(1), Duration.ofMillis(1));
    MemorySegment remote = Arena.ofAuto().allocate(8);
    long key = ranks.contexts[1].register(remote, 0, 8, NetContext.READ);
    ranks.devices[0].get(1, MemorySegment.ofArray(new byte[8]), 0, 8, key, 0, 0, 0, 3);
    ranks.drain();
    assertThat(ranks.log).hasSize(1).first().asString().endsWith(" 0: completed 3 0");
    assertThat(ranks.fabric.now()).isGreaterThan(1_000_000);
  }

  @Test
  void aRankCannotBeOnBothSides() {
    assertThatThrownBy(() -> ranks.fabric.partition(List.of(0, 1), List.of(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
