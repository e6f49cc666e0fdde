package org.lacis.trace.replay;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Blocks of numbers that find no room in memory: in a temporary file, which goes when closed. */
final class Spill implements Closeable {
  private final Path folder;
  private final ByteBuffer bytes;
  private final Ints free = new Ints();
  private @Nullable FileChannel file;
  private int blocks;

  /** In the usual folder of temporary files, for blocks of so many numbers. */
  Spill(int length) {
    this(Path.of(System.getProperty("java.io.tmpdir")), length);
  }

  Spill(Path folder, int length) {
    this.folder = folder;
    bytes = ByteBuffer.allocate(Long.BYTES * length);
  }

  /** How many numbers a block has. */
  int length() {
    return bytes.capacity() / Long.BYTES;
  }

  /** Writes a block, and answers its number. */
  int write(long[] block) throws IOException {
    FileChannel to = file;
    if (to == null) {
      Path path = Files.createTempFile(folder, "lacis-replay", ".spill");
      to =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      file = to;
    }
    int number = free.size() > 0 ? free.removeLast() : blocks++;
    bytes.clear().asLongBuffer().put(block);
    long at = place(number);
    while (bytes.hasRemaining()) {
      at += to.write(bytes, at);
    }
    return number;
  }

  /** Reads a block, and forgets it. */
  void read(int number, long[] block) throws IOException {
    FileChannel from = file;
    if (from == null) {
      throw new IllegalStateException("no block was written");
    }
    bytes.clear();
    long at = place(number);
    while (bytes.hasRemaining()) {
      int read = from.read(bytes, at);
      if (read < 0) {
        throw new IOException("the temporary file was cut off");
      }
      at += read;
    }
    bytes.flip().asLongBuffer().get(block);
    free.add(number);
  }

  /** How many blocks were in the file at the same time, at most. */
  int most() {
    return blocks;
  }

  private long place(int number) {
    return (long) number * bytes.capacity();
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
