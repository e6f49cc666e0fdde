package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lacis.LacisException;

/** Where tcp listens. */
class TcpIpv6Test {

  private static final String PORTS = "lacis.tcp.ports";

  @AfterEach
  void reset() {
    System.clearProperty(TcpJobs.INTERFACE);
    System.clearProperty(PORTS);
  }

  private static void listenAt(String where) {
    System.setProperty(TcpJobs.INTERFACE, where);
  }

  @Test
  void ranksMeetAtAnAddressOfTheSixthVersion() throws Exception {
    assumeTrue(NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null, "no IPv6");
    listenAt("::1");
    talk("tcp at 0:0:0:0:0:0:0:1,");
  }

  @Test
  void ranksMeetInASubnet() {
    listenAt("127.0.0.0/8");
    talk("tcp at 127.0.0.1,");
  }

  @Test
  void ranksMeetOnAnInterface() throws Exception {
    listenAt(NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1")).getName());
    talk("tcp at 127.0.0.1,");
  }

  private static void talk(String description) {
    try (Job job = TcpJobs.open(3, Job.OPTIONS)) {
      assertThat(job.rank(0).info().toString()).contains(description);
      Talk.check(job, 0, 2);
      Talk.check(job, 2, 1);
    }
  }

  @Test
  void anAddressThatIsNotOfThisMachineIsExplained() {
    listenAt("192.0.2.77");
    assertThatThrownBy(() -> TcpJobs.open(2, Job.OPTIONS))
        .isInstanceOf(LacisException.class)
        .hasMessageContaining("no address of this machine fits lacis.tcp.interface=192.0.2.77")
        .hasMessageContaining("; there are: ")
        .hasMessageContaining(" 127.0.0.1");
  }

  @Test
  void portsThatDoNotDoForAllRanksAreExplained() throws IOException {
    listenAt("127.0.0.1");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      System.setProperty(PORTS, port);
      assertThatThrownBy(() -> TcpJobs.open(2, Job.OPTIONS))
          .isInstanceOf(LacisException.class)
          .hasMessageContaining("cannot listen at 127.0.0.1, lacis.tcp.ports=" + port)
          .hasMessageContaining("each rank of a host needs a port");
    }
  }
}
