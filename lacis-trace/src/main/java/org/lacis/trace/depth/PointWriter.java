package org.lacis.trace.depth;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.lacis.trace.CallType;

/**
 * Writes a table with a line per point at which depths are noted. Lines of a rank are in their
 * order; those of ranks that are read at once are mixed. Several threads may write at once.
 */
public final class PointWriter implements Closeable {
  private static final int LINES = 1 << 15;

  private final BufferedWriter out;
  private final List<Integer> bins;

  private PointWriter(BufferedWriter out, List<Integer> bins) {
    this.out = out;
    this.bins = bins;
  }

  /** Starts a file. */
  public static PointWriter open(Path file, DepthOptions options) throws IOException {
    var writer = new PointWriter(Files.newBufferedWriter(file), options.bins());
    var head = new StringBuilder("trace,rank,point,seconds,posted,sends,receives_no_wildcard");
    head.append(",receives_any_source,receives_any_tag,receives_any_both");
    head.append(",p2p,collectives,one_sided");
    for (int n : options.bins()) {
      head.append(",collisions_%1$d,met_%1$d,max_%1$d,least_empty_%1$d".formatted(n));
    }
    writer.write(head.append('\n'));
    return writer;
  }

  private synchronized void write(StringBuilder lines) {
    try {
      out.append(lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** The points of a rank. */
  Rank rank(String trace, int rank, DepthOptions options) {
    return new Rank(trace, rank, options);
  }

  /** Makes lines of what has happened at a rank since the point before. Not thread-safe. */
  final class Rank {
    private final String start;
    private final Scope scope;
    private final StringBuilder lines = new StringBuilder();
    private final int[] longest = new int[bins.size()];
    private final int[] leastEmpty = new int[bins.size()];
    private final long[] collisions = new long[bins.size()];
    private final long[] met = new long[bins.size()];
    private final int[] empty = new int[bins.size()];
    private long sends;
    private long pointToPoint;
    private long collectives;
    private long oneSided;
    private final long[] receives = new long[Wildcards.COUNT];

    private Rank(String trace, int rank, DepthOptions options) {
      String name = trace.matches("[\\w .-]*") ? trace : '"' + trace.replace("\"", "\"\"") + '"';
      start = name + "," + rank + ",";
      scope = options.scope();
      for (int i = 0; i < leastEmpty.length; i++) {
        leastEmpty[i] = bins.get(i);
      }
    }

    /** A call was made. */
    void call(CallType type) {
      sends += scope.isSend(type) ? 1 : 0;
      pointToPoint += scope.isPointToPoint(type) ? 1 : 0;
      collectives += scope.isCollective(type) ? 1 : 0;
      oneSided += scope.isOneSided(type) ? 1 : 0;
    }

    /** So many bins were empty, at some time since the last point. */
    void empty(int at, int count) {
      leastEmpty[at] = Math.min(leastEmpty[at], count);
    }

    /** The fullest bin, less one, and the empty ones, at this point. */
    void depth(int at, int depth, int count) {
      longest[at] = depth;
      empty[at] = count;
      empty(at, count);
    }

    void write(long time, int posted, RankProfile profile) {
      lines.append(start).append(profile.points).append(',');
      lines.append(String.format(Locale.ROOT, "%.9f", time / 1e9)).append(',').append(posted);
      lines.append(',').append(sends);
      for (int i = 0; i < receives.length; i++) {
        lines.append(',').append(profile.receives[i] - receives[i]);
        receives[i] = profile.receives[i];
      }
      lines.append(',').append(pointToPoint).append(',').append(collectives);
      lines.append(',').append(oneSided);
      sends = 0;
      pointToPoint = 0;
      collectives = 0;
      oneSided = 0;
      int none = Wildcards.NONE.ordinal();
      for (int i = 0; i < longest.length; i++) {
        BinsProfile of = profile.bins.get(i);
        lines.append(',').append(of.collisions[none] - collisions[i]);
        lines.append(',').append(of.sums[none] - met[i]);
        lines.append(',').append(longest[i]);
        lines.append(',').append(String.format(Locale.ROOT, "%.4f", 1.0 * leastEmpty[i] / of.bins));
        collisions[i] = of.collisions[none];
        met[i] = of.sums[none];
        leastEmpty[i] = empty[i];
      }
      lines.append('\n');
      if (lines.length() > LINES) {
        finish();
      }
    }

    /** Writes what is left. */
    void finish() {
      PointWriter.this.write(lines);
      lines.setLength(0);
    }
  }
}
