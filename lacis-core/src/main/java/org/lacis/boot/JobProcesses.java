package org.lacis.boot;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a job, known by the job's id in their environment: ranks, and whatever ranks
 * have started, even if its parent is gone. Where the system has no {@code /proc}, only the
 * descendants of this process are found.
 */
public final class JobProcesses {
  /** The environment variable that holds the id of the job. */
  public static final String JOB = "LACIS_JOB";

  private JobProcesses() {}

  /** Kills every process of a job but this one. Returns how many it found. */
  public static int kill(String jobId) {
    return kill(jobId, -1);
  }

  /**
   * Kills what one rank of a job, or any if the rank is negative, has started. Returns how many it
   * found.
   */
  static int kill(String jobId, int rank) {
    List<ProcessHandle> found = find(jobId, rank);
    for (ProcessHandle process : found) {
      process.destroyForcibly();
    }
    return found.size();
  }

  /** All processes of a job but this one. */
  public static List<ProcessHandle> find(String jobId) {
    return find(jobId, -1);
  }

  private static List<ProcessHandle> find(String jobId, int rank) {
    List<ProcessHandle> found = new ArrayList<>();
    if (!JobFiles.isJobId(jobId)) {
      return found;
    }
    ProcessHandle self = ProcessHandle.current();
    String[] names = new File("/proc").list();
    if (names == null || !Files.exists(Path.of("/proc/self/environ"))) {
      self.descendants().forEach(found::add);
      return found;
    }
    byte[] job = variable(JOB, jobId);
    byte[] ofRank = rank < 0 ? null : variable(PmiEnv.RANK, Integer.toString(rank));
    for (String name : names) {
      char first = name.charAt(0);
      if (first < '1' || first > '9' || !inEnvironment(name, job, ofRank)) {
        continue;
      }
      Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(name));
      if (process.isPresent() && !process.get().equals(self)) {
        found.add(process.get());
      }
    }
    return found;
  }

  private static byte[] variable(String name, String value) {
    return (name + "=" + value + "\0").getBytes(StandardCharsets.US_ASCII);
  }

  private static boolean inEnvironment(String pid, byte[] job, byte @Nullable [] rank) {
    try {
      byte[] environment = Files.readAllBytes(Path.of("/proc", pid, "environ"));
      return holds(environment, job) && (rank == null || holds(environment, rank));
    } catch (IOException e) {
      return false; // of another user, or gone
    }
  }

  /** Does a block of variables, each ended by a zero, hold this one? */
  private static boolean holds(byte[] block, byte[] variable) {
    int at = 0;
    while (at + variable.length <= block.length) {
      int i = 0;
      while (i < variable.length && block[at + i] == variable[i]) {
        i++;
      }
      if (i == variable.length) {
        return true;
      }
      at += i;
      while (at < block.length && block[at] != 0) {
        at++;
      }
      at++;
    }
    return false;
  }
}
