package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.Network;
import org.lacis.testkit.NetworkData.Kind;

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

    @Test
    void fewBytesOfAllocatedMemoryAreMovedAtOnce() {
      try (var rig = new NetworkRig(open(2))) {
        NetContext owner = rig.context(1);
        MemorySegment remote = NetworkData.memory(Kind.ALLOCATED, 8192, owner);
        long key = owner.register(remote, 0, 8192, NetContext.READ | NetContext.WRITE);
        for (Kind near : Kind.values()) {
          MemorySegment local = NetworkData.memory(near, 8192, rig.context(0));
          for (int size : new int[] {0, 1, 8, 100, 8191}) {
            for (boolean put : new boolean[] {true, false}) {
              assertThat(rig.device(0).move(put, 1, local, 0, size, key, 0))
                  .as("%d bytes, %s, put: %s", size, near, put)
                  .isEqualTo(NetDevice.OK);
            }
          }
          assertThat(rig.device(0).move(true, 1, local, 0, 8192, key, 0)).isEqualTo(NetDevice.BUSY);
          NetworkTransfers.free(rig.context(0), near, local);
        }
        owner.deregister(key);
        NetworkTransfers.free(owner, Kind.ALLOCATED, remote);
      }
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
