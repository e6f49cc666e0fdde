package org.lacis.cli;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the ranks of a job on several hosts run, and how the hosts are reached.
 *
 * @param hosts those that have ranks
 * @param launch the words of the command that runs a command on a host
 * @param java the java of the hosts, or null if it is where ours is
 * @param library the folder of Lacis' jars on the hosts, or null if they are where ours are
 */
record HostPlan(
    List<Hosts.Host> hosts, List<String> launch, @Nullable String java, @Nullable String library) {
  /** Asks for nothing, as several would at once; notices when the host is cut off. */
  static final String SSH =
      "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=10 {host} {command}";

  private static final String HOST = "{host}";
  private static final String COMMAND = "{command}";

  static HostPlan of(
      List<Hosts.Host> hosts, String launch, @Nullable String java, @Nullable String library) {
    List<String> words;
    try {
      words = ShellWords.split(launch);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--launch " + launch + ": " + e.getMessage(), e);
    }
    if (!words.contains(COMMAND)) {
      throw new IllegalArgumentException(
          "--launch "
              + launch
              + ": there must be a word {command}, such as in: ssh {host} {command}");
    }
    return new HostPlan(hosts, words, java, library);
  }

  /** The host of a rank. */
  Hosts.Host of(int rank) {
    for (Hosts.Host host : hosts) {
      if (rank < host.first() + host.count()) {
        return host;
      }
    }
    throw new IllegalArgumentException("there is no rank " + rank);
  }

  /** The java of the hosts. */
  String javaCommand() {
    return java == null ? localJava() : java;
  }

  static String localJava() {
    return System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
  }

  /** A class path of this machine as it is on the hosts. */
  List<String> classPath(List<String> here) {
    if (library == null) {
      return here;
    }
    List<String> there = new ArrayList<>(here);
    there.removeAll(RankClassPath.agent());
    there.add(library + "/*");
    return there;
  }

  /** Whether files beside our own library are on the hosts, too. */
  boolean sameFiles() {
    return java == null && library == null;
  }

  /**
   * The command that starts the agent of a host. Nothing in it is secret.
   *
   * @param jvmOptions those of the ranks, which may say where their temporary files are
   */
  List<String> command(Hosts.Host host, List<String> jvmOptions) {
    List<String> agent = new ArrayList<>(List.of("exec", "env"));
    agent.addAll(TextForProcesses.locale(System.getenv()));
    agent.add(javaCommand());
    agent.addAll(List.of("-XX:-UsePerfData", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    for (String option : jvmOptions) {
      if (option.startsWith("-Djava.io.tmpdir=")) {
        agent.add(option);
      }
    }
    agent.add("-cp");
    agent.add(RankClassPath.join(classPath(RankClassPath.agent())));
    agent.add(HostAgent.class.getName());
    String line = ShellWords.join(agent);
    List<String> command = new ArrayList<>();
    for (String word : launch) {
      command.add(word.equals(COMMAND) ? line : word.replace(HOST, host.name()));
    }
    return command;
  }
}
