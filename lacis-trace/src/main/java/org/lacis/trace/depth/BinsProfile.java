package org.lacis.trace.depth;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What was seen of one rank with one number of bins. */
final class BinsProfile {
  final int bins;
  final Series points;

  /** Receives that met others in their bin, and how many those were in all, by wildcards. */
  final long[] collisions = new long[Wildcards.COUNT];

  final long[] sums = new long[Wildcards.COUNT];

  /** Of the table of receives without wildcards: the fullest bin, less one. */
  int greatest;

  /** The least empty bins there were. */
  int leastEmpty;

  BinsProfile(int bins) {
    this(bins, new Series());
  }

  private BinsProfile(int bins, Series points) {
    this.bins = bins;
    this.points = points;
    leastEmpty = bins;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(bins);
    points.write(out);
    for (int i = 0; i < Wildcards.COUNT; i++) {
      out.writeLong(collisions[i]);
      out.writeLong(sums[i]);
    }
    out.writeInt(greatest);
    out.writeInt(leastEmpty);
  }

  static BinsProfile read(DataInput in) throws IOException {
    var profile = new BinsProfile(in.readInt(), Series.read(in));
    for (int i = 0; i < Wildcards.COUNT; i++) {
      profile.collisions[i] = in.readLong();
      profile.sums[i] = in.readLong();
    }
    profile.greatest = in.readInt();
    profile.leastEmpty = in.readInt();
    return profile;
  }
}
