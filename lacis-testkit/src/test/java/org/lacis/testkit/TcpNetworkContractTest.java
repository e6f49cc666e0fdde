package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.lacis.net.NetContext;
import org.lacis.net.Network;
import org.lacis.net.Probe;

class TcpNetworkContractTest extends NetworkContract {

  @Override
  public NetworkFabric open(int ranks) {
    return LocalFabric.open(ranks, rank -> TcpJobs.network());
  }

  /** Tcp with twice as long rings. */
  private static final class Longer implements Network {
    private final Network tcp = TcpJobs.network();

    @Override
    public String name() {
      return tcp.name();
    }

    @Override
    public Probe probe() {
      return tcp.probe();
    }

    @Override
    public NetContext open(Setup setup) {
      return tcp.open(
          new Setup(setup.exchange(), setup.sharedBytes(), 2 * setup.ringCells(), setup.timeout()));
    }
  }

  @Test
  void ranksThatDifferAreToldInWhat() {
    assertThatThrownBy(
            () -> LocalFabric.open(2, rank -> rank == 0 ? TcpJobs.network() : new Longer()))
        .hasMessageContaining("rank 1 has lacis.ring-cells 128, this rank lacis.ring-cells 64:");
  }
}
