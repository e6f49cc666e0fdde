package org.lacis.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which measures there are. */
final class Agenda {
  private static final int WINDOW = 64;

  /** Buffers of one window of long messages, at most. */
  private static final int WINDOW_BYTES = 4 << 20;

  /** Threads and pairs of processes, at most. */
  private static final int MOST = 64;

  private final boolean quick;
  private final int cores;
  private final List<Measure> measures = new ArrayList<>();

  private Agenda(boolean quick, int cores) {
    this.quick = quick;
    this.cores = cores;
  }

  /** The measures of some groups, in the order in which they are made. */
  static List<Measure> of(Set<Group> groups, boolean quick, int cores) {
    var agenda = new Agenda(quick, cores);
    for (Group group : Group.values()) {
      if (groups.contains(group)) {
        agenda.add(group);
      }
    }
    return agenda.measures;
  }

  private void add(Group group) {
    switch (group) {
      case LATENCY -> {
        add(group, "am-latency", "8 bytes, active message to a handler", Unit.ONE_WAY);
        add(group, "sr-latency", "8 bytes, send to a receive", Unit.ONE_WAY);
        add(
            group,
            "paced-latency",
            "8 bytes, a request every 20 µs",
            Unit.EACH,
            Map.of("interval", "20000"));
      }
      case RATE -> {
        add(group, "am-rate", "8 bytes, active messages to a handler", Unit.RATE, window(WINDOW));
        add(group, "amq-rate", "8 bytes, active messages to a queue", Unit.RATE, window(WINDOW));
        add(group, "sr-rate", "8 bytes, sends to posted receives", Unit.RATE, window(WINDOW));
        add(group, "both-rate", "8 bytes, both ways, 64 under way", Unit.RATE, window(WINDOW));
      }
      case BANDWIDTH -> {
        for (int bytes : quick ? sizes(13, 16, 20, 24) : sizes(10, 13, 16, 18, 20, 22, 24)) {
          add(group, "bandwidth", size(bytes), Unit.BANDWIDTH, stream(bytes));
        }
        add(group, "copy", "1 MiB, a copy within one process", Unit.BANDWIDTH, bytes(1 << 20));
        add(
            group,
            "copy-in",
            "1 MiB, a copy into memory the other has just read",
            Unit.BANDWIDTH,
            bytes(1 << 20));
      }
      case THREADS -> threads();
      case MATCHING -> {
        matching("100 receives of different tags", 100, "nc");
        matching("100 receives of one tag", 100, "wc");
        matching("1000 receives, in the reverse order of messages", 1000, "rev");
      }
      case RESOURCES -> {
        for (String resource : List.of("pool", "matcher", "queue")) {
          for (int threads : upTo(Math.max(4, cores))) {
            resource(resource, threads);
          }
        }
      }
      case RMA -> {
        add(group, "put", "8 bytes put, complete here", Unit.EACH);
        add(group, "put-signal", "8 bytes put, signal seen there", Unit.ONE_WAY);
        add(group, "get", "8 bytes got", Unit.EACH);
      }
      case COLLECTIVES -> {
        add(group, "allreduce", "allreduce of 8 bytes", Unit.EACH, bytes(8));
        add(group, "allreduce", "allreduce of 1 MiB", Unit.BANDWIDTH, bytes(1 << 20));
        add(
            group,
            "allreduce",
            "allreduce of 1 MiB, in memory from allocate",
            Unit.BANDWIDTH,
            sorted("bytes", "" + (1 << 20), "memory", "mapped"));
        add(group, "allgather", "allgather of 1 MiB from each", Unit.BANDWIDTH, bytes(1 << 20));
        add(group, "barrier", "barrier", Unit.EACH);
        add(group, "bcast", "broadcast of 8 bytes", Unit.EACH, bytes(8));
        add(group, "bcast", "broadcast of 64 KiB", Unit.BANDWIDTH, bytes(1 << 16));
      }
      case STARTUP -> {
        measures.add(
            new Measure(
                group,
                "am-latency",
                Map.of(),
                "2 ranks on one core, to and fro",
                Unit.ROUND_TRIPS,
                1,
                2,
                Placement.ONE_CORE));
        for (int ranks : List.of(2, 16)) {
          measures.add(
              new Measure(
                  group,
                  "hello",
                  Map.of(),
                  "hello world, " + ranks + " ranks",
                  Unit.SECONDS,
                  1,
                  ranks,
                  Placement.FREE));
        }
      }
    }
  }

  private void threads() {
    for (String devices : List.of("dedicated", "shared")) {
      for (int threads : upTo(Math.max(4, cores / 2))) {
        measures.add(
            new Measure(
                Group.THREADS,
                "thread-rate",
                sorted("threads", "" + threads, "devices", devices, "window", "" + WINDOW),
                count(threads, "thread") + " per rank, " + devices,
                Unit.RATE,
                threads * WINDOW,
                2,
                Placement.FREE));
      }
    }
    for (int pairs : upTo(Math.max(2, cores / 2))) {
      measures.add(
          new Measure(
              Group.THREADS,
              "am-rate",
              sorted("pairs", "" + pairs, "window", "" + WINDOW),
              count(pairs, "pair") + " of processes",
              Unit.RATE,
              pairs * WINDOW,
              2 * pairs,
              Placement.FREE));
    }
  }

  private void matching(String title, int receives, String kind) {
    String window = "" + receives;
    matching(title, sorted("engine", "hash", "kind", kind, "window", window));
    matching(
        title + ", in MPI's order", sorted("engine", "ordered", "kind", kind, "window", window));
    matching(
        title + ", in MPI's order by lists",
        sorted("engine", "list", "kind", kind, "window", window));
    for (int threads : upTo(Math.max(4, cores))) {
      String by = ", in MPI's order by %s".formatted(count(threads, "matching thread"));
      Map<String, String> how =
          sorted("engine", "offload", "kind", kind, "threads", "" + threads, "window", window);
      matching(title + by, how);
      // Of messages with one tag each block has conflicts; one thread never meets any.
      if (kind.equals("wc") && threads > 1) {
        var slow = new TreeMap<>(how);
        slow.put("path", "slow");
        matching(title + by + " without fast path", slow);
      }
    }
  }

  private void matching(String title, Map<String, String> arguments) {
    add(Group.MATCHING, "matching", title, Unit.RATE, arguments);
  }

  private void resource(String name, int threads) {
    String what =
        switch (name) {
          case "pool" -> "packets taken and given back";
          case "matcher" -> "receives and arrivals matched";
          default -> "completions put in and taken out";
        };
    measures.add(
        new Measure(
            Group.RESOURCES,
            name,
            Map.of("threads", "" + threads),
            what + ", " + count(threads, "thread"),
            Unit.RATE,
            threads,
            1,
            Placement.FREE));
  }

  private void add(Group group, String verb, String title, Unit unit) {
    add(group, verb, title, unit, Map.of());
  }

  private void add(
      Group group, String verb, String title, Unit unit, Map<String, String> arguments) {
    int batch = Integer.parseInt(arguments.getOrDefault("window", "1"));
    measures.add(new Measure(group, verb, arguments, title, unit, batch, 2, Placement.PINNED));
  }

  /** So many of something, in words. */
  private static String count(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  /** Powers of two. */
  private static List<Integer> upTo(int most) {
    List<Integer> counts = new ArrayList<>();
    for (int count = 1; count <= Math.min(most, MOST); count *= 2) {
      counts.add(count);
    }
    return counts;
  }

  private static Map<String, String> bytes(int bytes) {
    return Map.of("bytes", Integer.toString(bytes));
  }

  private static Map<String, String> window(int window) {
    return Map.of("window", Integer.toString(window));
  }

  private static Map<String, String> stream(int bytes) {
    int window = Math.clamp(WINDOW_BYTES / bytes, 2, WINDOW);
    return sorted("bytes", "" + bytes, "window", "" + window);
  }

  private static Map<String, String> sorted(String... words) {
    Map<String, String> map = new TreeMap<>();
    for (int i = 0; i < words.length; i += 2) {
      map.put(words[i], words[i + 1]);
    }
    return map;
  }

  private static List<Integer> sizes(int... powers) {
    List<Integer> sizes = new ArrayList<>();
    for (int power : powers) {
      sizes.add(1 << power);
    }
    return sizes;
  }

  static String size(int bytes) {
    return bytes >= 1 << 20
        ? (bytes >> 20) + " MiB"
        : bytes >= 1024 ? (bytes >> 10) + " KiB" : bytes + " bytes";
  }

  /**
   * Measures in sets, each of which has processes of its own: in a process that has done something
   * else before, the compiler makes other code. If time is short, one set per group.
   */
  static List<List<Measure>> sets(List<Measure> measures, boolean quick) {
    Map<String, List<Measure>> sets = new LinkedHashMap<>();
    for (Measure measure : measures) {
      String key =
          measure.group()
              + (quick ? "" : measure.verb() + measure.arguments().getOrDefault("engine", ""))
              + measure.ranks()
              + measure.placement()
              + measure.threaded();
      sets.computeIfAbsent(key, _ -> new ArrayList<>()).add(measure);
    }
    return List.copyOf(sets.values());
  }
}
