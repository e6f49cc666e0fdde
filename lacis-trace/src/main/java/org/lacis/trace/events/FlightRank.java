package org.lacis.trace.events;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.Lacis;
import org.lacis.MatchingPolicy;
import org.lacis.trace.Call;
import org.lacis.trace.CallType;
import org.lacis.trace.events.FlightEvents.Converted;
import org.lacis.trace.events.FlightEvents.Event;
import org.lacis.trace.events.FlightEvents.Place;

/** Makes calls of what one rank has done. */
final class FlightRank {
  private static final CallType ISEND = CallType.named("MPI_Isend");
  private static final CallType IRECV = CallType.named("MPI_Irecv");
  private static final CallType RECV = CallType.named("MPI_Recv");
  private static final CallType WAIT = CallType.named("MPI_Wait");
  private static final CallType COMM_DUP = CallType.named("MPI_Comm_dup");
  private static final int WORLD = 2;
  private static final int BYTE = 5;
  private static final int FIRST_REQUEST = 2;

  /** A send is complete when it says so; nothing looks at its request. */
  private static final int NO_REQUEST = 1;

  /** Any source and any tag, in traces. */
  private static final int ANY = -1;

  private final EventWriter writer;
  private final Map<Place, Integer> comms;
  private final Map<Place, Side> sides = new HashMap<>();
  private final Call call = new Call();
  private final Deque<Integer> free = new ArrayDeque<>();
  private int next = FIRST_REQUEST;
  private long order;
  private long calls;
  private long others;

  /** A receive that waits. */
  private record Posted(long order, int request, int source, int tag) {
    boolean isOpen() {
      return source == ANY || tag == ANY;
    }

    boolean takes(int peer, int messageTag) {
      return (source == ANY || source == peer) && (tag == ANY || tag == messageTag);
    }
  }

  /** A message that was matched, and its receive is not known yet. */
  private record Early(long order, Event message) {}

  /** What waits in one communicator. */
  private static final class Side {
    /** Receives that leave nothing open, by peer and tag; and those that do. */
    final Map<Long, Deque<Posted>> exact = new HashMap<>();

    final List<Posted> open = new ArrayList<>();

    /** By peer and tag. */
    final Map<Long, Deque<Early>> early = new HashMap<>();
  }

  /**
   * For one rank.
   *
   * @param comms the communicators of all ranks
   */
  FlightRank(EventWriter writer, Map<Place, Integer> comms) {
    this.writer = writer;
    this.comms = comms;
  }

  /** Writes what was recorded, which is in the order of time. */
  Converted write(List<Event> events) throws IOException {
    for (int comm : comms.values()) {
      if (comm != WORLD) {
        make(COMM_DUP, events.getFirst());
        set("oldcomm", WORLD);
        set("newcomm", comm);
        write();
      }
    }
    for (Event event : events) {
      order++;
      if (event.place() == null) {
        others++;
        continue;
      }
      Side side = sides.computeIfAbsent(event.place(), place -> new Side());
      switch (event.kind()) {
        case null -> match(side, event);
        case "send" -> send(event);
        case "recv" -> receive(side, event);
        case "claim" -> claim(side, event);
        default -> others++;
      }
    }
    long unposted = sides.values().stream().mapToLong(this::left).sum();
    return new Converted(calls, others, unposted, List.of());
  }

  private long left(Side side) {
    return side.early.values().stream().mapToLong(Deque::size).sum();
  }

  private void send(Event event) throws IOException {
    makeTransfer(ISEND, event);
    set("dest", event.peer());
    set("tag", event.tag());
    set("request", NO_REQUEST);
    write();
  }

  private void receive(Side side, Event event) throws IOException {
    Integer request = free.poll();
    Posted posted = asked(event, request == null ? next++ : request);
    makeTransfer(IRECV, event);
    set("source", posted.source);
    set("tag", posted.tag);
    set("request", posted.request);
    write();
    Deque<Early> messages = oldestFor(side, posted);
    if (messages != null) {
      complete(posted.request, messages.remove().message, event.time());
    } else if (posted.isOpen()) {
      side.open.add(posted);
    } else {
      side.exact
          .computeIfAbsent(key(posted.source, posted.tag), k -> new ArrayDeque<>())
          .add(posted);
    }
  }

  /** To matching it is a receive that finds its message waiting, and is complete. */
  private void claim(Side side, Event event) throws IOException {
    Posted posted = asked(event, NO_REQUEST);
    Deque<Early> messages = oldestFor(side, posted);
    makeTransfer(RECV, event);
    set("source", posted.source);
    set("tag", posted.tag);
    if (messages != null) {
      status(messages.remove().message);
    }
    write();
  }

  /** What a receive asks for. A policy that looks at one thing leaves the other open. */
  private Posted asked(Event event, int request) {
    String policy = Objects.requireNonNull(event.place()).policy();
    boolean anySource =
        event.peer() == Lacis.ANY_SOURCE || policy.equals(MatchingPolicy.TAG_ONLY.name());
    boolean anyTag = event.tag() == Lacis.ANY_TAG || policy.equals(MatchingPolicy.RANK_ONLY.name());
    return new Posted(order, request, anySource ? ANY : event.peer(), anyTag ? ANY : event.tag());
  }

  /** Where the message is that a receive has met while it was posted; null if it waits. */
  private static @Nullable Deque<Early> oldestFor(Side side, Posted posted) {
    if (!posted.isOpen()) {
      Deque<Early> messages = side.early.get(key(posted.source, posted.tag));
      return messages == null || messages.isEmpty() ? null : messages;
    }
    Deque<Early> oldest = null;
    long first = Long.MAX_VALUE;
    for (Deque<Early> messages : side.early.values()) {
      Early message = messages.peek();
      if (message != null
          && message.order < first
          && posted.takes(message.message.peer(), message.message.tag())) {
        oldest = messages;
        first = message.order;
      }
    }
    return oldest;
  }

  /** A message that came before its receive is matched while the receive is being posted. */
  private void match(Side side, Event event) throws IOException {
    Deque<Posted> waiting = side.exact.get(key(event.peer(), event.tag()));
    Posted plain = waiting == null ? null : waiting.peek();
    Posted wild = null;
    for (int i = 0; i < side.open.size() && wild == null; i++) {
      wild = side.open.get(i).takes(event.peer(), event.tag()) ? side.open.get(i) : null;
    }
    if (wild != null && (plain == null || wild.order < plain.order)) {
      side.open.remove(wild);
      complete(wild.request, event, event.time());
    } else if (waiting != null && plain != null) {
      waiting.remove();
      complete(plain.request, event, event.time());
    } else {
      side.early
          .computeIfAbsent(key(event.peer(), event.tag()), k -> new ArrayDeque<>())
          .add(new Early(order, event));
    }
  }

  private void complete(int request, Event message, long time) throws IOException {
    make(WAIT, message);
    call.wall(time, time);
    set("request", request);
    status(message);
    write();
    free.add(request);
  }

  private void status(Event message) {
    int[] status = call.array(call.type().indexOf("status"), 1, Call.STATUS_SIZE);
    status[Call.STATUS_BYTES] = bytes(message);
    status[Call.STATUS_SOURCE] = message.peer();
    status[Call.STATUS_CANCELLED] = 0;
    status[Call.STATUS_ERROR] = 0;
    status[Call.STATUS_TAG] = message.tag();
  }

  private void write() throws IOException {
    writer.call(call);
    calls++;
  }

  private void makeTransfer(CallType type, Event event) {
    make(type, event);
    set("comm", Objects.requireNonNull(comms.get(Objects.requireNonNull(event.place()))));
    set("datatype", BYTE);
    set("count", bytes(event));
  }

  private void make(CallType type, Event event) {
    call.reset(type, 0);
    call.wall(event.time(), event.time());
  }

  private static int bytes(Event event) {
    return (int) Math.min(event.bytes(), Integer.MAX_VALUE);
  }

  private void set(String field, int value) {
    call.value(call.type().indexOf(field), value);
  }

  private static long key(int peer, int tag) {
    return (long) peer << 32 | (tag & 0xffffffffL);
  }
}
