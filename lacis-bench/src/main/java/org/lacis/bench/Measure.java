package org.lacis.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Something to be measured, of all subjects that know the verb.
 *
 * @param group what it belongs to
 * @param verb what ranks are told to do
 * @param arguments how
 * @param title for people
 * @param unit what is made of the time
 * @param batch counts are multiples of this
 * @param ranks how many there are
 * @param placement where they run
 */
record Measure(
    Group group,
    String verb,
    Map<String, String> arguments,
    String title,
    Unit unit,
    int batch,
    int ranks,
    Placement placement) {

  /** Data is long from here on, in bytes. */
  private static final int LONG = 64 << 10;

  /** The name of the measure in data: verb and arguments. */
  String id() {
    String words =
        new TreeMap<>(arguments)
            .entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    String base = words.isEmpty() ? verb : verb + "[" + words + "]";
    if (placement == Placement.ONE_CORE) {
      base += "@one-core";
    }
    return verb.equals("hello") ? base + "-" + ranks : base;
  }

  /** Whether several threads of a rank communicate. */
  boolean threaded() {
    return verb.equals("thread-rate");
  }

  /** Whether a sample has few operations in much time: paced ones, and collectives of long data. */
  boolean slow() {
    return verb.equals("paced-latency") || (group == Group.COLLECTIVES && bytes() >= LONG);
  }

  /** Whether more threads want to run than there are cores for them. */
  boolean crowded(int cores) {
    int each = threaded() ? Integer.parseInt(arguments.getOrDefault("threads", "1")) : 1;
    return ranks * each > (placement == Placement.ONE_CORE ? 1 : cores);
  }

  int bytes() {
    return Integer.parseInt(arguments.getOrDefault("bytes", "8"));
  }

  /** The line that tells a rank to do it so many times. */
  String command(long count) {
    var line = new StringBuilder("run ").append(verb).append(' ').append(count);
    arguments.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    return line.toString();
  }

  /** What a time for so many operations means in the unit of this measure. */
  double value(long count, double nanos) {
    return unit.value(count, bytes(), nanos);
  }

  /** A count near this one that is allowed. */
  long allowed(double count) {
    long batches = Math.max(1, Math.round(count / batch));
    return batches * batch;
  }
}
