package org.lacis.trace.depth;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;

/**
 * Keeps what was seen of ranks, by the content of their files and by what was emulated. That a file
 * has not changed is believed if its size, times and number in the file system are those it had;
 * else its content is looked at again. An entry that is damaged, or of another version, is as good
 * as none. Several processes may use the same folder.
 */
public final class ProfileCache {
  private static final int VERSION = 2;

  /** A file younger than this may still be written to without its time telling. */
  private static final long TOO_YOUNG_MS = 2000;

  private final Path folder;

  /** One in a folder, which is made if need be. */
  public ProfileCache(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  /** The folder of the user that is meant for such things. */
  public static Path usualFolder() {
    String given = System.getenv("XDG_CACHE_HOME");
    Path base =
        given == null || given.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(given);
    return base.resolve("lacis").resolve("trace");
  }

  /** What was seen of a rank; null if that is not known. */
  @Nullable RankProfile find(RankTrace rank, DepthOptions options) throws IOException {
    Path entry = entry(content(rank.file()), rank, options);
    if (!Files.exists(entry)) {
      return null;
    }
    var crc = new CRC32C();
    try (InputStream file = new BufferedInputStream(Files.newInputStream(entry), 1 << 16)) {
      var in = new DataInputStream(new CheckedInputStream(file, crc));
      RankProfile profile = RankProfile.read(in);
      long expected = crc.getValue();
      return in.readLong() == expected ? profile : null;
    } catch (IOException | RuntimeException e) {
      // Cut off or damaged: it is made anew.
      return null;
    }
  }

  /** Keeps what was seen of a rank. */
  void store(RankTrace rank, DepthOptions options, RankProfile profile) throws IOException {
    Path entry = entry(content(rank.file()), rank, options);
    var crc = new CRC32C();
    write(
        entry,
        file -> {
          var out = new DataOutputStream(new CheckedOutputStream(file, crc));
          profile.write(out);
          out.writeLong(crc.getValue());
          out.flush();
        });
  }

  /**
   * What was kept under a name about all of a trace, as it is now; null if nothing.
   *
   * @param name of what is kept, with everything it depends on beside the trace
   */
  public byte @Nullable [] find(Trace trace, String name) throws IOException {
    Path entry = entry(trace, name);
    if (!Files.exists(entry)) {
      return null;
    }
    byte[] all = Files.readAllBytes(entry);
    int length = all.length - Long.BYTES;
    if (length < 0) {
      return null;
    }
    var crc = new CRC32C();
    crc.update(all, 0, length);
    boolean good = ByteBuffer.wrap(all).getLong(length) == crc.getValue();
    return good ? Arrays.copyOf(all, length) : null;
  }

  /** Keeps something about all of a trace under a name. */
  public void store(Trace trace, String name, byte[] bytes) throws IOException {
    var crc = new CRC32C();
    crc.update(bytes);
    write(
        entry(trace, name),
        out -> {
          out.write(bytes);
          out.write(ByteBuffer.allocate(Long.BYTES).putLong(crc.getValue()).array());
        });
  }

  private Path entry(Trace trace, String name) throws IOException {
    var first = new CRC32();
    var second = new CRC32C();
    for (RankTrace rank : trace.ranks()) {
      byte[] content = (content(rank.file()) + " " + rank.rank()).getBytes(StandardCharsets.UTF_8);
      first.update(content);
      second.update(content);
    }
    first.update((trace.size() + name).getBytes(StandardCharsets.UTF_8));
    return folder.resolve(
        "%08x%08x-all.v%d".formatted(first.getValue(), second.getValue(), VERSION));
  }

  private Path entry(String content, RankTrace rank, DepthOptions options) {
    var crc = new CRC32();
    crc.update(options.toString().getBytes(StandardCharsets.UTF_8));
    return folder.resolve(
        "%s-%d-%08x.v%d".formatted(content, rank.rank(), crc.getValue(), VERSION));
  }

  /** What tells the content of a file from any other. */
  private String content(Path file) throws IOException {
    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
    String state =
        "%s %d %s %s"
            .formatted(
                file.toAbsolutePath().normalize(),
                now.size(),
                now.lastModifiedTime(),
                now.fileKey());
    var crc = new CRC32();
    crc.update(file.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8));
    Path memo = folder.resolve("%08x.file".formatted(crc.getValue()));
    if (Files.exists(memo)) {
      String[] lines = Files.readString(memo).split("\n");
      if (lines.length == 2 && lines[0].equals(state)) {
        return lines[1];
      }
    }
    String content = hash(file);
    if (System.currentTimeMillis() - now.lastModifiedTime().toMillis() > TOO_YOUNG_MS) {
      write(memo, out -> out.write((state + "\n" + content).getBytes(StandardCharsets.UTF_8)));
    }
    return content;
  }

  private static String hash(Path file) throws IOException {
    var first = new CRC32();
    var second = new CRC32C();
    ByteBuffer block = ByteBuffer.allocateDirect(1 << 18);
    long size = 0;
    try (FileChannel channel = FileChannel.open(file)) {
      while (channel.read(block) >= 0) {
        block.flip();
        size += block.remaining();
        first.update(block.duplicate());
        second.update(block);
        block.clear();
      }
    }
    return "%08x%08x%x".formatted(first.getValue(), second.getValue(), size);
  }

  private interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /** Readers see the whole file or none. */
  private void write(Path file, Writing writing) throws IOException {
    Path part = Files.createTempFile(folder, "new", ".part");
    try {
      try (var out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        writing.to(out);
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
