package org.lacis.trace.io;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.TraceException;

/**
 * A file as it was before it was compressed, if it was; told by its first bytes, not by its name. A
 * binary trace is read from its end, so what was compressed goes to a temporary file.
 */
public final class Unpacked implements Closeable {
  private final Path file;
  private final FileChannel channel;
  private final @Nullable TraceException damage;

  private Unpacked(Path file, FileChannel channel, @Nullable TraceException damage) {
    this.file = file;
    this.channel = channel;
    this.damage = damage;
  }

  /** Opens a file. Of one that is compressed and damaged there is what precedes the damage. */
  public static Unpacked open(Path file) throws IOException {
    if (!isPacked(file)) {
      return new Unpacked(file, FileChannel.open(file, StandardOpenOption.READ), null);
    }
    Path copy = Files.createTempFile("lacis-trace", ".unpacked");
    try {
      TraceException damage = unpack(file, copy);
      return new Unpacked(
          file,
          FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE),
          damage);
    } catch (IOException e) {
      Files.delete(copy);
      throw e;
    }
  }

  private static @Nullable TraceException unpack(Path file, Path copy) throws IOException {
    try (InputStream in = stream(file);
        var out = Files.newOutputStream(copy)) {
      in.transferTo(out);
      return null;
    } catch (TraceException e) {
      return e;
    }
  }

  /** The same, from start to end. */
  public static InputStream stream(Path file) throws IOException {
    var in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      return isPacked(file) ? new Checked(file, new GZIPInputStream(in, 1 << 16)) : in;
    } catch (ZipException | EOFException e) {
      in.close();
      throw new TraceException(file, 0, "is not a complete gzip file: " + e.getMessage());
    }
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** Why there is no more of it than could be decompressed; null if all of it is there. */
  public @Nullable TraceException damage() {
    return damage;
  }

  /** What is in it, decompressed. */
  public FileChannel channel() {
    return channel;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static boolean isPacked(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == 0x1f && in.read() == 0x8b;
    }
  }

  /** Says where a compressed file is damaged. */
  private static final class Checked extends InputStream {
    private final Path file;
    private final GZIPInputStream in;
    private long done;

    Checked(Path file, GZIPInputStream in) {
      this.file = file;
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      try {
        int read = in.read(bytes, from, length);
        done += Math.max(read, 0);
        return read;
      } catch (ZipException | EOFException e) {
        throw new TraceException(
            file,
            done,
            "cannot be decompressed any further (the place is one in what it was before): "
                + e.getMessage());
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
