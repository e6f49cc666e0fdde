package org.lacis.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.testkit.Witness.OfHandler;

/** Small conversations that tests share. */
final class Talk {

  /** So many refusals in a row are not chance. */
  private static final int REFUSALS = 64;

  private Talk() {}

  /** One message of each protocol: inject, buffer-copy, zero-copy. */
  static List<Integer> sizes(Lacis lacis) {
    return List.of(lacis.injectLimit(), lacis.eagerLimit(), lacis.eagerLimit() + 1);
  }

  /** New native memory. */
  static MemorySegment memory(long bytes) {
    return Arena.ofAuto().allocate(bytes);
  }

  /** New native memory with the contents that belong to a number. */
  static MemorySegment filled(long bytes, long number) {
    MemorySegment segment = memory(bytes);
    Pattern.fill(segment, number);
    return segment;
  }

  /** Sends a message of each protocol both ways between two ranks, and checks that it arrives. */
  static void check(Job job, int one, int other) {
    for (int size : sizes(job.rank(one))) {
      check(job, one, other, size);
      check(job, other, one, size);
    }
  }

  private static void check(Job job, int from, int to, int size) {
    int tag = Lacis.MAX_TAG;
    MemorySegment message = filled(size, from + 1);
    MemorySegment buffer = memory(size);
    Witness received = Witness.handler();
    Witness sent = Witness.handler();
    job.insist("a receive", () -> job.rank(to).recv(from, buffer, tag, received.completion()));
    Post answer =
        job.insist("a send", () -> job.rank(from).send(to, message, tag, sent.completion()));
    job.await("a send", sent, answer);
    job.until("a message of " + size + " bytes that should still get through", received::heard);
    Pattern.check("a message that should still get through", buffer, from + 1);
  }

  /** Posts a receive of at most so many bytes; the options say which message it is for. */
  static OfHandler receive(Job job, int at, int size, UnaryOperator<Posting> options) {
    MemorySegment buffer = memory(size);
    OfHandler received = Witness.handler();
    job.insist(
        "a receive",
        () -> options.apply(job.rank(at).recv().buffer(buffer)).post(received.completion()));
    return received;
  }

  /**
   * Receives a message that was sent already, or will be; it must have the contents that belong to
   * a number.
   */
  static Outcome receive(Job job, int at, int from, int tag, int size, long number) {
    MemorySegment buffer = memory(size);
    Witness received = Witness.handler();
    job.insist("a receive", () -> job.rank(at).recv(from, buffer, tag, received.completion()));
    job.until("a message of tag " + tag + " from rank " + from, received::heard);
    Pattern.check("tag " + tag, buffer, 0, received.told().length(), number);
    return received.told();
  }

  /**
   * Sends so that the completion object is signalled, whatever the protocol; the message waits for
   * its receive.
   */
  static Witness send(Job job, int from, int to, int tag, int size, long number) {
    MemorySegment message = filled(size, number);
    Witness sent = Witness.handler();
    job.insist(
        "a send",
        () ->
            job.rank(from)
                .send()
                .to(to)
                .buffer(message)
                .tag(tag)
                .allowDone(false)
                .post(sent.completion()));
    return sent;
  }

  /**
   * Posts, without progress, until there is no room.
   *
   * @return the answers: what was taken first, then the refusals
   */
  static List<Post> flood(Supplier<Post> post) {
    List<Post> answers = new ArrayList<>();
    for (int refusals = 0; refusals < REFUSALS; ) {
      Post answer = post.get();
      answers.add(answer);
      refusals = answer.isRetry() ? refusals + 1 : 0;
      if (answers.size() > 1 << 20) {
        throw new AssertionError("a million posts and still no refusal");
      }
    }
    return answers;
  }

  /** How many posts were taken. */
  static int taken(List<Post> answers) {
    return (int) answers.stream().filter(answer -> !answer.isRetry()).count();
  }

  /** Sends, and receives: before that, or after the message has come. Answers what the send did. */
  static <T> T meet(Job job, boolean early, Runnable receive, Supplier<T> send) {
    if (early) {
      receive.run();
    }
    T answer = send.get();
    if (!early) {
      job.progressOn();
      receive.run();
    }
    return answer;
  }
}
