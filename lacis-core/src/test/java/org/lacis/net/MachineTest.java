package org.lacis.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MachineTest {

  private static final int SELF = (int) ProcessHandle.current().pid();

  @Test
  void aProcessAloneHasTheCoresItMayUse() {
    assertThat(Machine.cores(SELF)).isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void coresOfAProcessThatIsGoneAreNotCounted() throws Exception {
    Process process = new ProcessBuilder("true").start();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(Machine.cores(SELF, (int) process.pid()))
        .isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void processesBoundToOneCoreEachHaveThoseTwo() throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two cores");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "needs taskset");
    Process first = bound(0);
    Process second = bound(1);
    try {
      assertThat(Machine.allowed(number(first), number(second)).stream()).containsExactly(0, 1);
      assertThat(Machine.allowed(number(first), number(first)).stream()).containsExactly(0);
      assertThat(Machine.allowed(number(second)).stream()).containsExactly(1);
    } finally {
      first.destroyForcibly();
      second.destroyForcibly();
    }
  }

  private static int number(Process process) {
    return (int) process.pid();
  }

  /** A process that tells when it runs, and so is bound, and then sleeps. */
  private static Process bound(int core) throws IOException {
    Process process =
        new ProcessBuilder(
                "/usr/bin/taskset", "-c", Integer.toString(core), "sh", "-c", "echo; exec sleep 60")
            .start();
    assertThat(process.getInputStream().read()).isEqualTo('\n');
    return process;
  }
}
