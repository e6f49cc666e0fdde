package org.lacis.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.replay.Arrivals;
import org.lacis.trace.replay.ReplayOptions;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How traces are played again: the options that commands have in common. */
final class ReplayChoice {
  @Option(
      names = "--block",
      paramLabel = "N",
      description = "How many messages the engine blocks matches at once (default: 32).")
  private int block = 32;

  @Option(
      names = "--block-threads",
      paramLabel = "N",
      description = "How many threads match a block (default: 2).")
  private int threads = 2;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description =
          "Messages take times drawn at random, instead of those the trace suggests; the same seed"
              + " gives the same run.")
  private @Nullable Long seed;

  @Option(
      names = "--latency",
      paramLabel = "NANOS",
      description = "With --seed: how long a message takes at least (default: 1000).")
  private @Nullable Long latency;

  @Option(
      names = "--jitter",
      paramLabel = "NANOS",
      description = "With --seed: how much longer it may take (default: 5000).")
  private @Nullable Long jitter;

  /**
   * The options.
   *
   * @throws ParameterException if one is wrong
   */
  ReplayOptions options(CommandLine command) {
    if (seed == null && (latency != null || jitter != null)) {
      throw new ParameterException(
          command, "--latency and --jitter are of the model, which needs --seed");
    }
    try {
      Arrivals arrivals =
          seed == null
              ? new Arrivals.Times()
              : new Arrivals.Model(
                  seed,
                  Objects.requireNonNullElse(latency, 1000L),
                  Objects.requireNonNullElse(jitter, 5000L));
      return new ReplayOptions(arrivals, block, threads);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }
}
