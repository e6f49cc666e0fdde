package org.lacis.trace.dumpi;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;

/**
 * Makes long traces of short ones, by repeating what each rank does between its first and last
 * call, each time later by as long as that took.
 */
public final class BigTrace {
  private static final int INDEX = 64;
  private static final long SECOND = 1_000_000_000;

  private BigTrace() {}

  /** A file, and what of it is repeated. */
  private static final class Part {
    final byte[] file;
    final List<Integer> calls = new ArrayList<>();
    int from;
    int to;
    long start = Long.MAX_VALUE;
    long stop;

    Part(RankTrace rank) throws IOException {
      file = Samples.bytes(rank.file());
      rank.read(
          call -> {
            if (!call.type().name().startsWith("MPI_Init")) {
              from = calls.isEmpty() ? (int) call.offset() : from;
              calls.add((int) call.offset());
              start = Math.min(start, call.wallStart());
              stop = Math.max(stop, call.wallStop());
            }
            to = (int) call.offset();
          });
      calls.removeLast();
    }

    /** Makes all calls later. */
    void shift(long nanos) {
      ByteBuffer bytes = ByteBuffer.wrap(file);
      for (int call : calls) {
        int mask = bytes.get(call + 2);
        int at = call + 3 + ((mask & 0x40) != 0 ? 2 : 0) + ((mask & 4) != 0 ? 12 : 0);
        for (int time = at; (mask & 8) != 0 && time < at + 12; time += 6) {
          long later = bytes.getShort(time) * SECOND + bytes.getInt(time + 2) + nanos;
          bytes.putShort(time, (short) (later / SECOND));
          bytes.putInt(time + 2, (int) (later % SECOND));
        }
      }
    }
  }

  /**
   * Makes one.
   *
   * @param bytes how long it is at least, in all
   */
  public static Path make(Trace trace, Path folder, long bytes) throws IOException {
    Files.createDirectories(folder);
    List<Part> parts = new ArrayList<>();
    for (RankTrace rank : trace.ranks()) {
      parts.add(new Part(rank));
    }
    long length = parts.stream().mapToLong(part -> part.to - part.from).sum();
    long span =
        parts.stream().mapToLong(part -> part.stop).max().orElseThrow()
            - parts.stream().mapToLong(part -> part.start).min().orElseThrow();
    for (int rank = 0; rank < parts.size(); rank++) {
      write(
          parts.get(rank),
          folder.resolve("big-%04d.bin".formatted(rank)),
          bytes / length + 1,
          span);
    }
    return folder;
  }

  private static void write(Part part, Path path, long times, long span) throws IOException {
    byte[] file = part.file;
    int length = part.to - part.from;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
      out.write(file, 0, part.from);
      for (long i = 0; i < times; i++) {
        out.write(file, part.from, length);
        part.shift(span);
      }
      // What follows the body has moved.
      ByteBuffer index = ByteBuffer.wrap(file, file.length - INDEX, INDEX).slice();
      for (int at = 8; at < INDEX; at += 8) {
        long place = index.getLong(at);
        index.putLong(at, place > part.to ? place + (times - 1) * length : place);
      }
      out.write(file, part.to, file.length - part.to);
    }
  }
}
