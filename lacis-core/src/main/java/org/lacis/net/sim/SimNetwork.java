package org.lacis.net.sim;

import org.lacis.net.NetContext;
import org.lacis.net.Network;
import org.lacis.net.Probe;

/** One rank's way into a {@link SimFabric}. */
record SimNetwork(SimFabric fabric, int rank) implements Network {

  @Override
  public String name() {
    return "sim";
  }

  @Override
  public Probe probe() {
    return new Probe.Ready("simulated, " + fabric.options().ranks() + " ranks in this JVM");
  }

  @Override
  public NetContext open(Setup setup) {
    return fabric.open(rank, setup);
  }
}
