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
import org.lacis.trace.depth.ProfileCache;
import org.lacis.trace.depth.Scope;
import org.lacis.trace.depth.TraceProfile;
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
    DepthOptions options = options(command);
    ProfileCache known =
        noCache ? null : new ProfileCache(cache == null ? ProfileCache.usualFolder() : cache);
    PrintWriter err = command.getErr();
    List<TraceProfile> profiles = new ArrayList<>();
    for (Path path : paths) {
      var trace = Traces.open(path);
      TraceProfile profile =
          DepthAnalysis.run(trace, options, known, threads, ProgressBar.on(err, trace.name()));
      if (profile.problems().isEmpty() || partial) {
        profiles.add(profile);
      }
      profile.problems().forEach(problem -> err.println("lacis: " + problem));
      if (!profile.problems().isEmpty() && !partial) {
        err.println(
            "lacis: " + trace.name() + " is left out; with --partial what can be read counts");
      }
    }
    err.flush();
    return profiles;
  }

  private DepthOptions options(CommandLine command) {
    try {
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
