package org.lacis.trace.replay;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The communicators and groups of a rank, by its own numbers for them. */
final class Member {
  private static final int EMPTY_GROUP = 2;

  final int rank;
  final Map<Integer, Comm> comms = new HashMap<>();
  final Map<Integer, int[]> groups = new HashMap<>();

  /** What it makes together with others, and waits for them; null if it does not. */
  @Nullable Making making;

  Member(int rank) {
    this.rank = rank;
    groups.put(EMPTY_GROUP, new int[0]);
  }

  /** Does what needs no others. */
  void make(Making local) {
    if (local.call().equals("Comm_free") || local.call().equals("Comm_disconnect")) {
      comms.remove(local.from());
      return;
    }
    Comm comm = comms.get(local.from());
    int[] from =
        switch (local.call()) {
          case "Comm_group" -> comm == null ? null : comm.members();
          case "Comm_remote_group" -> comm == null ? null : comm.others();
          default -> groups.get(local.from());
        };
    int[] result = from == null ? null : GroupMath.apply(local, from, groups.get(local.other()));
    if (result == null) {
      groups.remove(local.to());
    } else {
      groups.put(local.to(), result);
    }
  }
}
