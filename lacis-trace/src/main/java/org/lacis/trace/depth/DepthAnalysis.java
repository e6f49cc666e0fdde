package org.lacis.trace.depth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.TraceException;

/**
 * Analyses a trace, several ranks at once. No more of a trace is in memory than what its ranks that
 * are just being read have posted.
 */
public final class DepthAnalysis {
  private static final int CALLS_PER_REPORT = 1 << 14;

  private final Trace trace;
  private final DepthOptions options;
  private final @Nullable ProfileCache cache;
  private final @Nullable PointWriter points;
  private final Progress progress;
  private final ProfileMerger merger;
  private final long allBytes;
  private long doneBytes;

  private DepthAnalysis(
      Trace trace,
      DepthOptions options,
      @Nullable ProfileCache cache,
      @Nullable PointWriter points,
      Progress progress)
      throws IOException {
    this.trace = trace;
    this.points = points;
    this.options = options;
    this.cache = cache;
    this.progress = progress;
    merger = new ProfileMerger(trace, options);
    long sum = 0;
    for (RankTrace rank : trace.ranks()) {
      sum += Files.size(rank.file());
    }
    allBytes = sum;
  }

  /**
   * Analyses a trace. Where a file is damaged, what precedes counts, and {@link
   * TraceProfile#problems} tells of it.
   *
   * @param cache what is known already, and where what is seen is kept; null for none
   * @param threads how many ranks are read at once
   */
  public static TraceProfile run(
      Trace trace,
      DepthOptions options,
      @Nullable ProfileCache cache,
      int threads,
      Progress progress)
      throws IOException {
    return run(trace, options, cache, null, threads, progress);
  }

  /**
   * The same, with every point written down. What is known already is of no use for that: all is
   * read.
   *
   * @param points where; null for nowhere
   */
  public static TraceProfile run(
      Trace trace,
      DepthOptions options,
      @Nullable ProfileCache cache,
      @Nullable PointWriter points,
      int threads,
      Progress progress)
      throws IOException {
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads: there must be 1 or more");
    }
    return new DepthAnalysis(trace, options, cache, points, progress).run(threads);
  }

  private TraceProfile run(int threads) throws IOException {
    // The largest first, so that none is left alone at the end.
    List<RankTrace> ranks = new ArrayList<>(trace.ranks());
    ranks.sort(Comparator.comparingLong(DepthAnalysis::size).reversed());
    try (var workers = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> parts = new ArrayList<>();
      for (RankTrace rank : ranks) {
        parts.add(
            workers.submit(
                () -> {
                  analyse(rank);
                  return null;
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof UncheckedIOException failure) {
        throw failure.getCause();
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return new TraceProfile(merger);
  }

  private void analyse(RankTrace rank) throws IOException {
    RankProfile known = cache == null || points != null ? null : cache.find(rank, options);
    if (known != null) {
      merge(known);
      advance(size(rank));
      return;
    }
    var depth =
        new RankDepth(
            rank.rank(),
            options,
            points == null ? null : points.rank(trace.name(), rank.rank(), options));
    var reported = new long[2];
    @Nullable String damage = null;
    try {
      rank.read(
          call -> {
            depth.call(call);
            if (++reported[0] % CALLS_PER_REPORT == 0) {
              // Of a compressed file the place is that of what is in it.
              long at = Math.min(call.offset(), size(rank));
              advance(at - reported[1]);
              reported[1] = at;
            }
          });
    } catch (TraceException e) {
      damage = e.getMessage();
    }
    RankProfile profile = depth.finish();
    profile.damage = damage;
    if (cache != null && damage == null) {
      cache.store(rank, options, profile);
    }
    merge(profile);
    advance(size(rank) - reported[1]);
  }

  private synchronized void merge(RankProfile profile) {
    merger.add(profile);
  }

  private synchronized void advance(long bytes) {
    doneBytes += bytes;
    progress.at(doneBytes, allBytes);
  }

  private static long size(RankTrace rank) {
    try {
      return Files.size(rank.file());
    } catch (IOException e) {
      return 0;
    }
  }
}
