package org.lacis.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.ClassBundle;
import org.lacis.settings.Durations;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacis run}: starts the ranks of a job, and waits for them. */
@Command(
    name = "run",
    description =
        "Starts the ranks of a program, on this machine or on others, and waits for them.",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    customSynopsis = {
      "lacis run -n N [options] File.java [args]",
      "lacis run -n N [options] app.jar [args]",
      "lacis run -n N [options] -cp PATH Class [args]"
    },
    footer = {
      "",
      "The first rank that fails ends the job, unless --keep-going is given. Standard input goes to"
          + " rank 0.",
      "{rank} in --jvm and --env stands for the rank.",
      "Every option of the runtime has an environment variable and a system property, such as"
          + " --env LACIS_RING_CELLS=4096 or --jvm -Dlacis.ring-cells=4096: docs/options.md has"
          + " them all.",
      "Ranks get these JVM options, before yours: -XX:-UsePerfData"
          + " --enable-native-access=ALL-UNNAMED, a cache of classes if there is one"
          + " (-XX:AOTCache), a share of half the memory"
          + " (-XX:MaxRAMPercentage), and -XX:+UseSerialGC with fewer than two cores per rank."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all ranks ended with 0",
      "1:the program did not compile, a rank could not be started, a host could not be reached or"
          + " was lost, a rank ended while others wait for it, or the output could not be written",
      "2:the command line is wrong",
      "124:--timeout is over",
      "130, 143:the launcher was ended by SIGINT, SIGTERM",
      "141:nobody reads the output any more",
      "other:the exit code of the first rank that failed (128 + n if ended by signal n; 70 if it"
          + " lost the launcher)"
    })
final class RunCommand implements Callable<Integer> {
  static final int MAX_RANKS = 4096;

  @Option(
      names = {"-n", "-np", "--ranks"},
      paramLabel = "N",
      description = "How many ranks to start (default: 1; with hosts, as many as have room).")
  private @Nullable String size;

  @Option(
      names = {"-cp", "--class-path"},
      paramLabel = "PATH",
      description = "Jars and folders of the program; the Lacis library is added.")
  private @Nullable String classPath;

  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description = "Add this to the environment of the ranks. Repeatable.")
  private List<String> env = new ArrayList<>();

  @Option(
      names = "--jvm",
      paramLabel = "OPTIONS",
      description = "Options for the JVMs of the ranks, split as by a shell. Repeatable.")
  private List<String> jvm = new ArrayList<>();

  @Option(names = "--net", paramLabel = "NAME", description = "The network to use (as LACIS_NET).")
  private @Nullable String network;

  @Option(names = "--wdir", paramLabel = "FOLDER", description = "Where the ranks run.")
  private @Nullable File folder;

  @Option(
      names = "--bind",
      paramLabel = "CORES",
      description =
          "The cores of each rank: 0,1 gives one core to each, 0-1:2-3 a list to each;"
              + " with more ranks than entries, from the first again.")
  private @Nullable String bind;

  @Mixin private HostOptions others = new HostOptions();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "End the job after this time, such as 500ms, 30s, 2m or 1h.")
  private @Nullable String timeout;

  @Option(
      names = "--keep-going",
      description =
          "Go on without ranks that fail, for programs that know how to (onPeerFailure). Each is"
              + " reported at once; the exit code is that of the first.")
  private boolean keepGoing;

  @Option(names = "--tag-output", description = "Begin each line of output with its rank.")
  private boolean tagged;

  @Option(names = "--dry-run", description = "Print what would be started, and start nothing.")
  private boolean dryRun;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      hidden = true,
      description = "What to run, and its arguments.")
  private List<String> program = new ArrayList<>();

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    JobPlan plan;
    try {
      plan = plan();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    if (dryRun) {
      show(plan);
      return 0;
    }
    byte[] classes = new byte[0];
    File source = plan.program().source();
    if (source != null) {
      SourceCompiler.Result compiled =
          SourceCompiler.compile(
              source,
              plan.program().classPath(),
              plan.jvmOptions(),
              new PrintWriter(new OutputStreamWriter(System.err, System.err.charset())));
      if (compiled == null) {
        return 1;
      }
      classes = ClassBundle.pack(compiled.classes());
      plan = plan.with(plan.program().withMainClass(compiled.mainClass()));
    }
    return new Job(plan, classes).run();
  }

  private JobPlan plan() {
    Hosts hosts = others.hosts();
    int ranks = ranks(hosts == null ? 1 : hosts.total());
    HostPlan hostPlan = hosts == null ? null : others.plan(hosts.place(ranks));
    if (hosts == null && folder != null && !folder.isDirectory()) {
      throw new IllegalArgumentException(
          "--wdir "
              + folder
              + (folder.exists() ? ": that is not a folder" : ": there is no such folder"));
    }
    Duration limit = timeout == null ? null : limit(timeout);
    CoreLists cores =
        bind == null
            ? null
            : CoreLists.parse(bind, hosts == null ? CoreLists.online() : CoreLists.any());
    if (hosts == null && cores != null && CoreLists.taskset(System.getenv("PATH")) == null) {
      throw new IllegalArgumentException(
          "--bind "
              + bind
              + " needs the program taskset (of util-linux), which is not on the PATH");
    }
    List<String> options = new ArrayList<>();
    for (String words : jvm) {
      try {
        options.addAll(ShellWords.split(words));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--jvm " + words + ": " + e.getMessage(), e);
      }
    }
    Map<String, String> additions = additions();
    return new JobPlan(
        ranks,
        Program.of(program.getFirst(), classPath),
        program.subList(1, program.size()),
        options,
        additions,
        network,
        folder,
        cores,
        limit,
        hostPlan,
        tagged,
        keepGoing);
  }

  private static Duration limit(String timeout) {
    try {
      return Durations.parse(timeout);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--timeout " + timeout + ": " + e.getMessage(), e);
    }
  }

  private int ranks(int otherwise) {
    String text = size == null ? Integer.toString(otherwise) : size;
    try {
      int ranks = Integer.parseInt(text);
      if (ranks >= 1 && ranks <= MAX_RANKS) {
        return ranks;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "-n " + text + ": the number of ranks is from 1 to " + MAX_RANKS);
  }

  private Map<String, String> additions() {
    Map<String, String> additions = new LinkedHashMap<>();
    for (String entry : env) {
      int equals = entry.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "--env " + entry + ": that is not of the form NAME=VALUE");
      }
      additions.put(entry.substring(0, equals), entry.substring(equals + 1));
    }
    return additions;
  }

  private static void show(JobPlan plan) {
    HostPlan hosts = plan.hosts();
    if (hosts != null) {
      for (Hosts.Host host : hosts.hosts()) {
        System.out.println(ShellWords.join(hosts.command(host, plan.jvmOptions())));
      }
    }
    for (int rank = 0; rank < plan.size(); rank++) {
      List<String> words = new ArrayList<>();
      words.add("env");
      plan.environment(rank, "127.0.0.1:PORT", "TOKEN", "JOB")
          .forEach((name, value) -> words.add(name + "=" + value));
      words.addAll(plan.command(rank));
      System.out.println(ShellWords.join(words));
    }
  }
}
