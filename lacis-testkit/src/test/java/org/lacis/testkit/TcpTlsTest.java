package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lacis.LacisOptions;

/** Everything that tcp promises holds in TLS, too. */
class TcpTlsTest {

  private static final String TLS = "lacis.tcp.tls";

  /** What is opened meanwhile is encrypted. */
  private static <T> T encrypted(Supplier<T> opening) {
    System.setProperty(TLS, "true");
    try {
      return opening.get();
    } finally {
      System.clearProperty(TLS);
    }
  }

  private static Job job(int ranks, LacisOptions options) {
    return encrypted(() -> TcpJobs.open(ranks, options));
  }

  @Test
  void theRuntimeSaysThatItIsEncrypted() {
    try (Job job = job(2, Job.OPTIONS)) {
      assertThat(job.rank(0).info().toString()).contains("TLS 1.3");
      Talk.check(job, 0, 1);
    }
  }

  @Nested
  class AsANetwork extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      // Opening takes a handshake for each pair, and more pairs show nothing that few do not.
      assumeTrue(ranks <= 2 || Boolean.getBoolean("lacis.long"), "only with -Plong");
      return encrypted(() -> LocalFabric.open(ranks, rank -> TcpJobs.network()));
    }
  }

  /** The part of the runtime's contract in which most bytes move, and in which connections end. */
  @Nested
  class AsARuntime
      implements RuntimeOperations,
          RuntimeListTransfers,
          RuntimeDevices,
          RuntimeAtomics,
          RuntimeClosing {
    @Override
    public Job open(int ranks, LacisOptions options) {
      return job(ranks, options);
    }
  }

  @Nested
  class AtRandom extends ModelTest {
    AtRandom() {
      super(5_000);
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return job(ranks, options);
    }
  }
}
