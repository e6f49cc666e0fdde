package org.lacis.net.ofi;

import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.lacis.testkit.NetworkContract;
import org.lacis.testkit.NetworkFabric;

class OfiNetworkContractTest {

  @Nested
  class Tcp extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return Providers.open(ranks, "tcp");
    }
  }

  @Nested
  class Shm extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return Providers.open(ranks, "shm");
    }
  }

  /** As with a provider that cannot read or write remote memory. */
  @Nested
  class TcpInPieces extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return Providers.open(
          ranks,
          Map.of(Providers.PROVIDER, "tcp", Providers.DIRECT, Long.toString(Long.MAX_VALUE)));
    }
  }
}
