package org.lacis.testkit;

/** Ranks of two hosts, in turn: shared memory within them, tcp between them. */
class MixedNetworkContractTest extends NetworkContract {

  @Override
  public NetworkFabric open(int ranks) {
    return LocalFabric.open(ranks, MixedJobs::network);
  }
}
