package org.lacis.testkit;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Nested;
import org.lacis.net.Network;

class ShmNetworkContractTest {

  private static final String BULK = "lacis.shm.bulk";

  private static NetworkFabric open(int ranks, String bulk) {
    Network shm =
        ServiceLoader.load(Network.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(network -> network.name().equals("shm"))
            .findFirst()
            .orElseThrow();
    System.setProperty(BULK, bulk);
    try {
      return LocalFabric.open(ranks, rank -> shm);
    } finally {
      System.clearProperty(BULK);
    }
  }

  @Nested
  class AsItIs extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return ShmNetworkContractTest.open(ranks, "auto");
    }
  }

  @Nested
  class WithPlainCopiesAndTheTarget extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return ShmNetworkContractTest.open(ranks, "mapped");
    }
  }

  @Nested
  class WithCopiesByTheKernel extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return ShmNetworkContractTest.open(ranks, "vm");
    }
  }

  @Nested
  class WithCopiesByTheTarget extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return ShmNetworkContractTest.open(ranks, "pipeline");
    }
  }
}
