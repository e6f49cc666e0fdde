package org.lacis.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lacis.bench.Bench;
import org.lacis.bench.BenchOptions;
import org.lacis.bench.Group;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacis bench}: how fast Lacis is on this machine, beside others. */
@Command(
    name = "bench",
    description =
        "Measures Lacis and every peer found on this machine, in the same run, sample by sample in"
            + " turn.",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    customSynopsis = {
      "lacis bench [options] [all|GROUP...]",
      "lacis bench --compare FOLDER FOLDER"
    },
    footer = {
      "",
      "Groups (all of them take 20 minutes, one of them with --quick some seconds):",
      "  latency      8 bytes to and fro",
      "  rate         8 bytes, streamed",
      "  bandwidth    1 KiB to 16 MiB, streamed",
      "  threads      streams of several threads, and of several processes",
      "  matching     posted receives and their messages, by each matching engine",
      "  resources    packet pool, matching engine and completion queue, by threads",
      "  rma          put, put with a signal, get",
      "  collectives  allreduce, allgather, barrier, broadcast",
      "  startup      from the command to its end; two ranks on one core",
      "",
      "In tables, \"lacis : it\" is the value of Lacis divided by that of the other: of times less"
          + " than 1 is better for Lacis, of rates and bandwidths more than 1.",
      "On a machine with other work to do the figures are those of the other work."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Lacis was measured; peers that failed are named",
      "1:Lacis could not be measured",
      "2:the command line is wrong"
    })
final class BenchCommand implements Callable<Integer> {
  /** What is looked at with {@code --quick} if no groups are named. */
  private static final List<String> QUICK = List.of("latency", "rate", "bandwidth");

  @Option(
      names = "--net",
      paramLabel = "NAMES",
      split = ",",
      description = "Networks to measure, such as shm,tcp,ofi (default: shm).")
  private List<String> networks = List.of("shm");

  @Option(
      names = "--peers",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Peers to measure beside Lacis, of mpich, openmpi, openmpi-ucx, aeron and libfabric"
              + " (default: all there are; what is missing is named, with its package); none for"
              + " none.")
  private @Nullable List<String> peers;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "Where to write report.html, with figures, and results.json and results.csv (default:"
              + " nowhere, results are printed only).")
  private @Nullable Path out;

  @Option(
      names = "--quick",
      description = "Less of everything, and latency, rate and bandwidth alone: under a minute.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Samples of each subject (default: "
              + BenchOptions.ROUNDS
              + ", with --quick "
              + BenchOptions.QUICK_ROUNDS
              + ", and fewer of what takes long).")
  private @Nullable Integer rounds;

  @Option(
      names = "--starts",
      paramLabel = "N",
      description =
          "How many times subjects are started, each time for a share of their samples (default: "
              + BenchOptions.STARTS
              + ", with --quick "
              + BenchOptions.QUICK_STARTS
              + ").")
  private @Nullable Integer starts;

  @Option(
      names = "--compare",
      arity = "2",
      paramLabel = "FOLDER",
      description =
          "Measure nothing: compare the ratios in two folders that --out has named, and say how"
              + " many agree within 15 %%.")
  private List<Path> compared = List.of();

  @Parameters(arity = "0..*", paramLabel = "GROUP", hidden = true, description = "What to measure.")
  private List<String> groups = List.of();

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    BenchOptions options;
    try {
      if (!compared.isEmpty()) {
        return compare();
      }
      options =
          new BenchOptions(
              chosenGroups(),
              chosenNetworks(),
              chosenPeers(),
              chosenFolder(),
              quick,
              chosen("--rounds", rounds, BenchOptions.MOST_ROUNDS),
              chosen("--starts", starts, BenchOptions.MOST_STARTS),
              launcher(),
              RankClassPath.ofBench(),
              peerJars());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    PrintWriter err = spec.commandLine().getErr();
    boolean terminal = CommandLine.Help.Ansi.AUTO.enabled();
    return Bench.run(options, spec.commandLine().getOut(), err, terminal);
  }

  private int compare() throws IOException {
    if (!groups.isEmpty()) {
      throw new IllegalArgumentException(
          "--compare compares all of two folders and goes with no group, but there is "
              + String.join(", ", groups));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(Bench.compare(compared.getFirst(), compared.getLast()));
    out.flush();
    return 0;
  }

  private Set<Group> chosenGroups() {
    Set<Group> chosen = EnumSet.noneOf(Group.class);
    for (String name : groups.isEmpty() ? quick ? QUICK : List.of("all") : groups) {
      List<Group> named =
          Stream.of(Group.values())
              .filter(group -> name.equals("all") || group.label().equals(name))
              .toList();
      if (named.isEmpty()) {
        throw new IllegalArgumentException(
            "there is no group "
                + name
                + "; there are all, "
                + Stream.of(Group.values()).map(Group::label).collect(Collectors.joining(", ")));
      }
      chosen.addAll(named);
    }
    return chosen;
  }

  private List<String> chosenNetworks() {
    List<String> known = Checkup.networks().stream().map(network -> network.name()).toList();
    for (String name : networks) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "--net " + name + ": the networks are " + String.join(", ", known));
      }
    }
    return networks;
  }

  private @Nullable Set<String> chosenPeers() {
    if (peers == null) {
      return null;
    }
    Set<String> chosen = new LinkedHashSet<>(peers);
    if (chosen.remove("none") && !chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "--peers none goes with no other, but there is " + String.join(", ", chosen));
    }
    for (String name : chosen) {
      if (!Bench.peerNames().contains(name)) {
        throw new IllegalArgumentException(
            "--peers "
                + name
                + ": the peers are "
                + Bench.peerNames().stream().sorted().collect(Collectors.joining(", ")));
      }
    }
    return chosen;
  }

  /** A number that was given, or 0: as many as is usual. */
  private static int chosen(String name, @Nullable Integer count, int most) {
    if (count == null) {
      return 0;
    }
    if (count < 1 || count > most) {
      throw new IllegalArgumentException(
          "%s must be from 1 to %d, but is %d".formatted(name, most, count));
    }
    return count;
  }

  /** Makes the folder: that it cannot be written to is better known before than after minutes. */
  private @Nullable Path chosenFolder() {
    if (out == null) {
      return null;
    }
    try {
      Files.createDirectories(out);
      Files.delete(Files.createTempFile(out, "lacis", null));
      return out;
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException("--out " + out + " is not a folder", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--out " + out + " is not a folder that can be written to: " + e, e);
    }
  }

  /** What a user types to start this command, or as near as we know. */
  private static List<String> launcher() {
    String home = System.getProperty("lacis.home");
    if (home != null && new File(home, "lacis").canExecute()) {
      return List.of(new File(home, "lacis").getPath());
    }
    List<String> words = new ArrayList<>();
    words.add(HostPlan.localJava());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    words.addAll(List.of("-cp", RankClassPath.join(RankClassPath.ofCommand())));
    words.add(Main.class.getName());
    return words;
  }

  private static List<Path> peerJars() {
    String library = System.getProperty("lacis.lib");
    File[] jars = library == null ? null : new File(library, "peers").listFiles();
    return jars == null ? List.of() : Stream.of(jars).map(File::toPath).sorted().toList();
  }
}
