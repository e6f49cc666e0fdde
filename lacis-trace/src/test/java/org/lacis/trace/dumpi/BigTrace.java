package org.lacis.trace.dumpi;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;

/**
 * Makes long traces of short ones, by repeating what each rank does between its first and last
 * call.
 */
public final class BigTrace {
  private static final int INDEX = 64;

  private BigTrace() {}

  /**
   * Makes one.
   *
   * @param bytes how long it is at least, in all
   */
  public static Path make(Trace trace, Path folder, long bytes) throws IOException {
    Files.createDirectories(folder);
    for (RankTrace rank : trace.ranks()) {
      byte[] file = Samples.bytes(rank.file());
      var places = new long[2];
      rank.read(
          call -> {
            places[0] =
                places[0] == 0 && !call.type().name().startsWith("MPI_Init")
                    ? call.offset()
                    : places[0];
            places[1] = call.offset();
          });
      int from = (int) places[0];
      int to = (int) places[1];
      long times = bytes / trace.ranks().size() / (to - from) + 1;
      String name = "big-%04d.bin".formatted(rank.rank());
      try (OutputStream out =
          new BufferedOutputStream(Files.newOutputStream(folder.resolve(name)), 1 << 20)) {
        out.write(file, 0, from);
        for (long i = 0; i < times; i++) {
          out.write(file, from, to - from);
        }
        // What follows the body has moved.
        ByteBuffer index = ByteBuffer.wrap(file, file.length - INDEX, INDEX).slice();
        for (int at = 8; at < INDEX; at += 8) {
          long place = index.getLong(at);
          index.putLong(at, place > to ? place + (times - 1) * (to - from) : place);
        }
        out.write(file, to, file.length - to);
      }
    }
    return folder;
  }
}
