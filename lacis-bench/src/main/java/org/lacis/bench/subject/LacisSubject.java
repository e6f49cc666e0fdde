package org.lacis.bench.subject;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.Lacis;
import org.lacis.collective.Collectives;

/** A rank of Lacis that is measured. Started by {@code lacis run}, as any program is. */
public final class LacisSubject {
  private final Lacis lacis;

  /** Those with matching engines of other kinds, by what is said of them in a command. */
  private final Map<String, Lacis> runtimes = new HashMap<>();

  private @Nullable Collectives collectives;

  private LacisSubject(Lacis lacis) {
    this.lacis = lacis;
  }

  /** Measures what it is told to. */
  public static void main(String[] args) throws IOException {
    try (var lacis = Lacis.open()) {
      var subject = new LacisSubject(lacis);
      try {
        Conversation.serve(lacis.rank(), subject::work);
      } finally {
        subject.runtimes.values().forEach(Lacis::close);
      }
    }
  }

  private @Nullable Work work(Command command) {
    int threads = command.number("threads", 1);
    int bytes = command.number("bytes", 8);
    int window = command.number("window", 64);
    return switch (command.verb()) {
      case "am-latency" -> new Latency.ActiveMessages(lacis);
      case "sr-latency" -> new Latency.Matched(lacis);
      case "paced-latency" -> new Latency.Paced(lacis);
      case "am-rate" -> new Streams.ToHandler(lacis);
      case "amq-rate" -> new Streams.ToQueue(lacis);
      case "both-rate" -> new Streams.BothWays(lacis);
      case "sr-rate", "bandwidth" -> new Streams.Matched(lacis, bytes, window);
      case "thread-rate" ->
          new ThreadStreams(lacis, threads, command.word("devices").equals("dedicated"));
      case "matching" -> new Matching(runtime(command), window, command.word("kind"));
      case "pool", "matcher", "queue" -> new Resources(lacis, command.verb(), threads);
      case "put", "put-signal", "get" -> new OneSided(lacis, command.verb());
      case "allreduce", "allgather", "bcast", "barrier" ->
          new Together(
              lacis, collectives(), command.verb(), bytes, command.word("memory").equals("mapped"));
      default -> null;
    };
  }

  private Lacis runtime(Command command) {
    String engine = command.word("engine");
    int threads = command.number("threads", 0);
    boolean fastPath = !command.word("path").equals("slow");
    return runtimes.computeIfAbsent(
        engine + threads + fastPath, _ -> Lacis.open(Matching.options(engine, threads, fastPath)));
  }

  private Collectives collectives() {
    if (collectives == null) {
      collectives = Collectives.of(lacis);
    }
    return collectives;
  }
}
