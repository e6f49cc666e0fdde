package org.lacis.bench.subject;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * The least there can be between two processes: a ring of cells in each direction, in a file both
 * have mapped.
 *
 * <pre>
 *   0      a line for each rank, for bounces
 *   1024   how many cells have been read, a line for each rank that reads
 *   4096   1024 cells of 64 bytes for rank 0 to read:  turn | payload
 *   …      the same for rank 1
 *   …      memory for copies
 * </pre>
 */
final class Ring {
  private static final int COPIES = 4096 + 2 * 1024 * 64;
  private static final int COPIES_BYTES = 16 << 20;
  static final int BYTES = COPIES + COPIES_BYTES;

  private static final int CELLS = 1024;
  private static final int CELL = 64;
  private static final int PUBLISHED_EVERY = 64;

  /** A constant to the compiler, which is what makes it as quick as it can be. */
  private static final MemorySegment MEMORY = map();

  private static final VarHandle WORD = JAVA_LONG.varHandle();

  private final long out;
  private final long in;
  private final long outRead;
  private final long inRead;
  private final long myLine;
  private final long otherLine;
  private long sent;
  private long received;
  private long readByPeer;
  private long bounced;

  Ring(int rank) {
    in = 4096 + (long) rank * CELLS * CELL;
    out = 4096 + (1L - rank) * CELLS * CELL;
    inRead = 1024 + 256L * rank;
    outRead = 1024 + 256L * (1 - rank);
    myLine = 256L * rank;
    otherLine = 256L * (1 - rank);
  }

  private static MemorySegment map() {
    Path file = Path.of(Objects.requireNonNull(System.getenv("BENCH_FILE")));
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.global());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Memory that both have mapped and rings do not use. */
  static MemorySegment forCopies() {
    return MEMORY.asSlice(COPIES, COPIES_BYTES);
  }

  void send(long payload) {
    long turn = sent++;
    while (turn - readByPeer >= CELLS) {
      readByPeer = (long) WORD.getAcquire(MEMORY, outRead);
      Thread.onSpinWait();
    }
    long cell = out + (turn & (CELLS - 1)) * CELL;
    MEMORY.set(JAVA_LONG, cell + 8, payload);
    WORD.setRelease(MEMORY, cell, turn + 1);
  }

  long receive() {
    long turn = received++;
    long cell = in + (turn & (CELLS - 1)) * CELL;
    while ((long) WORD.getAcquire(MEMORY, cell) != turn + 1) {
      Thread.onSpinWait();
    }
    long payload = MEMORY.get(JAVA_LONG, cell + 8);
    if ((turn & (PUBLISHED_EVERY - 1)) == PUBLISHED_EVERY - 1) {
      WORD.setRelease(MEMORY, inRead, turn + 1);
    }
    return payload;
  }

  /** Hands a number to the peer and waits until it has come back. */
  void bounce(boolean first) {
    long turn = ++bounced;
    if (first) {
      WORD.setRelease(MEMORY, myLine, turn);
    }
    while ((long) WORD.getAcquire(MEMORY, otherLine) != turn) {
      Thread.onSpinWait();
    }
    if (!first) {
      WORD.setRelease(MEMORY, myLine, turn);
    }
  }
}
