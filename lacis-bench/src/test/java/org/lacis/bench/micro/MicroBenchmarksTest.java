package org.lacis.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark of a part runs. How quickly is not asked. */
class MicroBenchmarksTest {
  @Test
  void everyBenchmarkRuns() throws Exception {
    var options =
        new OptionsBuilder()
            .include("org.lacis.bench.micro.*")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(20))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    var names =
        new Runner(options)
            .run().stream()
                .map(result -> result.getPrimaryResult().getLabel())
                .collect(Collectors.toSet());
    assertThat(names)
        .containsExactlyInAnyOrder(
            "packetPool",
            "completionQueue",
            "synchronizer",
            "graph",
            "matcher",
            "expected",
            "unexpected",
            "blocks",
            "header",
            "tcpFrame");
  }
}
