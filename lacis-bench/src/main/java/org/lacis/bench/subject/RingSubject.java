package org.lacis.bench.subject;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the memory itself gives: a bounce of cache lines, a bare ring, a copy within one process.
 * Not a library; the limit of all of them.
 */
public final class RingSubject {
  private final boolean first;
  private final Ring ring;

  private RingSubject(int rank) {
    first = rank == 0;
    ring = new Ring(rank);
  }

  /** Measures what it is told to. */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(System.getenv("PMI_RANK"));
    Conversation.serve(rank, new RingSubject(rank)::work);
  }

  private @Nullable Work work(Command command) {
    return switch (command.verb()) {
      case "bounce" -> this::bounce;
      case "am-latency" -> this::pingPong;
      case "am-rate" -> this::stream;
      case "copy" -> copy(command.number("bytes", 8));
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

  /** One process copies, out of four buffers in turn into four others; the other one rests. */
  private Work copy(int bytes) {
    var from = new MemorySegment[4];
    var to = new MemorySegment[4];
    for (int i = 0; first && i < from.length; i++) {
      from[i] = Arena.ofAuto().allocate(bytes, 4096).fill((byte) 1);
      to[i] = Arena.ofAuto().allocate(bytes, 4096).fill((byte) 2);
    }
    return command -> {
      long start = System.nanoTime();
      for (long i = 0; first && i < command.count(); i++) {
        to[(int) (i & 3)].copyFrom(from[(int) (i & 3)]);
      }
      return since(start);
    };
  }

  private Timing since(long start) {
    return Timing.of(first ? System.nanoTime() - start : 0);
  }
}
