package org.lacis.net.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetException;

/**
 * A file of shared memory, mapped. It is private to the user and sparse. The mapping ends when this
 * object is unreachable and not before, so that a late access by address cannot bring the JVM down.
 */
final class ShmFile {

  private final Path path;
  private final MemorySegment segment;

  private ShmFile(Path path, MemorySegment segment) {
    this.path = path;
    this.segment = segment;
  }

  /** The directories a file may be made in, best first. */
  static List<Path> directories() {
    List<Path> directories = new ArrayList<>();
    directories.add(Path.of("/dev/shm"));
    String temporary = System.getProperty("java.io.tmpdir");
    if (temporary != null) {
      directories.add(Path.of(temporary));
    }
    return directories;
  }

  /**
   * Makes a file that must not exist, in the first directory with room for the files of all ranks.
   *
   * @param name its name
   * @param bytes its length
   * @param ranks how many such files there will be
   */
  static ShmFile create(List<Path> directories, String name, long bytes, int ranks) {
    StringBuilder why = new StringBuilder();
    for (Path directory : directories) {
      try {
        String missing = missing(directory, bytes, ranks);
        if (missing == null) {
          return create(directory.resolve(name), bytes);
        }
        why.append("; ").append(missing);
      } catch (FileAlreadyExistsException e) {
        // No lack of room: in the next folder it would only go unnoticed.
        throw new NetException(
            directory.resolve(name) + " exists already: do two ranks have the same number?", e);
      } catch (IOException e) {
        why.append("; ").append(e);
      }
    }
    throw new NetException(
        "no place for a shared file of "
            + bytes
            + " bytes for each of "
            + ranks
            + " ranks"
            + why
            + ": make room there, or ask for less shared memory");
  }

  /**
   * Why files cannot be made in a directory; null if they can. Writing to a sparse file on a full
   * file system kills the process.
   */
  private static @Nullable String missing(Path directory, long bytes, int ranks)
      throws IOException {
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      return directory + " is not a directory this user may write to";
    }
    long usable = Files.getFileStore(directory).getUsableSpace();
    return usable / ranks < bytes ? directory + " has " + usable + " bytes left" : null;
  }

  private static ShmFile create(Path path, long bytes) throws IOException {
    Set<OpenOption> options =
        Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] mode =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    try (FileChannel channel = FileChannel.open(path, options, mode)) {
      return new ShmFile(path, channel.map(MapMode.READ_WRITE, 0, bytes, Arena.ofAuto()));
    } catch (IOException | RuntimeException e) {
      // Not if another file was there first: that one is not ours.
      if (!(e instanceof FileAlreadyExistsException)) {
        Files.deleteIfExists(path);
      }
      throw e;
    }
  }

  /** Maps the file of another rank. */
  static ShmFile open(Path path) throws IOException {
    Set<OpenOption> options =
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(path, options)) {
      return new ShmFile(path, channel.map(MapMode.READ_WRITE, 0, channel.size(), Arena.ofAuto()));
    }
  }

  Path path() {
    return path;
  }

  long address() {
    return segment.address();
  }

  long length() {
    return segment.byteSize();
  }

  /** A part of it, which stays mapped for as long as the answer is reachable. */
  MemorySegment view(long offset, long bytes) {
    return segment.asSlice(offset, bytes);
  }

  /** Removes its name: who has it mapped keeps it. */
  void unlink() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new NetException("cannot delete " + path + ": delete it by hand", e);
    }
  }
}
