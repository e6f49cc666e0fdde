package org.lacis.trace.events;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.lacis.Lacis;
import org.lacis.trace.Call;
import org.lacis.trace.CallType;
import org.lacis.trace.TraceException;

/**
 * Makes a trace of what programs of Lacis have done, from recordings of the Flight Recorder that
 * have the events {@code org.lacis.Post} and {@code org.lacis.Match}. Sends become {@code
 * MPI_Isend}, receives {@code MPI_Irecv}; that a receive and a message have met becomes {@code
 * MPI_Wait}.
 */
public final class FlightEvents {
  private static final String POST = "org.lacis.Post";
  private static final String MATCH = "org.lacis.Match";
  private static final CallType ISEND = CallType.named("MPI_Isend");
  private static final CallType IRECV = CallType.named("MPI_Irecv");
  private static final CallType WAIT = CallType.named("MPI_Wait");
  private static final int FIRST_REQUEST = 2;

  /** Any source and any tag, in traces. */
  private static final int ANY = -1;

  /** An event of a rank; kind is null if it is a match. */
  private record Event(long time, @Nullable String kind, int peer, int tag, long bytes) {}

  /** A receive that waits. */
  private record Posted(long order, int request, int source, int tag) {
    boolean isOpen() {
      return source == ANY || tag == ANY;
    }

    boolean takes(int peer, int messageTag) {
      return (source == ANY || source == peer) && (tag == ANY || tag == messageTag);
    }
  }

  /**
   * What has become of a recording.
   *
   * @param calls calls in the trace
   * @param others posts that are neither sends nor receives, and so not in it
   * @param unposted messages that were matched without a receive, such as claimed ones
   */
  public record Converted(long calls, long others, long unposted) {
    private Converted plus(Converted more) {
      return new Converted(calls + more.calls, others + more.others, unposted + more.unposted);
    }
  }

  private FlightEvents() {}

  /**
   * Makes a trace.
   *
   * @param recordings files of the Flight Recorder; each may have several ranks
   * @param folder where the trace is to be; it is made if need be
   * @return what there is in it, and what is not
   * @throws TraceException if a file is no recording, or named twice, or none has such events; or
   *     if there is something in the folder
   */
  public static Converted convert(List<Path> recordings, Path folder) throws IOException {
    Map<Integer, List<Event>> ranks = new TreeMap<>();
    Set<Path> seen = new HashSet<>();
    for (Path recording : recordings) {
      read(recording, ranks);
      if (!seen.add(recording.toRealPath())) {
        throw new TraceException(recording, 0, "is named twice");
      }
    }
    if (ranks.isEmpty()) {
      throw new TraceException(
          recordings.getFirst(), 0, "has no events %s or %s".formatted(POST, MATCH));
    }
    requireEmpty(folder);
    Files.createDirectories(folder);
    Converted all = new Converted(0, 0, 0);
    for (var entry : ranks.entrySet()) {
      List<Event> events = entry.getValue();
      events.sort(Comparator.comparingLong(Event::time));
      try (var writer = EventWriter.open(folder, "lacis", entry.getKey())) {
        all = all.plus(new Rank(writer).write(events));
      }
    }
    return all;
  }

  /** Files of other ranks that are there already would become part of the trace. */
  private static void requireEmpty(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (var files = Files.list(folder)) {
        if (files.findAny().isPresent()) {
          throw new TraceException(folder, 0, "is not empty: name another folder for the trace");
        }
      }
    }
  }

  private static void read(Path recording, Map<Integer, List<Event>> ranks) throws IOException {
    try (var file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        String name = event.getEventType().getName();
        boolean post = name.equals(POST);
        // What was answered with "try again" has not happened.
        if (post && String.valueOf(event.getString("answer")).startsWith("RETRY")) {
          continue;
        }
        if (post || name.equals(MATCH)) {
          Instant start = event.getStartTime();
          ranks
              .computeIfAbsent(event.getInt("ownRank"), rank -> new ArrayList<>())
              .add(
                  new Event(
                      start.getEpochSecond() * 1_000_000_000L + start.getNano(),
                      post ? event.getString("kind") : null,
                      event.getInt("peer"),
                      event.getInt("tag"),
                      event.getLong("bytes")));
        }
      }
    } catch (IOException e) {
      throw e instanceof TraceException || e instanceof NoSuchFileException
          ? e
          : new TraceException(recording, 0, "is not a recording: " + e.getMessage());
    }
  }

  /** What one rank has done. */
  private static final class Rank {
    private final EventWriter writer;
    private final Call call = new Call();

    /** Receives that wait and leave nothing open, by peer and tag; and those that do. */
    private final Map<Long, Deque<Posted>> exact = new HashMap<>();

    private final List<Posted> open = new ArrayList<>();

    /** By peer and tag: when messages were matched whose receive is not known yet. */
    private final Map<Long, Deque<Long>> early = new HashMap<>();

    private final Deque<Integer> free = new ArrayDeque<>();
    private int next = FIRST_REQUEST;
    private long order;
    private long calls;
    private long others;

    Rank(EventWriter writer) {
      this.writer = writer;
    }

    Converted write(List<Event> events) throws IOException {
      for (Event event : events) {
        order++;
        if (event.kind == null) {
          match(event);
        } else if (event.kind.equals("send")) {
          make(ISEND, event);
          set("dest", event.peer);
          set("tag", event.tag);
          // A send is complete when it says so; nothing looks at its request.
          set("request", 1);
          write();
        } else if (event.kind.equals("recv")) {
          receive(event);
        } else {
          others++;
        }
      }
      return new Converted(calls, others, early.values().stream().mapToLong(Deque::size).sum());
    }

    private void receive(Event event) throws IOException {
      Integer request = free.poll();
      int number = request == null ? next++ : request;
      int source = event.peer == Lacis.ANY_SOURCE ? ANY : event.peer;
      int tag = event.tag == Lacis.ANY_TAG ? ANY : event.tag;
      var posted = new Posted(order, number, source, tag);
      make(IRECV, event);
      set("source", source);
      set("tag", tag);
      set("request", number);
      write();
      Deque<Long> messages = oldestFor(posted);
      if (messages != null) {
        messages.remove();
        complete(number, event);
      } else if (posted.isOpen()) {
        open.add(posted);
      } else {
        exact.computeIfAbsent(key(source, tag), k -> new ArrayDeque<>()).add(posted);
      }
    }

    /** Where the message is that a receive has met while it was posted; null if it waits. */
    private @Nullable Deque<Long> oldestFor(Posted posted) {
      if (!posted.isOpen()) {
        Deque<Long> messages = early.get(key(posted.source, posted.tag));
        return messages == null || messages.isEmpty() ? null : messages;
      }
      Deque<Long> oldest = null;
      long first = Long.MAX_VALUE;
      for (var entry : early.entrySet()) {
        long key = entry.getKey();
        Long when = entry.getValue().peek();
        if (when != null && when < first && posted.takes((int) (key >> 32), (int) key)) {
          oldest = entry.getValue();
          first = when;
        }
      }
      return oldest;
    }

    /** A message that came before its receive is matched while the receive is being posted. */
    private void match(Event event) throws IOException {
      Deque<Posted> waiting = exact.get(key(event.peer, event.tag));
      Posted plain = waiting == null ? null : waiting.peek();
      Posted wild = null;
      for (int i = 0; i < open.size() && wild == null; i++) {
        wild = open.get(i).takes(event.peer, event.tag) ? open.get(i) : null;
      }
      if (wild != null && (plain == null || wild.order < plain.order)) {
        open.remove(wild);
        complete(wild.request, event);
      } else if (waiting != null && plain != null) {
        waiting.remove();
        complete(plain.request, event);
      } else {
        early.computeIfAbsent(key(event.peer, event.tag), k -> new ArrayDeque<>()).add(order);
      }
    }

    private void complete(int request, Event event) throws IOException {
      make(WAIT, event);
      set("request", request);
      write();
      free.add(request);
    }

    private void write() throws IOException {
      writer.call(call);
      calls++;
    }

    private void make(CallType type, Event event) {
      call.reset(type, 0);
      call.wall(event.time, event.time);
      if (type != WAIT) {
        set("comm", 2);
        set("datatype", 5);
        set("count", (int) Math.min(event.bytes, Integer.MAX_VALUE));
      }
    }

    private void set(String field, int value) {
      call.value(call.type().indexOf(field), value);
    }

    private static long key(int peer, int tag) {
      return (long) peer << 32 | (tag & 0xffffffffL);
    }
  }
}
