package org.lacis.trace.depth;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lacis.trace.CallType;

/** What was seen of a trace: counts, and how deep its queues of posted receives are. */
public final class TraceProfile {
  /**
   * What was seen with one number of bins.
   *
   * @param bins how many
   * @param greatest others that a receive without wildcards may have found in its bin, at most: the
   *     "maximum queue depth" of the article
   * @param average the largest, over all points, of the mean over ranks of that: the article's
   *     "average"
   * @param collisions receives without wildcards that met others in their bin
   * @param met how many others they met, in all
   * @param leastEmpty the least share of empty bins there was in any rank
   */
  public record Depth(
      int bins, int greatest, double average, long collisions, long met, double leastEmpty) {}

  /**
   * Messages of one tag.
   *
   * @param messages in all
   * @param byRanks those that ranks have sent, in groups of {@link #ranksPerGroup()} ranks
   */
  public record TagCount(int tag, long messages, List<Long> byRanks) {}

  private final ProfileMerger from;

  TraceProfile(ProfileMerger from) {
    this.from = from;
  }

  /** What the trace is called. */
  public String name() {
    return from.name;
  }

  /** How many ranks the program had. */
  public int size() {
    return from.size;
  }

  /** How many ranks were read. */
  public int ranks() {
    return from.ranks;
  }

  /** What was emulated. */
  public DepthOptions options() {
    return from.options;
  }

  /** How often a call was made. */
  public long calls(CallType type) {
    return from.calls[type.id()];
  }

  /** All calls. */
  public long calls() {
    return LongStream.of(from.calls).sum();
  }

  /** Calls that send or receive messages between two ranks. */
  public long pointToPoint() {
    return count(from.options.scope()::isPointToPoint);
  }

  /** Collective calls. */
  public long collectives() {
    return count(from.options.scope()::isCollective);
  }

  /** Puts, gets and accumulations. */
  public long oneSided() {
    return count(from.options.scope()::isOneSided);
  }

  /** The share of calls between two ranks, of those that communicate, in percent. */
  public double pointToPointPercent() {
    long all = pointToPoint() + collectives() + oneSided();
    return all == 0 ? 0 : 100.0 * pointToPoint() / all;
  }

  /** Receives, by wildcards. */
  public long receives(Wildcards wildcards) {
    return from.receives[wildcards.ordinal()];
  }

  /** All receives. */
  public long receives() {
    return LongStream.of(from.receives).sum();
  }

  /** Different pairs of source and tag among the receives. */
  public int uniquePairs() {
    return from.pairs.size();
  }

  /** Different tags. */
  public int uniqueTags() {
    return from.tags.size();
  }

  /** The most receives that a rank had posted at the same time. */
  public int mostPosted() {
    return from.mostPosted;
  }

  /** Points at which depths were noted, of all ranks. */
  public long points() {
    return from.points;
  }

  /** Nanoseconds that the rank took that took longest. */
  public long time() {
    return from.time;
  }

  /** By number of bins, in the order of the options. */
  public List<Depth> depths() {
    List<Depth> depths = new ArrayList<>();
    for (int i = 0; i < from.options.bins().size(); i++) {
      depths.add(from.depth(i));
    }
    return depths;
  }

  /** The most receives any rank had posted, in equal parts of the time. */
  public List<Integer> depthOverTime() {
    return from.depthOverTime();
  }

  /** How many ranks make a group, in what is shown by ranks. */
  public int ranksPerGroup() {
    return from.ranksPerGroup;
  }

  /** Messages sent: from a group of ranks (rows) to a group of ranks. */
  public List<List<Long>> peers() {
    return Stream.of(from.peers).map(row -> LongStream.of(row).boxed().toList()).toList();
  }

  /** Messages in communicators whose ranks have other numbers than the world's. */
  public long sentElsewhere() {
    return from.sentElsewhere;
  }

  /** Sends to nobody ({@code MPI_PROC_NULL}). */
  public long sentToNobody() {
    return from.sentToNobody;
  }

  /**
   * Receives from nobody, which are not among {@link #receives()}. MPICH records them as receives
   * of any source: such ones are counted as those.
   */
  public long receivedFromNobody() {
    return from.receivedFromNobody;
  }

  /** The tags with most messages, those with most first. */
  public List<TagCount> tags(int most) {
    return from.byTag.entrySet().stream()
        .map(TraceProfile::tagCount)
        .sorted(
            Comparator.comparingLong(TagCount::messages).reversed().thenComparingInt(TagCount::tag))
        .limit(most)
        .toList();
  }

  /** What is wrong with the trace. */
  public List<String> problems() {
    return List.copyOf(from.problems);
  }

  private static TagCount tagCount(Map.Entry<Integer, long[]> entry) {
    long[] groups = entry.getValue();
    return new TagCount(
        entry.getKey(), LongStream.of(groups).sum(), LongStream.of(groups).boxed().toList());
  }

  private long count(Predicate<CallType> wanted) {
    long sum = 0;
    for (int id = 0; id < CallType.COUNT; id++) {
      CallType type = CallType.of(id);
      if (type != null && wanted.test(type)) {
        sum += from.calls[id];
      }
    }
    return sum;
  }
}
