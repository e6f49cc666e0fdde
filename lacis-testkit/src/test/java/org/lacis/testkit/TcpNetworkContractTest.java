package org.lacis.testkit;

class TcpNetworkContractTest extends NetworkContract {

  @Override
  public NetworkFabric open(int ranks) {
    return LocalFabric.open(ranks, rank -> TcpJobs.network());
  }
}
