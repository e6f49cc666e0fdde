package org.lacis.trace.replay;

/** What an engine did. */
final class Tally {
  long matched;
  long unexpected;
  int mostPosted;
  int mostUnexpected;

  /** Searches, and the entries that they looked at. */
  long searches;

  long attempts;
  long mostAttempts;

  /** Messages that arrived, and the receives that were posted then. */
  long arrivals;

  long postedThen;

  /** Receives that were posted, and the messages that waited then. */
  long posts;

  long unexpectedThen;

  long blocks;
  long optimistic;
  long conflicts;
  long fastPath;
  long slowPath;

  void searched(long entries) {
    searches++;
    attempts += entries;
    mostAttempts = Math.max(mostAttempts, entries);
  }

  void arrivedWith(int receives) {
    arrivals++;
    postedThen += receives;
  }

  void postedWith(int messages) {
    posts++;
    unexpectedThen += messages;
  }

  void add(Tally other) {
    matched += other.matched;
    unexpected += other.unexpected;
    mostPosted = Math.max(mostPosted, other.mostPosted);
    mostUnexpected = Math.max(mostUnexpected, other.mostUnexpected);
    searches += other.searches;
    attempts += other.attempts;
    mostAttempts = Math.max(mostAttempts, other.mostAttempts);
    arrivals += other.arrivals;
    postedThen += other.postedThen;
    posts += other.posts;
    unexpectedThen += other.unexpectedThen;
    blocks += other.blocks;
    optimistic += other.optimistic;
    conflicts += other.conflicts;
    fastPath += other.fastPath;
    slowPath += other.slowPath;
  }
}
