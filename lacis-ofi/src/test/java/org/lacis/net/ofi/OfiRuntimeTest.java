package org.lacis.net.ofi;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.lacis.LacisOptions;
import org.lacis.testkit.Job;
import org.lacis.testkit.RuntimeContract;

class OfiRuntimeTest {

  private abstract static class OnLibfabric extends RuntimeContract {
    private final String provider;

    OnLibfabric(String provider) {
      this.provider = provider;
    }

    @Override
    public Job open(int ranks, LacisOptions options) {
      return Providers.openJob(ranks, options, provider);
    }

    @Override
    public boolean packetsStayOut() {
      return false;
    }
  }

  /** With real processes in the module of the command, and all of it with {@code -Plong}. */
  @Nested
  @EnabledIfSystemProperty(named = "lacis.long", matches = "true")
  class Tcp extends OnLibfabric {
    Tcp() {
      super("tcp");
    }
  }

  @Nested
  class Shm extends OnLibfabric {
    Shm() {
      super("shm");
    }
  }
}
