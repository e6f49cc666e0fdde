package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.lacis.net.Network;
import org.lacis.net.Network.Setup;

class TcpNetworkContractTest extends NetworkContract {

  @Override
  public NetworkFabric open(int ranks) {
    return LocalFabric.open(ranks, rank -> TcpJobs.network());
  }

  @Test
  void ranksThatDifferAreToldInWhat() {
    Network longer =
        new Altered(
            TcpJobs.network(),
            setup ->
                new Setup(
                    setup.exchange(), setup.sharedBytes(), 2 * setup.ringCells(), setup.timeout()));
    assertThatThrownBy(() -> LocalFabric.open(2, rank -> rank == 0 ? TcpJobs.network() : longer))
        .hasMessageContaining("rank 1 has lacis.ring-cells 128, this rank lacis.ring-cells 64:");
  }
}
