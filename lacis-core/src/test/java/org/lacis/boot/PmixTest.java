package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.net.Probe;

/** What we say about libpmix, compared with what its header says. */
@Timeout(60)
class PmixTest {
  private static final String PROGRAM =
      """
      #include <pmix.h>
      #include <stddef.h>
      #include <stdio.h>
      int main(void) {
        printf("%zu %zu %zu %zu %zu %zu ", sizeof(pmix_proc_t), offsetof(pmix_proc_t, rank),
            sizeof(pmix_value_t), offsetof(pmix_value_t, data),
            sizeof(pmix_info_t), offsetof(pmix_info_t, value));
        printf("%d %d %d %d %d %s %s", PMIX_BOOL, PMIX_STRING, PMIX_UINT32, PMIX_GLOBAL,
            PMIX_ERR_LOST_CONNECTION, PMIX_COLLECT_DATA, PMIX_JOB_SIZE);
        return 0;
      }
      """;

  @TempDir Path folder;

  @Test
  void structuresAndNumbersAreThoseOfTheHeader() throws Exception {
    Path include = include();
    assumeTrue(include != null, "there is no pmix.h (package libpmix-dev)");
    Path source = Files.writeString(folder.resolve("offsets.c"), PROGRAM);
    Path program = folder.resolve("offsets");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no gcc");
    assertThat(run("/usr/bin/gcc", "-I" + include, "-o", program.toString(), source.toString()))
        .isEmpty();
    assertThat(run(program.toString()))
        .isEqualTo(
            "%d %d %d %d %d %d "
                    .formatted(
                        Pmix.PROC_BYTES,
                        Pmix.PROC_RANK,
                        Pmix.VALUE_BYTES,
                        Pmix.VALUE_DATA,
                        Pmix.INFO_BYTES,
                        Pmix.INFO_VALUE)
                + "1 3 14 3 -61 pmix.collect pmix.job.size");
  }

  private static @Nullable Path include() {
    for (String folder :
        List.of("/usr/include", "/usr/lib/x86_64-linux-gnu/pmix2/include", "/usr/local/include")) {
      if (Files.exists(Path.of(folder, "pmix.h"))) {
        return Path.of(folder);
      }
    }
    return null;
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return text;
  }

  @Test
  void theLibraryIsThereOrTheReasonIsSaid() {
    switch (Pmix.probe()) {
      case Probe.Ready ready -> assertThat(ready.version()).isNotEmpty();
      case Probe.Missing missing -> assertThat(missing.why()).contains("package libpmix2");
    }
  }

  @Test
  void halfAnEnvironmentIsRefused() {
    List<String> messages = new ArrayList<>();
    for (Map<String, String> env :
        List.of(
            Map.of("PMIX_NAMESPACE", "job"),
            Map.of("PMIX_NAMESPACE", "job", "PMIX_RANK", "first"),
            Map.of("LACIS_LAUNCHER", "pmix"))) {
      assertThatThrownBy(() -> Boot.find(env))
          .isInstanceOf(BootException.class)
          .satisfies(e -> messages.add(e.getMessage()));
    }
    assertThat(messages.get(0)).contains("has PMIX_NAMESPACE and no PMIX_RANK");
    assertThat(messages.get(1)).contains("PMIX_RANK holds \"first\"");
    assertThat(messages.get(2)).contains("no PMIX_NAMESPACE and no PMIX_RANK");
  }
}
