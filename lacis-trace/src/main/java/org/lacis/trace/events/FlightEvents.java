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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
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

  /** An event of a rank; kind is null if it is a match. */
  private record Event(long time, @Nullable String kind, int peer, int tag, long bytes) {}

  private FlightEvents() {}

  /**
   * Makes a trace.
   *
   * @param recordings files of the Flight Recorder; each may have several ranks
   * @param folder where the trace is to be; it is made if need be
   * @return how many events of posts and matches there were
   * @throws TraceException if a file is no recording, or none has such events
   */
  public static long convert(List<Path> recordings, Path folder) throws IOException {
    Map<Integer, List<Event>> ranks = new TreeMap<>();
    for (Path recording : recordings) {
      read(recording, ranks);
    }
    if (ranks.isEmpty()) {
      throw new TraceException(
          recordings.getFirst(), 0, "has no events %s or %s".formatted(POST, MATCH));
    }
    Files.createDirectories(folder);
    long count = 0;
    for (var entry : ranks.entrySet()) {
      List<Event> events = entry.getValue();
      events.sort(Comparator.comparingLong(Event::time));
      count += events.size();
      try (var writer = EventWriter.open(folder, "lacis", entry.getKey())) {
        new Rank(writer).write(events);
      }
    }
    return count;
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

    /** Requests of receives that wait, by peer and tag; and messages that were there before. */
    private final Map<Long, Deque<Integer>> waiting = new HashMap<>();

    private final Map<Long, Integer> early = new HashMap<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private int next = FIRST_REQUEST;

    Rank(EventWriter writer) {
      this.writer = writer;
    }

    void write(List<Event> events) throws IOException {
      for (Event event : events) {
        if (event.kind == null) {
          match(event);
        } else if (event.kind.equals("send")) {
          make(ISEND, event);
          set("dest", event.peer);
          // A send is complete when it says so; nothing looks at its request.
          set("request", 1);
          writer.call(call);
        } else if (event.kind.equals("recv")) {
          receive(event);
        }
      }
    }

    private void receive(Event event) throws IOException {
      Integer request = free.poll();
      int number = request == null ? next++ : request;
      make(IRECV, event);
      set("source", event.peer);
      set("request", number);
      writer.call(call);
      long key = key(event);
      if (early.merge(key, -1, Integer::sum) >= 0) {
        complete(number, event);
      } else {
        early.merge(key, 1, Integer::sum);
        waiting.computeIfAbsent(key, k -> new ArrayDeque<>()).add(number);
      }
    }

    /** A message that came before its receive is matched while the receive is being posted. */
    private void match(Event event) throws IOException {
      Deque<Integer> requests = waiting.get(key(event));
      if (requests == null || requests.isEmpty()) {
        early.merge(key(event), 1, Integer::sum);
      } else {
        complete(requests.remove(), event);
      }
    }

    private void complete(int request, Event event) throws IOException {
      make(WAIT, event);
      set("request", request);
      writer.call(call);
      free.add(request);
    }

    private void make(CallType type, Event event) {
      call.reset(type, 0);
      call.wall(event.time, event.time);
      if (type != WAIT) {
        set("tag", event.tag);
        set("comm", 2);
        set("datatype", 5);
        set("count", (int) Math.min(event.bytes, Integer.MAX_VALUE));
      }
    }

    private void set(String field, int value) {
      call.value(call.type().indexOf(field), value);
    }

    private static long key(Event event) {
      return (long) event.peer << 32 | (event.tag & 0xffffffffL);
    }
  }
}
