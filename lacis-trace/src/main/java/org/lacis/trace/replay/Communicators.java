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

  /** A communicator. */
  static final class Comm {
    private final int id;
    private final int[] members;
    private final List<Integer> dims;

    Comm(int id, int[] members, List<Integer> dims) {
      this.id = id;
      this.members = members;
      this.dims = dims;
    }

    /** No other one has it. */
    int id() {
      return id;
    }

    /** The ranks in the world of its ranks. */
    int[] members() {
      return members;
    }

    /** Of its topology; empty if it has none. */
    List<Integer> dims() {
      return dims;
    }

    /** The rank that a rank of the world has in it; -1 if it is no member. */
    int rankOf(int world) {
      for (int i = 0; i < members.length; i++) {
        if (members[i] == world) {
          return i;
        }
      }
      return -1;
    }
  }

  private final List<Script> scripts;
  private final Map<Integer, State> states = new HashMap<>();

  /** What each making of each rank has made; null where that is no communicator, or not known. */
  private final Map<Integer, @Nullable Comm[]> made = new HashMap<>();

  private int next;

  /** How far a rank is, and what its numbers stand for. */
  private static final class State {
    final Script script;
    final Map<Integer, Comm> comms = new HashMap<>();
    final Map<Integer, int[]> groups = new HashMap<>();
    int at;

    State(Script script) {
      this.script = script;
    }

    @Nullable Making making() {
      return at < script.makings.size() ? script.makings.get(at) : null;
    }
  }

  Communicators(List<Script> scripts, int size) {
    this.scripts = scripts;
    int[] all = new int[size];
    Arrays.setAll(all, i -> i);
    Comm world = comm(all);
    for (Script script : scripts) {
      var state = new State(script);
      state.comms.put(WORLD, world);
      state.comms.put(SELF, comm(new int[] {script.rank}));
      state.groups.put(2, new int[0]);
      states.put(script.rank, state);
      made.put(script.rank, new @Nullable Comm[script.makings.size()]);
    }
    resolve();
  }

  /** The communicators that a rank starts with, by its numbers; to be changed by its user. */
  Map<Integer, Comm> first(int rank, int size) {
    int[] all = new int[size];
    Arrays.setAll(all, i -> i);
    Map<Integer, Comm> comms = new HashMap<>();
    comms.put(WORLD, new Comm(0, all, List.of()));
    comms.put(SELF, new Comm(-1 - rank, new int[] {rank}, List.of()));
    return comms;
  }

  /** What a making of a rank has made; null if nothing, or if that could not be found out. */
  @Nullable Comm made(int rank, int making) {
    @Nullable Comm[] all = made.get(rank);
    return all == null ? null : all[making];
  }

  private Comm comm(int... members) {
    return new Comm(next++, members, List.of());
  }

  private void resolve() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Script script : scripts) {
        State state = state(script.rank);
        while (step(state)) {
          moved = true;
        }
      }
    }
  }

  private State state(int rank) {
    State state = states.get(rank);
    if (state == null) {
      throw new IllegalStateException("no script of rank " + rank);
    }
    return state;
  }

  /** Does the next making of a rank; answers whether it could. */
  private boolean step(State state) {
    Making making = state.making();
    if (making == null) {
      return false;
    }
    if (making.call().startsWith("Group_") || making.call().equals("Comm_group")) {
      group(state, making);
      state.at++;
      return true;
    }
    Comm old = state.comms.get(making.from());
    if (old == null) {
      // Made from what is not known, an inter-communicator for one: neither is this.
      state.comms.remove(making.to());
      state.at++;
      return true;
    }
    List<State> members = new ArrayList<>();
    for (int rank : old.members()) {
      State member = states.get(rank);
      Making theirs = member == null ? null : member.making();
      if (member == null
          || theirs == null
          || !theirs.call().equals(making.call())
          || member.comms.get(theirs.from()) != old) {
        return false;
      }
      members.add(member);
    }
    together(old, members);
    members.forEach(member -> member.at++);
    return true;
  }

  /** What all members of a communicator do together. */
  private void together(Comm old, List<State> members) {
    Map<Integer, List<Integer>> parts = new TreeMap<>();
    for (int rank = 0; rank < members.size(); rank++) {
      Making making = making(members.get(rank));
      if (making.to() != NULL) {
        parts.computeIfAbsent(part(old, rank, making), p -> new ArrayList<>()).add(rank);
      }
    }
    for (List<Integer> part : parts.values()) {
      Making first = making(members.get(part.getFirst()));
      if (first.call().equals("Comm_split")) {
        part.sort(Comparator.comparingInt(rank -> making(members.get(rank)).key()));
      }
      int[] world = part.stream().mapToInt(rank -> old.members()[rank]).toArray();
      if (first.call().equals("Comm_create")) {
        int[] group = members.get(part.getFirst()).groups.get(first.other());
        world = group == null ? world : group;
      }
      List<Integer> dims =
          switch (first.call()) {
            case "Cart_create" -> first.numbers();
            case "Cart_sub" -> kept(old.dims(), first.numbers());
            case "Comm_dup" -> old.dims();
            default -> List.of();
          };
      var comm = new Comm(next++, world, dims);
      for (int rank : part) {
        State member = members.get(rank);
        member.comms.put(making(member).to(), comm);
        @Nullable Comm[] all = made.get(member.script.rank);
        if (all != null) {
          all[member.at] = comm;
        }
      }
    }
  }

  /** Which of several new communicators a rank will be in. */
  private static int part(Comm old, int rank, Making making) {
    return switch (making.call()) {
      case "Comm_split" -> making.color();
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

  private static List<Integer> kept(List<Integer> dims, List<Integer> remain) {
    var list = new ArrayList<Integer>();
    for (int d = 0; d < Math.min(dims.size(), remain.size()); d++) {
      if (remain.get(d) != 0) {
        list.add(dims.get(d));
      }
    }
    return list;
  }

  private static Making making(State state) {
    Making making = state.making();
    if (making == null) {
      throw new IllegalStateException("rank " + state.script.rank + " makes nothing");
    }
    return making;
  }

  private static void group(State state, Making making) {
    Comm comm = state.comms.get(making.from());
    int[] from =
        making.call().equals("Comm_group")
            ? (comm == null ? null : comm.members())
            : state.groups.get(making.from());
    int[] other = state.groups.get(making.other());
    int[] result = from == null ? null : GroupMath.apply(making, from, other);
    if (result == null) {
      state.groups.remove(making.to());
    } else {
      state.groups.put(making.to(), result);
    }
  }
}
