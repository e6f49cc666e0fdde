package org.lacis.trace.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.replay.Communicators.Comm;

/**
 * Finds out which send met which receive. Messages of one sender in one communicator with one tag
 * are received in the order they were sent; whom a receive with a wildcard has heard from, its
 * status tells. Without a status that is not known, nor is it of like receives after it.
 */
final class Pairing {
  private record Key(int comm, int source, int tag) {
    /**
     * Whether a receive of this key, which may have wildcards, may have got a message of another.
     */
    boolean mayGet(Key message) {
      return comm == message.comm
          && (source == Script.ANY || source == message.source)
          && (tag == Script.ANY || tag == message.tag);
    }

    boolean isOpen() {
      return source == Script.ANY || tag == Script.ANY;
    }
  }

  private final List<Script> scripts;
  private final List<Mailbox> boxes = new ArrayList<>();

  /** Of each step of each rank that sends or posts: the communicator; -1 if that is not known. */
  private final List<Ints> comms = new ArrayList<>();

  /** Of each step that sends: the number of its message in its box; and whose box that is. */
  private final List<Ints> messages = new ArrayList<>();

  private final List<Ints> targets = new ArrayList<>();

  /** Sends and receives in communicators that are not known. */
  private long leftOut;

  Pairing(List<Script> scripts, Communicators communicators, int size) {
    this.scripts = scripts;
    for (int i = 0; i < size; i++) {
      boxes.add(new Mailbox());
    }
    for (Script script : scripts) {
      deliver(script, communicators, size);
    }
    for (int i = 0; i < scripts.size(); i++) {
      pair(scripts.get(i), comms.get(i));
    }
  }

  Mailbox box(int rank) {
    return boxes.get(rank);
  }

  int comm(int script, int step) {
    return comms.get(script).get(step);
  }

  /** The message that a step has sent; -1 if it is not known to whom. */
  int message(int script, int step) {
    return messages.get(script).get(step);
  }

  int target(int script, int step) {
    return targets.get(script).get(step);
  }

  long leftOut() {
    return leftOut;
  }

  private void deliver(Script script, Communicators communicators, int size) {
    Map<Integer, Comm> known = communicators.first(script.rank, size);
    var where = new Ints();
    var numbers = new Ints();
    var whom = new Ints();
    for (int step = 0; step < script.steps(); step++) {
      int number = -1;
      int target = -1;
      Comm comm = known.get(script.comms.get(step));
      switch (script.kinds.get(step)) {
        case Script.MAKE -> {
          int making = script.peers.get(step);
          Comm made = communicators.made(script.rank, making);
          int name = script.makings.get(making).to();
          if (made != null) {
            known.put(name, made);
          } else if (!script.makings.get(making).call().contains("roup")) {
            known.remove(name);
          }
        }
        case Script.SEND -> {
          int dest = script.peers.get(step);
          int source = comm == null ? -1 : comm.rankOf(script.rank);
          if (comm == null || source < 0 || dest >= comm.members().length) {
            leftOut++;
          } else {
            target = comm.members()[dest];
            number =
                boxes.get(target).add(script.rank, step, source, comm.id(), script.tags.get(step));
          }
        }
        case Script.POST -> leftOut += comm == null ? 1 : 0;
        default -> {}
      }
      where.add(comm == null ? -1 : comm.id());
      numbers.add(number);
      whom.add(target);
    }
    comms.add(where);
    messages.add(numbers);
    targets.add(whom);
  }

  private void pair(Script script, Ints where) {
    Mailbox box = boxes.get(script.rank);
    Map<Key, Deque<Integer>> waiting = new HashMap<>();
    for (int i = 0; i < box.messages(); i++) {
      waiting
          .computeIfAbsent(
              new Key(box.comms.get(i), box.sources.get(i), box.tags.get(i)),
              key -> new ArrayDeque<>())
          .add(i);
    }
    // Receives of which nobody knows what they got: like ones after them may have got anything.
    Set<Key> open = new HashSet<>();
    for (int receive = 0; receive < script.receives(); receive++) {
      int step = script.postedBy.get(receive);
      var key = new Key(where.get(step), script.gotSource.get(receive), script.gotTag.get(receive));
      int message = -1;
      if (script.cancelled.get(receive) == 0) {
        if (key.isOpen()) {
          open.add(key);
        } else if (open.stream().noneMatch(other -> other.mayGet(key))) {
          message = next(waiting.get(key));
        }
      }
      if (message >= 0) {
        box.receiveOf.set(message, receive);
      }
      box.messageOf.add(message);
    }
  }

  private static int next(@Nullable Deque<Integer> messages) {
    return messages == null || messages.isEmpty() ? -1 : messages.remove();
  }

  List<Script> scripts() {
    return scripts;
  }
}
