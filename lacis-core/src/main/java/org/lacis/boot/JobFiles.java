package org.lacis.boot;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a job: all those in the usual folders whose names begin with {@code lacis-} and the
 * job's id.
 */
public final class JobFiles {
  private static final String SHARED_MEMORY = "/dev/shm";
  private static final Pattern MEMORY_FILE = Pattern.compile("lacis-[0-9a-f]{32}-[0-9]+");
  private static final Duration OLD = Duration.ofHours(1);

  private JobFiles() {}

  /** Is this the id of a job: 32 hexadecimal digits? */
  public static boolean isJobId(@Nullable String id) {
    if (id == null || id.length() != 32) {
      return false;
    }
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
        return false;
      }
    }
    return true;
  }

  /**
   * Removes what a job has left behind in {@code /dev/shm} and in the folder for temporary files.
   * Does nothing unless the id is one: a short or empty one would fit the files of others. What
   * cannot be removed stays.
   */
  public static void remove(@Nullable String jobId) {
    if (jobId != null && isJobId(jobId)) {
      String prefix = "lacis-".concat(jobId);
      removeFrom(new File(SHARED_MEMORY), prefix);
      removeFrom(new File(System.getProperty("java.io.tmpdir", "/tmp")), prefix);
    }
  }

  /**
   * Removes this user's files of shared memory that are older than an hour. They have names only
   * while a job opens: these are of jobs that were killed just then, together with whoever would
   * have cleaned up.
   */
  static void removeOld() {
    removeOld(Path.of(SHARED_MEMORY));
  }

  static void removeOld(Path folder) {
    String[] names = folder.toFile().list();
    if (names == null) {
      return;
    }
    String user = System.getProperty("user.name");
    Instant limit = Instant.now().minus(OLD);
    for (String name : names) {
      Path file = folder.resolve(name);
      try {
        if (MEMORY_FILE.matcher(name).matches()
            && Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                .toInstant()
                .isBefore(limit)
            && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName().equals(user)) {
          Files.deleteIfExists(file);
        }
      } catch (IOException | UnsupportedOperationException e) {
        // Just being removed by another rank, or not ours to remove.
      }
    }
  }

  private static void removeFrom(File folder, String prefix) {
    String[] names = folder.list();
    if (names == null) {
      return;
    }
    for (String name : names) {
      if (name.startsWith(prefix)) {
        removeTree(folder.toPath().resolve(name));
      }
    }
  }

  private static void removeTree(Path path) {
    try {
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        String[] names = path.toFile().list();
        if (names != null) {
          for (String name : names) {
            removeTree(path.resolve(name));
          }
        }
      }
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // Of another user, or just being removed by another rank: nothing more can be done about it.
    }
  }
}
