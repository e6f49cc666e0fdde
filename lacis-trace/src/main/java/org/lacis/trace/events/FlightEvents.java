package org.lacis.trace.events;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.lacis.MatchingPolicy;
import org.lacis.trace.TraceException;

/**
 * Makes a trace of what programs of Lacis have done, from recordings of the Flight Recorder that
 * have the events {@code org.lacis.Post} and {@code org.lacis.Match}. Sends become {@code
 * MPI_Isend}, receives {@code MPI_Irecv}; that a receive and a message have met becomes {@code
 * MPI_Wait}, and that a message was claimed {@code MPI_Recv}. Each matching engine, and each policy
 * of it that is used, is a communicator; all but the usual one are made at the start.
 */
public final class FlightEvents {
  private static final String POST = "org.lacis.Post";
  private static final String MATCH = "org.lacis.Match";

  /** The world, and the first communicator of a program's own. */
  private static final int WORLD = 2;

  private static final int FIRST_COMM = 4;

  /**
   * Where messages are matched: by one policy of one engine, as those of others never meet them.
   */
  record Place(int engine, String policy) implements Comparable<Place> {
    static final Place USUAL = new Place(0, MatchingPolicy.RANK_TAG.name());

    @Override
    public int compareTo(Place other) {
      return engine == other.engine
          ? policy.compareTo(other.policy)
          : Integer.compare(engine, other.engine);
    }
  }

  /** An event of a rank; kind is null if it is a match, place if nothing is matched. */
  record Event(
      long time, @Nullable String kind, int peer, int tag, long bytes, @Nullable Place place) {}

  /**
   * What has become of a recording.
   *
   * @param calls calls in the trace
   * @param others posts that are neither sends nor receives, and so not in it
   * @param unposted messages that were matched without a receive that is recorded
   * @param silent recordings that have no such events
   */
  public record Converted(long calls, long others, long unposted, List<Path> silent) {
    /** Makes one; the list is copied. */
    public Converted {
      silent = List.copyOf(silent);
    }

    Converted plus(Converted more) {
      return new Converted(
          calls + more.calls, others + more.others, unposted + more.unposted, silent);
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
    List<Path> silent = new ArrayList<>();
    for (Path recording : recordings) {
      if (!read(recording, ranks)) {
        silent.add(recording);
      }
      if (!seen.add(recording.toRealPath())) {
        throw new TraceException(recording, "is named twice");
      }
    }
    if (ranks.isEmpty()) {
      throw new TraceException(
          recordings.getFirst(), "has no events %s or %s".formatted(POST, MATCH));
    }
    requireEmpty(folder);
    Files.createDirectories(folder);
    Map<Place, Integer> comms = communicators(ranks);
    Converted all = new Converted(0, 0, 0, silent);
    for (var entry : ranks.entrySet()) {
      List<Event> events = entry.getValue();
      events.sort(Comparator.comparingLong(Event::time));
      try (var writer = EventWriter.open(folder, "lacis", entry.getKey())) {
        all = all.plus(new FlightRank(writer, comms).write(events));
      }
    }
    return all;
  }

  /** The communicator of each place that a rank has used, the same for all ranks. */
  private static Map<Place, Integer> communicators(Map<Integer, List<Event>> ranks) {
    Set<Place> places = new TreeSet<>();
    ranks.values().stream()
        .flatMap(List::stream)
        .map(Event::place)
        .filter(Objects::nonNull)
        .forEach(places::add);
    Map<Place, Integer> comms = new TreeMap<>();
    int next = FIRST_COMM;
    for (Place place : places) {
      comms.put(place, place.equals(Place.USUAL) ? WORLD : next++);
    }
    return comms;
  }

  /** Files of other ranks that are there already would become part of the trace. */
  private static void requireEmpty(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (var files = Files.list(folder)) {
        if (files.findAny().isPresent()) {
          throw new TraceException(folder, "is not empty: name another folder for the trace");
        }
      }
    }
  }

  /** Reads a recording; false if there is nothing of ours in it. */
  private static boolean read(Path recording, Map<Integer, List<Event>> ranks) throws IOException {
    boolean some = false;
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
          some = true;
          Instant start = event.getStartTime();
          ranks
              .computeIfAbsent(event.getInt("ownRank"), rank -> new ArrayList<>())
              .add(
                  new Event(
                      start.getEpochSecond() * 1_000_000_000L + start.getNano(),
                      post ? event.getString("kind") : null,
                      event.getInt("peer"),
                      event.getInt("tag"),
                      event.getLong("bytes"),
                      place(event)));
        }
      }
    } catch (IOException e) {
      throw e instanceof TraceException || e instanceof NoSuchFileException
          ? e
          : new TraceException(
              recording, "is not a recording, or one that is cut off: " + e.getMessage());
    }
    return some;
  }

  private static @Nullable Place place(RecordedEvent event) {
    int engine = event.getInt("engine");
    return engine < 0 ? null : new Place(engine, event.getString("policy"));
  }
}
