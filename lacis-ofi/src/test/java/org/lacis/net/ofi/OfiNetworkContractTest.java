package org.lacis.net.ofi;

import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.lacis.testkit.NetworkAccess;
import org.lacis.testkit.NetworkContract;
import org.lacis.testkit.NetworkCopies;
import org.lacis.testkit.NetworkFabric;
import org.lacis.testkit.NetworkPackets;
import org.lacis.testkit.NetworkTransfers;
import org.lacis.testkit.Seeded;

class OfiNetworkContractTest {

  @Nested
  class Tcp extends NetworkContract implements NetworkCopies {
    @Override
    public NetworkFabric open(int ranks) {
      return Providers.open(ranks, "tcp");
    }
  }

  @Nested
  class Shm extends NetworkContract implements NetworkCopies {
    @Override
    public NetworkFabric open(int ranks) {
      return Providers.open(ranks, "shm");
    }
  }

  /** As with a provider that cannot read or write remote memory. */
  @Nested
  @ExtendWith(Seeded.class)
  class TcpInPieces implements NetworkTransfers, NetworkAccess, NetworkPackets {
    @Override
    public NetworkFabric open(int ranks) {
      return Providers.open(
          ranks,
          Map.of(Providers.PROVIDER, "tcp", Providers.DIRECT, Long.toString(Long.MAX_VALUE)));
    }
  }
}
