package org.lacis.testkit;

import java.util.List;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/** A network that was opened for several ranks of this JVM. */
public interface NetworkFabric extends AutoCloseable {

  /** What each rank opened. */
  List<NetContext> contexts();

  /** Opens one more device at every rank. */
  List<NetDevice> openDevices();

  /** Closes all contexts that the test has not closed. */
  @Override
  void close();
}
