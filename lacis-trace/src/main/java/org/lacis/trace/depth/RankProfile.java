package org.lacis.trace.depth;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.CallType;

/** What was seen of one rank. */
final class RankProfile {
  /** More different tags than this are counted together. */
  static final int MAX_TAGS = 4096;

  final int rank;
  final long[] calls = new long[CallType.COUNT];
  final long[] receives = new long[Wildcards.COUNT];
  final List<BinsProfile> bins = new ArrayList<>();

  /** Pairs of source and tag of receives. */
  NumberSet pairs = new NumberSet();

  NumberSet tags = new NumberSet();

  /** Messages sent, by tag, and by the rank they go to. */
  final TreeMap<Integer, Long> sentByTag = new TreeMap<>();

  final TreeMap<Integer, Long> sentByPeer = new TreeMap<>();

  /** Messages sent in communicators whose ranks have other numbers. */
  long sentElsewhere;

  /** Sends to nobody; receives from nobody that the recorder tells from others. */
  long sentToNobody;

  long receivedFromNobody;

  TimeLine depth = new TimeLine();

  /** The most receives that were posted at the same time. */
  int mostPosted;

  long points;

  /** Nanoseconds from the first call to the last one. */
  long time;

  /** Where reading ended, if the file is damaged. */
  @Nullable String damage;

  RankProfile(int rank) {
    this.rank = rank;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(rank);
    for (long count : calls) {
      out.writeLong(count);
    }
    for (long count : receives) {
      out.writeLong(count);
    }
    out.writeInt(bins.size());
    for (BinsProfile profile : bins) {
      profile.write(out);
    }
    pairs.write(out);
    tags.write(out);
    write(sentByTag, out);
    write(sentByPeer, out);
    out.writeLong(sentElsewhere);
    out.writeLong(sentToNobody);
    out.writeLong(receivedFromNobody);
    depth.write(out);
    out.writeInt(mostPosted);
    out.writeLong(points);
    out.writeLong(time);
    out.writeUTF(damage == null ? "" : damage);
  }

  static RankProfile read(DataInput in) throws IOException {
    var profile = new RankProfile(in.readInt());
    for (int i = 0; i < profile.calls.length; i++) {
      profile.calls[i] = in.readLong();
    }
    for (int i = 0; i < profile.receives.length; i++) {
      profile.receives[i] = in.readLong();
    }
    for (int left = in.readInt(); left > 0; left--) {
      profile.bins.add(BinsProfile.read(in));
    }
    profile.pairs = NumberSet.read(in);
    profile.tags = NumberSet.read(in);
    read(profile.sentByTag, in);
    read(profile.sentByPeer, in);
    profile.sentElsewhere = in.readLong();
    profile.sentToNobody = in.readLong();
    profile.receivedFromNobody = in.readLong();
    profile.depth = TimeLine.read(in);
    profile.mostPosted = in.readInt();
    profile.points = in.readLong();
    profile.time = in.readLong();
    String damage = in.readUTF();
    profile.damage = damage.isEmpty() ? null : damage;
    return profile;
  }

  private static void write(TreeMap<Integer, Long> map, DataOutput out) throws IOException {
    out.writeInt(map.size());
    for (var entry : map.entrySet()) {
      out.writeInt(entry.getKey());
      out.writeLong(entry.getValue());
    }
  }

  private static void read(TreeMap<Integer, Long> map, DataInput in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      map.put(in.readInt(), in.readLong());
    }
  }
}
