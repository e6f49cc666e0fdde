package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.LacisException;
import org.lacis.LacisOptions;
import org.lacis.net.Network;
import org.lacis.settings.Settings;

/** Which network is taken. */
class NetworksTest {

  /** Says the hosts of all ranks, whatever this one's is. */
  private record Told(List<String> hosts) implements Network.Exchange {
    @Override
    public int rank() {
      return 0;
    }

    @Override
    public int size() {
      return hosts.size();
    }

    @Override
    public String jobId() {
      return "job";
    }

    @Override
    public String[] allGather(String name, String value) {
      return hosts.toArray(new String[0]);
    }
  }

  private static String auto(boolean oneHost, String... hosts) {
    System.setProperty(Settings.HOST.property(), hosts[0]);
    try {
      return Networks.choose("auto", new Told(List.of(hosts)), oneHost).name();
    } finally {
      System.clearProperty(Settings.HOST.property());
    }
  }

  @Test
  void autoIsSharedMemoryOnOneHost() {
    assertThat(auto(true, "a", "b")).isEqualTo("shm"); // not asked
    assertThat(auto(false, "a")).isEqualTo("shm");
    assertThat(auto(false, "a", "a", "a")).isEqualTo("shm");
  }

  @Test
  void autoIsTcpIfEveryRankHasAHostOfItsOwn() {
    assertThat(auto(false, "a", "b", "c")).isEqualTo("tcp");
  }

  @Test
  void autoIsBothOtherwise() {
    assertThat(auto(false, "a", "b", "a")).isEqualTo("shm+tcp");
  }

  @Test
  void twoNamesWithAPlusAreOneWithinAndOneBetweenHosts() {
    assertThat(Networks.choose("shm+tcp", new Told(List.of("a")), true).name())
        .isEqualTo("shm+tcp");
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThereAre() {
    for (String name : List.of("smh", "shm+", "shm+tpc")) {
      assertThatThrownBy(() -> Networks.choose(name, new Told(List.of("a")), true))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("networkName is " + name + ", but there is no network")
          .hasMessageContaining("there are: shm, tcp");
    }
  }

  @Test
  void anUnknownNameFromOutsideIsRefusedWithWhereItWasSaid() {
    System.setProperty(Settings.NET.property(), "shm+tpc");
    try {
      assertThatThrownBy(() -> Opening.open(LacisOptions.defaults()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "property lacis.net is shm+tpc, but there is no network named \"tpc\";"
                  + " there are: shm, tcp");
    } finally {
      System.clearProperty(Settings.NET.property());
    }
  }

  @Test
  void aNetworkWhoseJarIsMissingSaysSo() {
    assertThatThrownBy(() -> Networks.choose("ofi", new Told(List.of("a")), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "networkName is ofi, but there is no network named \"ofi\": the jar lacis-ofi is not on"
                + " the class path; there are: shm, tcp");
  }

  @Test
  void whoAsksForTlsGetsNoNetworkWithoutIt() {
    Networks.refuseClearText("ofi");
    with(
        "true",
        () -> {
          List.of("shm", "tcp", "shm+tcp").forEach(Networks::refuseClearText);
          for (String name : List.of("ofi", "shm+ofi")) {
            assertThatThrownBy(() -> Networks.refuseClearText(name))
                .isInstanceOf(LacisException.class)
                .hasMessageStartingWith("lacis.tcp.tls is true, but network ofi does not encrypt");
          }
        });
  }

  @Test
  void aValueThatIsNotAllowedIsRefusedEvenIfNobodyNeedsIt() {
    with(
        "yes",
        () ->
            assertThatThrownBy(() -> Opening.open(LacisOptions.defaults().withNetwork("shm")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lacis.tcp.tls is yes, but must be true, false, 1 or 0"));
  }

  private static void with(String tls, Runnable action) {
    System.setProperty(Settings.TCP_TLS.property(), tls);
    try {
      action.run();
    } finally {
      System.clearProperty(Settings.TCP_TLS.property());
    }
  }
}
