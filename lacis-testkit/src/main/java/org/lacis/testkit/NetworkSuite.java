package org.lacis.testkit;

/** A part of {@link NetworkContract}. */
public interface NetworkSuite {

  /** Opens the network under test, as {@link LocalFabric#setup} says. */
  NetworkFabric open(int ranks);
}
