package org.lacis.trace.replay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.RankList;

/** What finds no partner when a run is played again, and why. */
final class Gaps {
  private static final int MOST_NOTES = 8;

  /** Sends and receives in communicators that are not known. */
  long leftOut;

  long cancelled;

  /** Receives of any source that are taken for ones from nobody. */
  long takenForNobody;

  private long fromNobody;
  private long toNobody;

  /** By rank: messages to it that are not played, as it has no file. */
  private final Map<Integer, Long> sentToMissing = new TreeMap<>();

  /** By the sender's rank, or ANY: receives that have got nothing. */
  private final Map<Integer, Long> receives = new TreeMap<>();

  /** By the receiver's rank: messages that nobody has received. */
  private final Map<Integer, Long> messages = new TreeMap<>();

  /** Something is sent to nobody, or received from nobody, which has happened then. */
  boolean nobody(boolean receives) {
    if (receives) {
      fromNobody++;
    } else {
      toNobody++;
    }
    return true;
  }

  void sentToMissing(int rank) {
    sentToMissing.merge(rank, 1L, Long::sum);
  }

  /** Something waits at a rank when all is over. */
  void left(int rank, Entry entry) {
    if (entry.isReceive) {
      receives.merge(entry.peer, 1L, Long::sum);
    } else {
      messages.merge(rank, 1L, Long::sum);
    }
  }

  ReplayResult.Nobody nobody() {
    return new ReplayResult.Nobody(fromNobody + takenForNobody, takenForNobody, toNobody);
  }

  /**
   * Says why there are receives without a message, and messages without a receive.
   *
   * @param missing ranks that have no file
   * @param damaged ranks whose file could not be read to its end
   */
  List<String> notes(List<Integer> missing, Collection<Integer> damaged) {
    List<String> notes = new ArrayList<>();
    if (leftOut > 0) {
      notes.add(
          text(
                  "%,d sends and receives are left out, in communicators that cannot be followed",
                  leftOut)
              + (missing.isEmpty() ? "" : " without " + RankList.text(missing)));
    }
    for (int rank : missing) {
      tell(
          notes,
          text("rank %d has no file", rank),
          sentToMissing.remove(rank),
          rank,
          " not played");
    }
    for (int rank : damaged) {
      tell(
          notes,
          text("the file of rank %d is not read to its end", rank),
          messages.remove(rank),
          rank,
          " not received");
    }
    if (notes.size() > MOST_NOTES) {
      int more = notes.size() - MOST_NOTES;
      notes.subList(MOST_NOTES, notes.size()).clear();
      notes.add(text("%,d more ranks have no file, or one that is not read to its end", more));
    }
    rest(notes, !missing.isEmpty() || !damaged.isEmpty());
    return notes;
  }

  private void tell(List<String> notes, String why, @Nullable Long sent, int rank, String fate) {
    Long awaited = receives.remove(rank);
    List<String> what = new ArrayList<>();
    if (sent != null) {
      what.add(counted(sent, "message") + " to it" + (sent == 1 ? " is" : " are") + fate);
    }
    if (awaited != null) {
      what.add(
          counted(awaited, "receive")
              + " from it"
              + (awaited == 1 ? " gets" : " get")
              + " no message");
    }
    notes.add(why + (what.isEmpty() ? "" : ": " + String.join(", ", what)));
  }

  /** What the ranks that were told of do not explain. */
  private void rest(List<String> notes, boolean incomplete) {
    Long open = receives.remove(Steps.ANY);
    long named = receives.values().stream().mapToLong(Long::longValue).sum();
    long unreceived = messages.values().stream().mapToLong(Long::longValue).sum();
    String maybe = incomplete ? ", perhaps because of that" : "";
    if (open != null) {
      notes.add(
          counted(open, "receive")
              + " of any source: no message is left for "
              + (open == 1 ? "it" : "them")
              + maybe);
    }
    if (named > 0) {
      notes.add(
          counted(named, "receive")
              + " of ranks that have a whole file: no message was sent"
              + maybe);
    }
    if (unreceived > 0) {
      notes.add(
          counted(unreceived, "message")
              + " to ranks that have a whole file: no receive was posted"
              + maybe);
    }
  }

  private static String counted(long number, String what) {
    return text("%,d %s", number, what + (number == 1 ? "" : "s"));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
