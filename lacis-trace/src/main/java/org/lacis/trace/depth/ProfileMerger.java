package org.lacis.trace.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.lacis.trace.CallType;
import org.lacis.trace.Trace;

/** Puts together what was seen of ranks, in whatever order they come. Not thread-safe. */
final class ProfileMerger {
  private static final int GROUPS = 64;
  private static final int PARTS_OF_TIME = 200;

  final String name;
  final int size;
  final DepthOptions options;
  final int ranksPerGroup;
  final long[] calls = new long[CallType.COUNT];
  final long[] receives = new long[Wildcards.COUNT];
  final NumberSet pairs = new NumberSet();
  final NumberSet tags = new NumberSet();
  final long[][] peers;
  final Map<Integer, long[]> byTag = new TreeMap<>();
  final List<String> problems;
  int ranks;
  int mostPosted;
  long points;
  long time;
  long sentElsewhere;
  long sentToNobody;
  long receivedFromNobody;

  private final int[][] sums;

  /** How many ranks have so many points, at the place of that number. */
  private final TreeMap<Integer, Integer> withPoints = new TreeMap<>();

  private final BinsProfile[] bins;
  private final List<TimeLine> lines = new ArrayList<>();

  ProfileMerger(Trace trace, DepthOptions options) {
    name = trace.name();
    size = trace.size();
    this.options = options;
    problems = new ArrayList<>(trace.warnings());
    ranksPerGroup = (size + GROUPS - 1) / GROUPS;
    int groups = (size + ranksPerGroup - 1) / ranksPerGroup;
    peers = new long[groups][groups];
    sums = new int[options.bins().size()][];
    Arrays.fill(sums, new int[0]);
    bins = new BinsProfile[sums.length];
    for (int i = 0; i < bins.length; i++) {
      bins[i] = new BinsProfile(options.bins().get(i));
    }
  }

  void add(RankProfile rank) {
    ranks++;
    for (int i = 0; i < calls.length; i++) {
      calls[i] += rank.calls[i];
    }
    for (int i = 0; i < receives.length; i++) {
      receives[i] += rank.receives[i];
    }
    pairs.addAll(rank.pairs);
    tags.addAll(rank.tags);
    mostPosted = Math.max(mostPosted, rank.mostPosted);
    points += rank.points;
    time = Math.max(time, rank.time);
    sentElsewhere += rank.sentElsewhere;
    sentToNobody += rank.sentToNobody;
    receivedFromNobody += rank.receivedFromNobody;
    if (rank.damage != null) {
      problems.add(rank.damage);
    }
    lines.add(rank.depth);
    for (int i = 0; i < bins.length; i++) {
      add(bins[i], rank.bins.get(i));
      Series series = rank.bins.get(i).points;
      if (series.length() > sums[i].length) {
        sums[i] = Arrays.copyOf(sums[i], series.length());
      }
      series.addTo(sums[i]);
    }
    withPoints.merge(rank.bins.getFirst().points.length(), 1, Integer::sum);
    messages(rank);
  }

  private static void add(BinsProfile all, BinsProfile one) {
    for (int i = 0; i < Wildcards.COUNT; i++) {
      all.collisions[i] += one.collisions[i];
      all.sums[i] += one.sums[i];
    }
    all.greatest = Math.max(all.greatest, one.greatest);
    all.leastEmpty = Math.min(all.leastEmpty, one.leastEmpty);
  }

  private void messages(RankProfile rank) {
    int group = Math.min(rank.rank / ranksPerGroup, peers.length - 1);
    rank.sentByPeer.forEach(
        (peer, count) -> {
          if (peer < size) {
            peers[group][peer / ranksPerGroup] += count;
          }
        });
    rank.sentByTag.forEach(
        (tag, count) -> {
          if (byTag.size() < RankProfile.MAX_TAGS || byTag.containsKey(tag)) {
            byTag.computeIfAbsent(tag, t -> new long[peers.length])[group] += count;
          }
        });
  }

  TraceProfile.Depth depth(int at) {
    BinsProfile all = bins[at];
    return new TraceProfile.Depth(
        all.bins,
        all.greatest,
        average(sums[at]),
        all.collisions[Wildcards.NONE.ordinal()],
        all.sums[Wildcards.NONE.ordinal()],
        (double) all.leastEmpty / all.bins);
  }

  /** The largest mean; a rank that has ended counts no more. */
  private double average(int[] sum) {
    double largest = 0;
    int left = ranks;
    int from = 0;
    for (var entry : withPoints.entrySet()) {
      for (int i = from; i < entry.getKey(); i++) {
        largest = Math.max(largest, (double) sum[i] / left);
      }
      from = entry.getKey();
      left -= entry.getValue();
    }
    return largest;
  }

  List<Integer> depthOverTime() {
    int[] parts = new int[PARTS_OF_TIME];
    long longest = lines.stream().mapToLong(TimeLine::span).max().orElse(0);
    if (longest > 0) {
      lines.forEach(line -> line.raise(parts, longest));
    }
    return IntStream.of(parts).boxed().toList();
  }
}
