package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.net.Gather;
import org.lacis.net.NetContext;
import org.lacis.net.NetException;
import org.lacis.net.Network;
import org.lacis.net.Probe;
import org.lacis.net.mixed.MixedNetwork;

/** Hosts that are one machine, as containers may be: they share the folder for shared memory. */
class MixedHostsTest {

  @Test
  void hostsThatShareAFolderHaveFilesOfTheirOwnInIt() {
    try (NetworkFabric fabric = LocalFabric.open(6, rank -> MixedJobs.network(rank, 3))) {
      List<String> places =
          fabric.contexts().stream()
              .map(NetContext::description)
              .map(MixedHostsTest::place)
              .toList();
      assertThat(places).as("where shared memory is").containsOnly(places.getFirst());
    }
  }

  private static String place(String description) {
    return description.replaceFirst(".*shared memory in ([^,]*),.*", "$1");
  }

  @Test
  void aRankThatFailsWithinAHostIsNamedByItsNumberInTheJob() {
    assertThatThrownBy(() -> LocalFabric.open(6, MixedHostsTest::failingAtTwo))
        .hasStackTraceContaining("rank 2 fails in step test: no luck");
  }

  private static Network failingAtTwo(int rank) {
    return new MixedNetwork(new Failing(rank == 2), new Failing(false), "host" + rank % 2);
  }

  /** A network that cannot be opened. */
  private record Failing(boolean first) implements Network {

    @Override
    public String name() {
      return "failing";
    }

    @Override
    public Probe probe() {
      return new Probe.Ready("");
    }

    @Override
    public NetContext open(Setup setup) {
      Gather step = new Gather(setup.exchange(), "test");
      if (first) {
        NetException why = new NetException("no luck");
        step.fail(why);
        throw why;
      }
      step.all("");
      throw new NetException("after rank 2");
    }
  }
}
