package org.lacis.boot;

import java.util.Map;

/**
 * What a launcher says to a process through its environment; the job is empty with launchers other
 * than ours.
 */
record PmiEnv(String host, int port, String id, int rank, int size, String job) {
  static final String RANK = "PMI_RANK";
  static final String SIZE = "PMI_SIZE";
  static final String PORT = "PMI_PORT";
  static final String ID = "PMI_ID";
  static final String FD = "PMI_FD";

  /** The ranks of a job are counted in an int array here and there: more is a mistake. */
  static final int MAX_SIZE = 1 << 20;

  static PmiEnv of(Map<String, String> env) {
    String port = required(env, PORT);
    int colon = port.lastIndexOf(':');
    if (colon <= 0) {
      throw new BootException(PORT + "=" + port + " is not of the form host:port");
    }
    int number = number(PORT, port.substring(colon + 1), 1, 65_535);
    int size = number(SIZE, required(env, SIZE), 1, MAX_SIZE);
    int rank = number(RANK, required(env, RANK), 0, size - 1);
    String id = env.getOrDefault(ID, Integer.toString(rank));
    if (!PmiLine.isPlain(id)) {
      throw new BootException(ID + " has characters that PMI cannot carry");
    }
    return new PmiEnv(
        port.substring(0, colon), number, id, rank, size, env.getOrDefault(JobProcesses.JOB, ""));
  }

  String address() {
    return host + ":" + port;
  }

  private static String required(Map<String, String> env, String name) {
    String value = env.get(name);
    if (value == null) {
      throw new BootException(
          name
              + " is missing from the environment, although "
              + PORT
              + " is there: was it removed on the way?");
    }
    return value;
  }

  private static int number(String name, String value, int min, int max) {
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
