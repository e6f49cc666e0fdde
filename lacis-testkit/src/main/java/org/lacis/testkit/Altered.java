package org.lacis.testkit;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.lacis.net.NetContext;
import org.lacis.net.Network;
import org.lacis.net.Probe;

/**
 * A network that opens with another setup than it is asked for.
 *
 * @param network what is opened
 * @param change makes the setup it opens with
 */
public record Altered(Network network, UnaryOperator<Setup> change) implements Network {

  /** One that misses a peer after this time without a sign of life. */
  public static Altered detection(Network network, Duration detection) {
    return new Altered(
        network,
        setup ->
            new Setup(
                setup.exchange(),
                setup.sharedBytes(),
                setup.ringCells(),
                setup.injectBytes(),
                setup.timeout(),
                detection));
  }

  @Override
  public String name() {
    return network.name();
  }

  @Override
  public Probe probe() {
    return network.probe();
  }

  @Override
  public NetContext open(Setup setup) {
    return network.open(change.apply(setup));
  }
}
