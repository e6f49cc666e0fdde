package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lacis.cli.LauncherRun.run;

import java.util.ServiceLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.net.Network;
import org.lacis.net.Probe;

/** The network of libfabric between real processes. */
class OfiProcessesTest {

  @BeforeEach
  void libfabricIsHere() {
    assumeTrue(libfabric().isEmpty(), libfabric());
  }

  /** Why libfabric cannot be used here; empty if it can. */
  static String libfabric() {
    OfiProcessesTest.class.getModule().addUses(Network.class);
    Probe probe =
        ServiceLoader.load(ModuleLayer.boot(), Network.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(network -> network.name().equals("ofi"))
            .map(Network::probe)
            .findFirst()
            .orElseGet(() -> new Probe.Missing("no network is named ofi"));
    return probe instanceof Probe.Missing missing ? missing.why() : "";
  }

  private static LauncherRun start(String provider, int ranks, String program, String... more)
      throws Exception {
    String[] arguments = new String[7 + more.length];
    arguments[0] = "-n";
    arguments[1] = Integer.toString(ranks);
    arguments[2] = "--net";
    arguments[3] = "ofi";
    arguments[4] = "--env";
    arguments[5] = "LACIS_OFI_PROVIDER=" + provider;
    arguments[6] = LauncherRun.program("runtime/" + program);
    System.arraycopy(more, 0, arguments, 7, more.length);
    return run(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "shm"})
  void ranksTalkByEveryProtocolAndEnd(String provider) throws Exception {
    try (LauncherRun run = start(provider, 3, "AllToAll.java", "4", "70000")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .hasSize(3)
          .allMatch(line -> line.contains("is content with libfabric"));
    }
  }

  @Test
  void aRankThatClosesIsMissed() throws Exception {
    try (LauncherRun run = start("tcp", 3, "Leaves.java")) {
      assertThat(run.exitCode()).as(run::dump).isZero();
      assertThat(run.outLines())
          .containsExactlyInAnyOrder(
              "rank 0 misses rank 1 and nobody else", "rank 2 misses rank 1 and nobody else");
    }
  }

  /** Not with shm: of a process that dies libfabric leaves its shared memory. */
  @Test
  void aRankThatDiesIsMissed() throws Exception {
    try (LauncherRun run =
        run(
            "-n",
            "3",
            "--keep-going",
            "--net",
            "ofi",
            "--env",
            "LACIS_OFI_PROVIDER=tcp",
            LauncherRun.program("runtime/Dies.java"))) {
      assertThat(run.exitCode()).as(run::dump).isEqualTo(1);
      assertThat(run.outLines())
          .containsExactlyInAnyOrder("rank 0 misses rank 1", "rank 2 misses rank 1");
    }
  }

  @Test
  void aProviderThatIsNotThereIsExplained() throws Exception {
    try (LauncherRun run = start("nosuch", 1, "Greets.java")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("has no provider nosuch").contains("lacis.ofi.provider");
    }
  }
}
