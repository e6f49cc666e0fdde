package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.lacis.Completion;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.Poster;
import org.lacis.ReceiveHandle;
import org.lacis.testkit.Witness.OfHandler;

/** Talk by an ordered matching engine of a job. */
final class Ordered {

  /** Small tables, which are full soon. */
  static final List<MatchingOptions> KINDS =
      List.of(
          MatchingOptions.list(),
          MatchingOptions.ordered().bins(4).maxReceives(8),
          MatchingOptions.ordered().bins(4).maxReceives(8).threads(2));

  private final Job job;
  private final List<MatchingEngine> engines;

  Ordered(Job job, MatchingOptions options) {
    this.job = job;
    this.engines = job.newMatchingEngines(options);
  }

  MatchingEngine engine(int rank) {
    return engines.get(rank);
  }

  /** What the engine of a rank has counted. */
  long info(int rank, String count) {
    return (long) engines.get(rank).info().value(count);
  }

  /** Sends a message that knows its number. */
  void send(Poster from, int sender, int to, int tag, int size, long number) {
    MemorySegment message = Talk.filled(size, number);
    job.insist(
        "a send",
        () ->
            from.send()
                .to(to)
                .tag(tag)
                .buffer(message)
                .matching(engines.get(sender))
                .post(Completion.NONE));
  }

  /** Sends without any progress: what finds no room waits in the backlog. */
  void queue(Poster from, int sender, int to, int tag, int size, long number) {
    from.send()
        .to(to)
        .tag(tag)
        .buffer(Talk.filled(size, number))
        .matching(engines.get(sender))
        .allowRetry(false)
        .post(Completion.NONE);
  }

  void send(int from, int to, int tag, int size, long number) {
    send(job.rank(from), from, to, tag, size, number);
  }

  OfHandler receive(int at, int from, int tag, int size) {
    return receive(at, from, tag, size, ReceiveHandle.create());
  }

  OfHandler receive(int at, int from, int tag, int size, ReceiveHandle handle) {
    return Talk.receive(
        job,
        at,
        size,
        options -> options.from(from).tag(tag).matching(engines.get(at)).handle(handle));
  }

  /** Waits for the message of a receive, which must be this one. */
  void expect(OfHandler received, int from, int tag, long number) {
    job.until("message " + number, received::heard);
    Outcome told = received.told();
    if (told.error() != null || told.rank() != from || told.tag() != tag) {
      throw new AssertionError(
          "expected message %d of rank %d, tag %d, but was told %s"
              .formatted(number, from, tag, told));
    }
    Pattern.check("message " + number, told.payload(), number);
  }

  /** Waits until so many messages have come that no receive was there for. */
  void untilWaiting(int at, long messages) {
    job.until(messages + " messages to wait", () -> engines.get(at).waitingMessages() == messages);
  }
}
