package org.lacis.boot;

import java.util.Map;

/**
 * What a launcher says to a process through its environment.
 *
 * @param host where the launcher listens; empty if there is a descriptor
 * @param port its port there
 * @param fd the descriptor this process has inherited, or -1
 * @param id what the launcher knows this process by
 * @param rank of this process
 * @param size of the job; 0 if only the launcher knows, once connected to
 * @param job the id that {@code lacis run} has given the job; empty with other launchers
 * @param launcherJob the name another launcher has for the job; 0 if it tells none
 */
record PmiEnv(
    String host, int port, int fd, String id, int rank, int size, String job, String launcherJob) {
  static final String RANK = "PMI_RANK";
  static final String SIZE = "PMI_SIZE";
  static final String PORT = "PMI_PORT";
  static final String ID = "PMI_ID";
  static final String FD = "PMI_FD";
  private static final String LAUNCHER_JOB = "PMI_JOBID";

  /** The ranks of a job are counted in an int array here and there: more is a mistake. */
  static final int MAX_SIZE = 1 << 20;

  private static final int MAX_FD = 1 << 20;

  /** Reads an environment, which has a port or a descriptor. */
  static PmiEnv of(Map<String, String> env) {
    String host = "";
    int port = 0;
    int fd = -1;
    String address = env.get(PORT);
    String descriptor = env.get(FD);
    String way = address == null ? FD : PORT;
    if (address != null) {
      int colon = address.lastIndexOf(':');
      if (colon <= 0) {
        throw new BootException(PORT + "=" + address + " is not of the form host:port");
      }
      host = address.substring(0, colon);
      port = number(PORT, address.substring(colon + 1), 1, 65_535);
    } else if (descriptor != null) {
      fd = number(FD, descriptor, 0, MAX_FD);
    } else {
      throw new BootException(
          "neither "
              + PORT
              + " nor "
              + FD
              + " is in the environment: no launcher that speaks PMI has started this process");
    }
    // Hydra with -pmi-port leaves both out, and tells them who connects.
    boolean told = fd < 0 && !env.containsKey(SIZE) && !env.containsKey(RANK);
    int size = told ? 0 : number(SIZE, required(env, SIZE, way), 1, MAX_SIZE);
    int rank =
        told
            ? number(ID, required(env, ID, way), 0, MAX_SIZE - 1)
            : number(RANK, required(env, RANK, way), 0, size - 1);
    return new PmiEnv(
        host,
        port,
        fd,
        plain(ID, env.getOrDefault(ID, Integer.toString(rank))),
        rank,
        size,
        env.getOrDefault(JobProcesses.JOB, ""),
        plain(LAUNCHER_JOB, env.getOrDefault(LAUNCHER_JOB, "0")));
  }

  String address() {
    return host + ":" + port;
  }

  /** How the launcher is reached. */
  String way() {
    return fd >= 0 ? "on descriptor " + fd : "at " + address();
  }

  private static String required(Map<String, String> env, String name, String way) {
    String value = env.get(name);
    if (value == null) {
      throw new BootException(
          name
              + " is missing from the environment, although "
              + way
              + " is there: was it removed on the way?");
    }
    return value;
  }

  private static String plain(String name, String value) {
    if (!PmiLine.isPlain(value)) {
      throw new BootException(name + " has characters that PMI cannot carry");
    }
    return value;
  }

  /** The number in a variable, within these limits. */
  static int number(String name, String value, int min, int max) {
    try {
      int n = Integer.parseInt(value);
      if (n >= min && n <= max) {
        return n;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new BootException(
        name + " holds \"" + value + "\", which is not a number from " + min + " to " + max);
  }
}
