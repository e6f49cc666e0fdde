package org.lacis.trace.depth;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The posted receives of one rank, in bins: each is in a table by its wildcards. There is a set of
 * tables for each number of bins. A receive has a place, which its user notes. Not thread-safe.
 */
final class PostedTables {
  static final int ANY = -1;

  private final DepthOptions options;
  private final RankProfile profile;
  private final PointWriter.@Nullable Rank points;
  private final BinTable[][] tables;

  private int[] hashes = new int[16];
  private Wildcards[] wildcards = new Wildcards[16];
  private boolean[] posted = new boolean[16];
  private boolean[] persistent = new boolean[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;
  private int depth;

  PostedTables(DepthOptions options, RankProfile profile, PointWriter.@Nullable Rank points) {
    this.options = options;
    this.profile = profile;
    this.points = points;
    tables = new BinTable[options.bins().size()][Wildcards.COUNT];
    for (int i = 0; i < tables.length; i++) {
      int bins = options.bins().get(i);
      for (int k = 0; k < Wildcards.COUNT; k++) {
        // Receives of anything are in a plain list.
        tables[i][k] = new BinTable(k == Wildcards.BOTH.ordinal() ? 1 : bins);
      }
      profile.bins.add(new BinsProfile(bins));
    }
  }

  /** A place for a receive, which is not posted yet. */
  int place(int source, int tag, int comm, boolean isPersistent) {
    int place = freeCount > 0 ? free[--freeCount] : used++;
    if (place == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * place);
      wildcards = Arrays.copyOf(wildcards, 2 * place);
      posted = Arrays.copyOf(posted, 2 * place);
      persistent = Arrays.copyOf(persistent, 2 * place);
      free = Arrays.copyOf(free, 2 * place);
    }
    wildcards[place] = Wildcards.of(source < 0, tag == ANY);
    hashes[place] = options.hash().hash(Math.max(source, 0), tag == ANY ? 0 : tag, comm);
    persistent[place] = isPersistent;
    return place;
  }

  /** Gives a place back; a receive that is posted there is complete. */
  void release(int place) {
    if (posted[place]) {
      complete(place);
    }
    free[freeCount++] = place;
  }

  boolean isPosted(int place) {
    return posted[place];
  }

  boolean isPersistent(int place) {
    return persistent[place];
  }

  Wildcards wildcards(int place) {
    return wildcards[place];
  }

  /** How many are posted. */
  int depth() {
    return depth;
  }

  /** Posts the receive at a place, at a time in nanoseconds since the first call. */
  void post(int place, long time) {
    int hash = hashes[place];
    int kind = wildcards[place].ordinal();
    for (int i = 0; i < tables.length; i++) {
      BinsProfile bins = profile.bins.get(i);
      BinTable table = tables[i][kind];
      int met = table.add(hash);
      if (met > 0) {
        bins.collisions[kind]++;
        bins.sums[kind] += met;
      }
      if (kind == 0) {
        bins.leastEmpty = Math.min(bins.leastEmpty, table.empty());
        if (points != null) {
          points.empty(i, table.empty());
        }
      }
    }
    posted[place] = true;
    depth++;
    profile.mostPosted = Math.max(profile.mostPosted, depth);
    profile.depth.add(time, depth);
  }

  void complete(int place) {
    for (BinTable[] row : tables) {
      row[wildcards[place].ordinal()].remove(hashes[place]);
    }
    posted[place] = false;
    depth--;
  }

  /** Notes how deep the tables are, at a time in nanoseconds since the first call. */
  void point(long time) {
    profile.points++;
    profile.depth.add(time, depth);
    for (int i = 0; i < tables.length; i++) {
      BinsProfile bins = profile.bins.get(i);
      BinTable table = tables[i][Wildcards.NONE.ordinal()];
      int longest = Math.max(table.longest() - 1, 0);
      bins.points.add(longest);
      bins.greatest = Math.max(bins.greatest, longest);
      if (points != null) {
        points.depth(i, longest, table.empty());
      }
    }
    if (points != null) {
      points.write(time, depth, profile);
    }
  }
}
