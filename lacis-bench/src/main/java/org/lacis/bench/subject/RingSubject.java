package org.lacis.bench.subject;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the memory itself gives: a bounce of cache lines, a bare ring, copies by one core. Not a
 * library; the limit of all of them.
 */
public final class RingSubject {
  /** The length of the file that both ranks map. */
  public static final int FILE_BYTES = Ring.BYTES;

  private final boolean first;
  private final Ring ring;
  private final Copies copies;

  private RingSubject(int rank) {
    first = rank == 0;
    ring = new Ring(rank);
    copies = new Copies(ring, first);
  }

  /** Measures what it is told to. */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(System.getenv("PMI_RANK"));
    Conversation.serve(rank, new RingSubject(rank)::work);
  }

  private @Nullable Work work(Command command) {
    int bytes = command.number("bytes", 8);
    return switch (command.verb()) {
      case "bounce" -> this::bounce;
      case "am-latency" -> this::pingPong;
      case "am-rate" -> this::stream;
      case "copy" -> copies.within(bytes);
      case "copy-in" -> copies.in(bytes);
      case "bandwidth", "allreduce", "allgather" -> copies.out(bytes, command.number("window", 1));
      default -> null;
    };
  }

  private Timing bounce(Command command) {
    ring.bounce(first);
    long start = System.nanoTime();
    for (long i = command.count(); i > 0; i--) {
      ring.bounce(first);
    }
    return since(start);
  }

  private Timing pingPong(Command command) {
    ring.bounce(first);
    long start = System.nanoTime();
    for (long i = command.count(); i > 0; i--) {
      if (first) {
        ring.send(i);
      }
      ring.receive();
      if (!first) {
        ring.send(i);
      }
    }
    return since(start);
  }

  private Timing stream(Command command) {
    ring.bounce(first);
    long start = System.nanoTime();
    if (first) {
      for (long i = command.count(); i > 0; i--) {
        ring.send(i);
      }
      ring.receive();
    } else {
      for (long i = command.count(); i > 0; i--) {
        ring.receive();
      }
      ring.send(0);
    }
    return since(start);
  }

  private Timing since(long start) {
    return Timing.of(first ? System.nanoTime() - start : 0);
  }
}
