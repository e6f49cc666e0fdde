package org.lacis.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.Traces;
import org.lacis.trace.depth.BinHash;
import org.lacis.trace.depth.DepthAnalysis;
import org.lacis.trace.depth.DepthOptions;
import org.lacis.trace.depth.PointWriter;
import org.lacis.trace.depth.ProfileCache;
import org.lacis.trace.depth.Scope;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.replay.Replay;
import org.lacis.trace.replay.ReplayOptions;
import org.lacis.trace.replay.ReplayResult;
import org.lacis.trace.report.Analysis;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How traces are analysed: the options that commands have in common. */
final class TraceOptions {
  @Option(
      names = "--bins",
      split = ",",
      paramLabel = "N,…",
      description = "Numbers of bins to emulate (default: 1 to 256, the powers of two).")
  private List<Integer> bins = new ArrayList<>();

  @Option(
      names = "--hash",
      paramLabel = "HASH",
      description = "How receives are given to bins: ${COMPLETION-CANDIDATES} (default: PEARSON).")
  private BinHash hash = BinHash.PEARSON;

  @Option(
      names = "--paper",
      description = "Count only those calls that the published analyzer knows, as it does.")
  private boolean paper;

  @Option(
      names = "--partial",
      description = "Go on with what can be read if files are damaged or missing.")
  private boolean partial;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many ranks to read at once (default: as many as there are processors).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--cache",
      paramLabel = "FOLDER",
      description = "Where to keep what was seen of files (default: the user's cache).")
  private @Nullable Path cache;

  @Option(names = "--no-cache", description = "Read everything anew, and keep nothing.")
  private boolean noCache;

  /**
   * Analyses the traces; answers fewer if one is damaged, after saying so.
   *
   * @throws ParameterException if an option is wrong
   */
  List<TraceProfile> analyse(List<Path> paths, CommandLine command) throws IOException {
    return analyse(paths, command, null, null).stream().map(Analysis::profile).toList();
  }

  /**
   * Analyses the traces, and plays them again.
   *
   * @param replay how; null for not
   * @param pointFile where a line per data point is written; null for nowhere
   */
  List<Analysis> analyse(
      List<Path> paths,
      CommandLine command,
      @Nullable ReplayOptions replay,
      @Nullable Path pointFile)
      throws IOException {
    DepthOptions options = options(command);
    if (pointFile == null) {
      return analyse(paths, command, options, replay, null);
    }
    try (var points = PointWriter.open(pointFile, options)) {
      return analyse(paths, command, options, replay, points);
    }
  }

  private List<Analysis> analyse(
      List<Path> paths,
      CommandLine command,
      DepthOptions options,
      @Nullable ReplayOptions replay,
      @Nullable PointWriter points)
      throws IOException {
    ProfileCache known =
        noCache ? null : new ProfileCache(cache == null ? ProfileCache.usualFolder() : cache);
    PrintWriter err = command.getErr();
    List<Analysis> analyses = new ArrayList<>();
    for (Path path : paths) {
      var trace = Traces.open(path);
      TraceProfile profile =
          DepthAnalysis.run(
              trace, options, known, points, threads, ProgressBar.on(err, trace.name()));
      if (profile.problems().isEmpty() || partial) {
        ReplayResult played =
            replay == null
                ? null
                : Replay.run(trace, replay, known, ProgressBar.on(err, trace.name() + ", again"));
        analyses.add(new Analysis(profile, played));
      }
      profile.problems().forEach(problem -> err.println("lacis: " + problem));
      if (!profile.problems().isEmpty() && !partial) {
        err.println(
            "lacis: " + trace.name() + " is left out; with --partial what can be read counts");
      }
    }
    err.flush();
    return analyses;
  }

  private DepthOptions options(CommandLine command) {
    try {
      if (cache != null && cache.toString().isEmpty()) {
        throw new IllegalArgumentException("--cache: an empty name is no folder");
      }
      if (threads < 1) {
        throw new IllegalArgumentException("--threads " + threads + ": there must be 1 or more");
      }
      return new DepthOptions(
          bins.isEmpty() ? DepthOptions.DEFAULT_BINS : bins, hash, paper ? Scope.PAPER : Scope.ALL);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }
}
