package org.lacis.net.mixed;

import org.lacis.net.Gather;
import org.lacis.net.GivenKeys;
import org.lacis.net.NetContext;
import org.lacis.net.NetException;
import org.lacis.net.Network;
import org.lacis.net.Probe;

/** One network within hosts and another between them. */
public final class MixedNetwork implements Network {

  private final Network near;
  private final Network far;
  private final String host;

  /**
   * A network of two.
   *
   * @param near within a host
   * @param far between hosts
   * @param host the name of this one; ranks with equal names are on one host
   */
  public MixedNetwork(Network near, Network far, String host) {
    this.near = near;
    this.far = far;
    this.host = host;
  }

  @Override
  public String name() {
    return near.name() + "+" + far.name();
  }

  @Override
  public Probe probe() {
    return near.probe() instanceof Probe.Missing missing ? missing : far.probe();
  }

  @Override
  public NetContext open(Setup setup) {
    Exchange exchange = setup.exchange();
    Hosts hosts = new Hosts(new Gather(exchange, "mixed-hosts").all(host), exchange.rank());
    NetContext within = near.open(setup.with(new HostExchange(exchange, hosts)));
    NetContext between = null;
    try {
      between = far.open(setup);
      if (!(between instanceof GivenKeys keys)) {
        throw new NetException(
            "network "
                + far.name()
                + " is not for use between hosts; the one within a host comes first, as in shm+tcp,"
                + " but this is "
                + name());
      }
      return new MixedContext(hosts, exchange.rank(), within, between, keys);
    } catch (RuntimeException e) {
      if (between != null) {
        between.close();
      }
      within.close();
      throw e;
    }
  }
}
