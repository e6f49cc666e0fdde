package org.lacis.net.ofi;

import org.lacis.net.NetContext;
import org.lacis.net.NetException;
import org.lacis.net.Network;
import org.lacis.net.Probe;
import org.lacis.settings.Settings;

/** Ranks of any machines, through the library libfabric. */
public final class OfiNetwork implements Network {

  /** Receives are as long as the packets of the default pool, within reason. */
  private static final int LONGEST_RECEIVE = 64 << 10;

  private static final int SHORTEST_RECEIVE = 1 << 10;

  /** Stateless: any number may be made. */
  public OfiNetwork() {}

  @Override
  public String name() {
    return "ofi";
  }

  @Override
  public Probe probe() {
    return Provider.probe();
  }

  @Override
  public NetContext open(Setup setup) {
    try {
      int receive =
          Math.clamp(Settings.POOL_PACKET_BYTES.value(), SHORTEST_RECEIVE, LONGEST_RECEIVE);
      return new OfiContext(setup, Provider.choose(), receive, Settings.OFI_DIRECT.value());
    } catch (IllegalArgumentException e) {
      throw new NetException(String.valueOf(e.getMessage()), e);
    }
  }
}
