package org.lacis.net.ofi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import org.lacis.LacisOptions;
import org.lacis.net.Probe;
import org.lacis.testkit.Job;
import org.lacis.testkit.LocalExchange;
import org.lacis.testkit.LocalFabric;
import org.lacis.testkit.NetworkFabric;

/** Ranks of one JVM on a provider of libfabric. */
final class Providers {

  static final String PROVIDER = "lacis.ofi.provider";
  static final String DIRECT = "lacis.ofi.direct";

  private Providers() {}

  /** Skips a test where the provider is not to be had, and says why. */
  static void assume(String provider) {
    System.setProperty(PROVIDER, provider);
    try {
      Probe probe = new OfiNetwork().probe();
      assumeTrue(probe instanceof Probe.Ready, () -> probe.toString());
    } finally {
      System.clearProperty(PROVIDER);
    }
  }

  /** Does something that opens networks. */
  static void with(String provider, Runnable action) {
    assume(provider);
    System.setProperty(PROVIDER, provider);
    try {
      action.run();
    } finally {
      System.clearProperty(PROVIDER);
    }
  }

  static NetworkFabric open(int ranks, String provider) {
    return open(ranks, Map.of(PROVIDER, provider));
  }

  /** Opens a runtime at every rank. */
  static Job openJob(int ranks, LacisOptions options, String provider) {
    assume(provider);
    System.setProperty(PROVIDER, provider);
    try {
      return Job.open(
          LocalExchange.of(ranks).stream()
              .map(exchange -> options.withNetwork(new OfiNetwork(), exchange))
              .toList());
    } finally {
      System.clearProperty(PROVIDER);
    }
  }

  /** Opens it with properties set. */
  static NetworkFabric open(int ranks, Map<String, String> properties) {
    assume(properties.getOrDefault(PROVIDER, "auto"));
    properties.forEach(System::setProperty);
    try {
      return LocalFabric.open(ranks, rank -> new OfiNetwork());
    } finally {
      properties.keySet().forEach(System::clearProperty);
    }
  }
}
