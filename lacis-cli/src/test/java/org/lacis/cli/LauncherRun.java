package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.Boot;
import org.lacis.testkit.Await;

/**
 * The launcher as users meet it: a process of its own. Everything it starts inherits a mark in the
 * environment, and a folder of its own for temporary files, so that {@link #close} can tell if
 * something is left behind.
 */
final class LauncherRun implements AutoCloseable {
  private static final String MARK = "TEST_OF_LACIS";
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final String mark = UUID.randomUUID().toString();
  private final Path temp;
  private final Set<Path> sharedBefore;
  private final Process process;
  private final Collector out;
  private final Collector err;

  private LauncherRun(
      Path temp,
      List<String> prefix,
      @Nullable Path folder,
      Map<String, String> env,
      List<String> options)
      throws IOException {
    this.temp = temp;
    this.sharedBefore = shared();
    List<String> command = new ArrayList<>(prefix);
    command.add(LauncherLibrary.tool("java"));
    command.addAll(LauncherLibrary.FLAGS);
    command.addAll(List.of("-Djava.io.tmpdir=" + temp, "-cp", LauncherLibrary.classPath()));
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command);
    if (folder != null) {
      builder.directory(folder.toFile());
    }
    builder.environment().put(MARK, mark);
    builder.environment().putAll(env);
    process = builder.start();
    out = new Collector(process.getInputStream());
    err = new Collector(process.getErrorStream());
  }

  /** Runs {@code lacis run} with these arguments. */
  static LauncherRun run(String... args) throws IOException {
    return run(Map.of(), args);
  }

  static LauncherRun run(Map<String, String> env, String... args) throws IOException {
    return run(List.of(), null, env, args);
  }

  /** Runs {@code lacis run} in a folder. */
  static LauncherRun in(Path folder, String... args) throws IOException {
    return run(List.of(), folder, Map.of(), args);
  }

  /** Runs in a process group of its own, as a shell does it for a command typed at a terminal. */
  static LauncherRun runInGroup(String... args) throws IOException {
    return run(List.of("setsid"), null, Map.of(), args);
  }

  /**
   * Runs with one more argument, written in UTF-8 whatever the locale of this process is, and in
   * the locale that the script gives where there is none.
   */
  static LauncherRun withUtf8(Path folder, String octal, String... args) throws IOException {
    String script = "exec \"$@\" \"$(printf '" + octal + "')\"";
    return run(List.of("sh", "-c", script, "sh"), folder, Map.of("LC_ALL", "C.UTF-8"), args);
  }

  /** Runs with the standard output in this file. */
  static LauncherRun outputTo(String file, String... args) throws IOException {
    return run(List.of("sh", "-c", "exec \"$@\" >" + file, "sh"), null, Map.of(), args);
  }

  private static LauncherRun run(
      List<String> prefix, @Nullable Path folder, Map<String, String> env, String... args)
      throws IOException {
    Path temp = Files.createTempDirectory("launcher-test");
    List<String> options = new ArrayList<>(LauncherLibrary.caches());
    options.add(Main.class.getName());
    options.addAll(List.of("run", "--jvm", "-Djava.io.tmpdir=" + temp));
    options.addAll(List.of(args));
    return new LauncherRun(temp, prefix, folder, env, options);
  }

  /** Runs a program by {@code java} alone, without the launcher. */
  static LauncherRun java(String... args) throws IOException {
    return new LauncherRun(
        Files.createTempDirectory("launcher-test"), List.of(), null, Map.of(), List.of(args));
  }

  /**
   * Runs compiled classes under another launcher, which is told to start {@code java}.
   *
   * @param launcher the command line of that launcher, up to the program
   * @param classes the folder of the program
   */
  static LauncherRun under(
      List<String> launcher, Map<String, String> env, Path classes, String... args)
      throws IOException {
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    options.add(LauncherLibrary.jar(Boot.class) + File.pathSeparator + classes);
    options.addAll(List.of(args));
    Path temp = Files.createTempDirectory("launcher-test");
    return new LauncherRun(temp, launcher, null, env, options);
  }

  /** A program among the test's resources. */
  static String program(String name) {
    try {
      return Path.of(LauncherRun.class.getResource("/programs/" + name).toURI()).toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads a stream to its end. */
  private static final class Collector {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread thread;

    Collector(InputStream in) {
      thread = Thread.ofPlatform().daemon().start(() -> collect(in));
    }

    private void collect(InputStream in) {
      byte[] buffer = new byte[1 << 16];
      try {
        int n;
        while ((n = in.read(buffer)) > 0) {
          bytes.write(buffer, 0, n);
        }
      } catch (IOException e) {
        // The process is gone.
      }
    }

    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }

  /**
   * Waits for the end of the launcher and answers its exit code; past the limit, shows the stacks
   * of all processes.
   */
  int exitCode() throws IOException, InterruptedException {
    return exitCode(LIMIT);
  }

  int exitCode(Duration limit) throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("the launcher is still running after " + limit + stacks() + dump());
    }
    out.thread.join(LIMIT.toMillis());
    err.thread.join(LIMIT.toMillis());
    return process.exitValue();
  }

  /** Waits for the end of these processes; past the limit, shows their stacks. */
  void awaitEnd(List<ProcessHandle> ranks, Duration limit)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (ranks.stream().anyMatch(ProcessHandle::isAlive)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("ranks are still running after " + limit + stacks() + dump());
      }
      Thread.sleep(5);
    }
  }

  /** What the threads of all processes of this run are doing. */
  private String stacks() throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder();
    for (ProcessHandle each : processes()) {
      String pid = Long.toString(each.pid());
      Process jstack =
          new ProcessBuilder(LauncherLibrary.tool("jstack"), pid).redirectErrorStream(true).start();
      Collector stack = new Collector(jstack.getInputStream());
      if (!jstack.waitFor(10, TimeUnit.SECONDS)) {
        jstack.destroyForcibly();
      }
      stack.thread.join(1000);
      text.append("\n\nprocess ").append(pid).append(", ");
      text.append(each.info().commandLine().orElse("?")).append(":\n").append(stack.text());
    }
    return text.append("\n\n").toString();
  }

  String out() {
    return out.text();
  }

  String err() {
    return err.text();
  }

  List<String> outLines() {
    return out().lines().toList();
  }

  Path temp() {
    return temp;
  }

  OutputStream in() {
    return process.getOutputStream();
  }

  Process process() {
    return process;
  }

  /** Between two looks: they take time that the processes looked at could use. */
  private static void pause() {
    LockSupport.parkNanos(5_000_000);
  }

  /** Waits until this text appears on standard output. */
  LauncherRun awaitOut(String text) {
    Await.until(
        "\"" + text + "\" on standard output",
        LIMIT,
        LauncherRun::pause,
        () -> out().contains(text) || !process.isAlive());
    assertThat(out()).as(() -> dump()).contains(text);
    return this;
  }

  /**
   * Waits until ranks 0 to n-1 have printed {@code ready rank pid}, and answers their processes.
   */
  List<ProcessHandle> awaitReady(int ranks) {
    List<ProcessHandle> ready = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      String start = "ready " + rank + " ";
      awaitOut(start);
      Await.until(
          "the line of rank " + rank,
          LIMIT,
          LauncherRun::pause,
          () -> out().indexOf('\n', out().indexOf(start)) > 0);
      String line = out().lines().filter(l -> l.startsWith(start)).findFirst().orElseThrow();
      ready.add(ProcessHandle.of(Long.parseLong(line.split(" ")[2])).orElseThrow());
    }
    return ready;
  }

  /** The id of the job, if a rank has printed it. */
  @Nullable String jobId() {
    int at = out().indexOf(" job ");
    return at < 0 ? null : out().substring(at + 5, at + 5 + 32);
  }

  /** Sends a signal to the launcher and all of its group. */
  void signalGroup(String name) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-" + name, "--", "-" + process.pid()).start().waitFor())
        .isZero();
  }

  /** Whether SIGINT ends processes: a shell's background jobs, and all they start, ignore it. */
  static boolean heedsInterrupts() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) == 0;
      }
    }
    return true;
  }

  void signal(String name) throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor())
        .isZero();
  }

  String dump() {
    return "standard output:\n" + out() + "\nstandard error:\n" + err();
  }

  /** Processes of this run that are still there. */
  List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses().filter(this::isOurs).toList();
  }

  private boolean isOurs(ProcessHandle candidate) {
    try {
      byte[] environment =
          Files.readAllBytes(Path.of("/proc", Long.toString(candidate.pid()), "environ"));
      return new String(environment, StandardCharsets.ISO_8859_1).contains(MARK + "=" + mark);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Ends what is still running, and fails if anything is left of the run that the launcher should
   * have ended.
   */
  @Override
  public void close() throws IOException {
    boolean ended = !process.isAlive();
    try {
      if (ended) {
        Await.until(
            "the processes of the job to end: " + dump(),
            LIMIT,
            LauncherRun::pause,
            () -> processes().isEmpty());
      }
    } finally {
      process.destroyForcibly();
      processes().forEach(ProcessHandle::destroyForcibly);
    }
    assertThat(ended).as("the launcher has ended by itself").isTrue();
    try (Stream<Path> left = Files.list(temp)) {
      assertThat(left).as("temporary files").isEmpty();
    }
    Files.delete(temp);
    Await.until(
        "shared memory to be removed, now " + shared(),
        LIMIT,
        LauncherRun::pause,
        () -> sharedBefore.containsAll(shared()));
  }

  /**
   * Files of jobs in shared memory. They may be of other jobs on this machine, too: those go away
   * as soon as all of their ranks have opened them.
   */
  private static Set<Path> shared() {
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("lacis-"))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
