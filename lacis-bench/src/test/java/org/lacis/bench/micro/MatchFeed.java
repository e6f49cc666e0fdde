package org.lacis.bench.micro;

import java.util.Arrays;
import org.lacis.match.HashMatcher;
import org.lacis.match.ListMatcher;
import org.lacis.match.MatchEntry;
import org.lacis.match.Matcher;
import org.lacis.match.OrderedKeys;
import org.lacis.match.OrderedMatcher;

/** What matching engines are fed with, from memory: no network, and nothing to be copied. */
public final class MatchFeed {
  private MatchFeed() {}

  /** Engines, each with room for more than is ever posted. */
  public enum Engine {
    HASH,
    LIST,
    ORDERED;

    Matcher make() {
      return switch (this) {
        case HASH -> new HashMatcher();
        case LIST -> new ListMatcher();
        case ORDERED -> new OrderedMatcher(65_536, 131_072);
      };
    }
  }

  /** Which keys there are: NC, no conflicts, all different; WC, with conflicts, all the same. */
  public enum Keys {
    NC,
    WC;

    /** Entries of a sender, which are used again and again. */
    Entry[] entries(int source, int count) {
      var entries = new Entry[count];
      Arrays.setAll(entries, tag -> this == NC ? new Entry(source, tag) : new Entry(0, 7));
      return entries;
    }
  }

  /** A receive or a message. */
  static final class Entry extends MatchEntry {
    Entry(int source, int tag) {
      key = OrderedKeys.key(source, tag);
      hash = OrderedKeys.hash(source, tag);
    }

    /** The receive of this message, which must have been posted. */
    MatchEntry takeReceive(Matcher matcher) {
      MatchEntry found;
      while ((found = matcher.takeReceive(key, hash)) == Matcher.BUSY) {
        Thread.onSpinWait();
      }
      return met(found);
    }

    /** Posts this receive; there is no message for it. */
    void post(Matcher matcher) {
      MatchEntry found;
      while ((found = matcher.insertReceive(this)) == Matcher.BUSY) {
        Thread.onSpinWait();
      }
      alone(found);
    }

    /** The message of this receive, which must have come. */
    MatchEntry takeMessage(Matcher matcher) {
      MatchEntry found;
      while ((found = matcher.insertReceive(this)) == Matcher.BUSY) {
        Thread.onSpinWait();
      }
      return met(found);
    }

    /** Brings this message; there is no receive for it. */
    void arrive(Matcher matcher) {
      MatchEntry found;
      while ((found = matcher.insertArrival(this)) == Matcher.BUSY) {
        Thread.onSpinWait();
      }
      alone(found);
    }

    private static MatchEntry met(MatchEntry found) {
      if (found == null) {
        throw new IllegalStateException("an entry has found no counterpart");
      }
      return found;
    }

    private static void alone(MatchEntry found) {
      if (found != null) {
        throw new IllegalStateException("an entry has found a counterpart too early");
      }
    }
  }
}
