package org.lacis.net.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lacis.net.Network.Exchange;

/** Ranks that are processes of their own and meet in a directory. */
record FileExchange(Path directory, String jobId, int rank, int size) implements Exchange {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @Override
  public String[] allGather(String name, String value) {
    try {
      Path own = directory.resolve(name + "." + rank);
      Path draft = directory.resolve(name + "." + rank + ".draft");
      Files.writeString(draft, value);
      Files.move(draft, own, StandardCopyOption.ATOMIC_MOVE);
      var values = new String[size];
      for (int peer = 0; peer < size; peer++) {
        values[peer] = await(directory.resolve(name + "." + peer));
      }
      return values;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String await(Path path) throws IOException {
    long limit = System.nanoTime() + LIMIT_NANOS;
    while (!Files.exists(path)) {
      if (System.nanoTime() > limit) {
        throw new IOException("waited 60 s for " + path);
      }
      LockSupport.parkNanos(1_000_000);
    }
    return Files.readString(path);
  }
}
