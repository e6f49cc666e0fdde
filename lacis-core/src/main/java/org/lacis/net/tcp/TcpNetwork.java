package org.lacis.net.tcp;

import org.lacis.net.NetContext;
import org.lacis.net.Network;
import org.lacis.net.Probe;

/** Ranks of any machines, through connections that are made and proven when a device opens. */
public final class TcpNetwork implements Network {

  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public Probe probe() {
    return new Probe.Ready("sockets of the JDK");
  }

  @Override
  public NetContext open(Setup setup) {
    return new TcpOpening(setup).open();
  }
}
