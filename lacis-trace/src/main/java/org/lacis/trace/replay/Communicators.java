package org.lacis.trace.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who is in which communicator. In a trace each rank has numbers of its own for them; but
 * they are made by calls that all members of another one make, in the same order. So these calls
 * are played again: one happens when every member has come to it.
 */
final class Communicators {
  private static final int NULL = 1;
  private static final int WORLD = 2;
  private static final int SELF = 3;

  private final Map<Integer, Member> members = new HashMap<>();
  private int next = 1;

  /**
   * Makes the world.
   *
   * @param size how many ranks it has
   * @param ranks those that are played
   */
  Communicators(int size, List<Integer> ranks) {
    int[] all = new int[size];
    Arrays.setAll(all, i -> i);
    for (int rank : ranks) {
      var member = new Member(rank);
      int[] self = {rank};
      member.comms.put(WORLD, new Comm(0, all, all, List.of(), rank));
      member.comms.put(SELF, new Comm(next++, self, self, List.of(), rank));
      members.put(rank, member);
    }
  }

  Member member(int rank) {
    Member member = members.get(rank);
    if (member == null) {
      throw new IllegalStateException("rank " + rank + " is not played");
    }
    return member;
  }

  /**
   * A rank comes to a call that makes something.
   *
   * @return the ranks that can go on, since it is made; none if the rank has to wait for others
   */
  List<Integer> make(Member member, Making making) {
    if (making.isLocal()) {
      member.make(making);
      return List.of(member.rank);
    }
    Comm old = member.comms.get(making.from());
    if (old == null || !isPlayed(old.members()) || !isPlayed(old.others())) {
      // Made from what is not known, or together with ranks of which there is no trace.
      member.comms.remove(making.to());
      return List.of(member.rank);
    }
    member.making = making;
    if (making.call().equals("Intercomm_create")) {
      return connect(member, old);
    }
    List<Member> ours = together(old.members(), old.id(), making.call());
    List<Member> theirs =
        old.isInter() ? together(old.others(), old.id(), making.call()) : List.of();
    if (ours == null || theirs == null) {
      return List.of();
    }
    Map<Integer, int[]> first = parts(old, ours);
    if (!old.isInter()) {
      first.forEach((part, ranks) -> give(next++, ours, old, part, ranks, ranks));
    } else if (making.call().equals("Intercomm_merge")) {
      merge(ours, theirs);
    } else {
      Map<Integer, int[]> second = parts(old, theirs);
      first.forEach(
          (part, ranks) -> {
            int[] others = second.get(part);
            if (others != null) {
              int id = next++;
              give(id, ours, old, part, ranks, others);
              give(id, theirs, old, part, others, ranks);
            }
          });
    }
    return release(ours, theirs);
  }

  /** A rank waits for others no more: what it was to make is not known. */
  void giveUp(Member member) {
    Making making = member.making;
    if (making != null) {
      member.comms.remove(making.to());
      member.making = null;
    }
  }

  private boolean isPlayed(int[] ranks) {
    return Arrays.stream(ranks).allMatch(members::containsKey);
  }

  /** Some ranks, if all of them have come to the same call; else null. */
  private @Nullable List<Member> together(int[] ranks, int id, String call) {
    List<Member> all = new ArrayList<>();
    for (int rank : ranks) {
      Member member = member(rank);
      Making making = member.making;
      Comm from = making == null ? null : member.comms.get(making.from());
      if (making == null || from == null || from.id() != id || !making.call().equals(call)) {
        return null;
      }
      all.add(member);
    }
    return all;
  }

  private static List<Integer> release(List<Member> some, List<Member> others) {
    List<Integer> ranks = new ArrayList<>();
    for (List<Member> list : List.of(some, others)) {
      for (Member member : list) {
        member.making = null;
        ranks.add(member.rank);
      }
    }
    return ranks;
  }

  private static Making making(Member member) {
    Making making = member.making;
    if (making == null) {
      throw new IllegalStateException("rank " + member.rank + " makes nothing");
    }
    return making;
  }

  /** The ranks of each of the new communicators, in their order, by what they have in common. */
  private static Map<Integer, int[]> parts(Comm old, List<Member> all) {
    Map<Integer, List<Member>> parts = new TreeMap<>();
    for (int rank = 0; rank < all.size(); rank++) {
      Member member = all.get(rank);
      if (making(member).to() != NULL) {
        parts.computeIfAbsent(part(old, rank, member), p -> new ArrayList<>()).add(member);
      }
    }
    Map<Integer, int[]> ranks = new TreeMap<>();
    parts.forEach(
        (part, list) -> {
          Making first = making(list.getFirst());
          if (first.call().equals("Comm_split")) {
            list.sort(Comparator.comparingInt(member -> making(member).numbers().get(1)));
          }
          int[] group =
              first.call().equals("Comm_create") ? list.getFirst().groups.get(first.other()) : null;
          ranks.put(part, group == null ? list.stream().mapToInt(m -> m.rank).toArray() : group);
        });
    return ranks;
  }

  /** Which of several new communicators a rank will be in. */
  private static int part(Comm old, int rank, Member member) {
    Making making = making(member);
    return switch (making.call()) {
      case "Comm_split" -> making.numbers().getFirst();
      case "Comm_create" -> {
        // Groups without common ranks may make communicators at once. On both sides of an
        // inter-communicator there is one.
        int[] group = member.groups.get(making.other());
        yield group == null || group.length == 0 || old.isInter() ? 0 : group[0];
      }
      case "Cart_sub" -> {
        // Those with the same coordinates in the dimensions that go.
        int part = 0;
        int rest = rank;
        int weight = 1;
        for (int d = Math.min(old.dims().size(), making.numbers().size()) - 1; d >= 0; d--) {
          int length = Math.max(old.dims().get(d), 1);
          int coordinate = rest % length;
          rest /= length;
          if (making.numbers().get(d) == 0) {
            part += coordinate * weight;
            weight *= length;
          }
        }
        yield part;
      }
      default -> 0;
    };
  }

  /** Gives a new communicator to those of some ranks that are in it. */
  private static void give(
      int id, List<Member> all, Comm old, int part, int[] ranks, int[] others) {
    for (int rank = 0; rank < all.size(); rank++) {
      Member member = all.get(rank);
      Making making = making(member);
      if (making.to() != NULL && part(old, rank, member) == part) {
        List<Integer> dims =
            switch (making.call()) {
              case "Cart_create" -> making.numbers();
              case "Cart_sub" -> kept(old.dims(), making.numbers());
              case "Comm_dup" -> old.dims();
              default -> List.of();
            };
        member.comms.put(making.to(), new Comm(id, ranks, others, dims, member.rank));
      }
    }
  }

  private static List<Integer> kept(List<Integer> dims, List<Integer> remain) {
    var list = new ArrayList<Integer>();
    for (int d = 0; d < Math.min(dims.size(), remain.size()); d++) {
      if (remain.get(d) != 0) {
        list.add(dims.get(d));
      }
    }
    return list;
  }

  /** Both sides become one communicator, in the order that they say. */
  private void merge(List<Member> ours, List<Member> theirs) {
    boolean last = making(ours.getFirst()).numbers().getFirst() != 0;
    if (last == (making(theirs.getFirst()).numbers().getFirst() != 0)) {
      // Which side comes first is not told.
      List.of(ours, theirs).forEach(side -> side.forEach(m -> m.comms.remove(making(m).to())));
      return;
    }
    List<Member> all = new ArrayList<>(last ? theirs : ours);
    all.addAll(last ? ours : theirs);
    int[] ranks = all.stream().mapToInt(member -> member.rank).toArray();
    int id = next++;
    for (Member member : all) {
      member.comms.put(making(member).to(), new Comm(id, ranks, ranks, List.of(), member.rank));
    }
  }

  /** Makes an inter-communicator, if all of both sides have come to it. */
  private List<Integer> connect(Member member, Comm local) {
    List<Member> ours = together(local.members(), local.id(), "Intercomm_create");
    Member far = ours == null ? null : remoteLeader(member, local);
    Making theirMaking = far == null ? null : far.making;
    Comm remote = far == null || theirMaking == null ? null : far.comms.get(theirMaking.from());
    if (ours == null || far == null || remote == null) {
      return List.of();
    }
    List<Member> theirs = together(remote.members(), remote.id(), "Intercomm_create");
    Member back = theirs == null ? null : remoteLeader(far, remote);
    if (theirs == null || back == null || Comm.place(local.members(), back.rank) < 0) {
      return List.of();
    }
    int id = next++;
    for (Member m : ours) {
      m.comms.put(
          making(m).to(), new Comm(id, local.members(), remote.members(), List.of(), m.rank));
    }
    for (Member m : theirs) {
      m.comms.put(
          making(m).to(), new Comm(id, remote.members(), local.members(), List.of(), m.rank));
    }
    return release(ours, theirs);
  }

  /** Whom the leader of a rank's side names; null if that is not known. */
  private @Nullable Member remoteLeader(Member member, Comm local) {
    int place = making(member).numbers().get(0);
    if (place < 0 || place >= local.members().length) {
      return null;
    }
    Making leading = making(member(local.members()[place]));
    // What the others say of the far side does not count.
    Comm peers = member(local.members()[place]).comms.get(leading.other());
    int far = leading.numbers().get(1);
    return peers == null || far < 0 || far >= peers.others().length
        ? null
        : members.get(peers.others()[far]);
  }
}
