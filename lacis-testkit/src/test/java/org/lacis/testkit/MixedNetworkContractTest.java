package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.lacis.net.NetException;
import org.lacis.net.mixed.MixedNetwork;

/** Ranks of two hosts, in turn: shared memory within them, tcp between them. */
class MixedNetworkContractTest extends NetworkContract {

  @Override
  public NetworkFabric open(int ranks) {
    return LocalFabric.open(ranks, MixedJobs::network);
  }

  @Test
  void theOneWithinHostsComesFirst() {
    var exchange = LocalExchange.of(1).getFirst();
    var network = new MixedNetwork(MixedJobs.named("tcp"), MixedJobs.named("shm"), "here");
    assertThatThrownBy(() -> network.open(LocalFabric.setup(exchange)))
        .isInstanceOf(NetException.class)
        .hasMessage(
            "network shm is not for use between hosts; the one within a host comes first, as in"
                + " shm+tcp, but this is tcp+shm");
  }
}
