package org.lacis.cli;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.settings.Setting;
import org.lacis.settings.Settings;

/**
 * Everything that is known about a job before it starts.
 *
 * @param size the number of ranks
 * @param program what to run
 * @param args its arguments
 * @param jvmOptions the user's options for the ranks' JVMs; {@code {rank}} in them stands for the
 *     rank
 * @param env the user's additions to the environment; {@code {rank}} likewise
 * @param network the network to use, or null
 * @param folder where the ranks run, or null for where the launcher does
 * @param cores the cores of each rank, or null
 * @param timeout how long the job may take, or null
 * @param hosts where the ranks run, or null for this machine
 * @param tagged whether lines of output begin with the rank
 * @param keepGoing whether the job goes on without ranks that fail
 */
record JobPlan(
    int size,
    Program program,
    List<String> args,
    List<String> jvmOptions,
    Map<String, String> env,
    @Nullable String network,
    @Nullable File folder,
    @Nullable CoreLists cores,
    @Nullable Duration timeout,
    @Nullable HostPlan hosts,
    boolean tagged,
    boolean keepGoing) {

  private static final String RANK_MAIN = "org.lacis.boot.RankMain";

  /** The same with another program. */
  JobPlan with(Program other) {
    return new JobPlan(
        size,
        other,
        args,
        jvmOptions,
        env,
        network,
        folder,
        cores,
        timeout,
        hosts,
        tagged,
        keepGoing);
  }

  /** The command line of a rank. */
  List<String> command(int rank) {
    Hosts.Host host = hosts == null ? null : hosts.of(rank);
    List<String> command = new ArrayList<>();
    if (cores != null) {
      String taskset = host == null ? CoreLists.taskset(System.getenv("PATH")) : null;
      command.add(taskset == null ? "taskset" : taskset);
      command.add("-c");
      command.add(cores.of(host == null ? rank : rank - host.first()));
    }
    command.add(hosts == null ? HostPlan.localJava() : hosts.javaCommand());
    List<String> chosen = new ArrayList<>(program.jvmOptions());
    for (String option : jvmOptions) {
      chosen.add(ofRank(option, rank));
    }
    command.addAll(
        JvmDefaults.of(
            host == null ? size : host.count(),
            Runtime.getRuntime().availableProcessors(),
            chosen,
            System.getenv()));
    List<String> classPath = program.classPath();
    if (hosts == null || hosts.sameFiles()) {
      command.addAll(JvmDefaults.ofCache(JvmDefaults.cache(), chosen, classPath));
    }
    command.add("-cp");
    command.add(RankClassPath.join(hosts == null ? classPath : hosts.classPath(classPath)));
    command.addAll(chosen);
    command.add(RANK_MAIN);
    command.add(program.sent() ? "--sent" : "--class");
    command.add(program.mainClass());
    command.addAll(args);
    return command;
  }

  /**
   * What a rank's environment has beside that of the process that starts it: the user's additions,
   * then what the bootstrap needs. On another host, also the launcher's own settings.
   */
  Map<String, String> environment(int rank, String address, String token, String jobId) {
    Map<String, String> additions = new LinkedHashMap<>();
    if (hosts != null) {
      for (Setting<?> setting : Settings.all()) {
        String value = System.getenv(setting.variable());
        if (value != null) {
          additions.put(setting.variable(), value);
        }
      }
      additions.put(Settings.HOST.variable(), hosts.of(rank).name());
    }
    for (Map.Entry<String, String> entry : env.entrySet()) {
      additions.put(entry.getKey(), ofRank(entry.getValue(), rank));
    }
    if (network != null) {
      additions.put(Settings.NET.variable(), network);
    }
    additions.put("PMI_RANK", Integer.toString(rank));
    additions.put("PMI_SIZE", Integer.toString(size));
    additions.put("PMI_PORT", address);
    additions.put("PMI_ID", token);
    additions.put("PMI_SPAWNED", "0");
    additions.put("LACIS_JOB", jobId);
    return additions;
  }

  /** Who a rank is, for messages. */
  String name(int rank) {
    return "rank " + rank + (hosts == null ? "" : " on host " + hosts.of(rank).name());
  }

  /** Where the ranks run, as hosts that share our files know it. */
  String folderName() {
    return (folder == null ? new File("") : folder).getAbsolutePath();
  }

  private static String ofRank(String text, int rank) {
    return text.replace("{rank}", Integer.toString(rank));
  }
}
