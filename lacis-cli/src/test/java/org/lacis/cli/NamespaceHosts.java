package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lacis.testkit.Await;

/**
 * Two network namespaces of this machine with a cable between them: as far as networks can tell,
 * two hosts. Needs the rights to make them.
 */
final class NamespaceHosts implements AutoCloseable {
  /** How to run a command on one of them. */
  static final String LAUNCH = "ip netns exec {host} sh -c {command}";

  private static final List<String> ENDS = List.of("a", "b");

  private final String name = "lacis" + ProcessHandle.current().pid();

  /** Makes them; skips the test if that is not allowed here. */
  NamespaceHosts() throws IOException, InterruptedException {
    assumeThat(ip("netns", "add", host("a"))).as("the exit code of ip netns add").isZero();
    try {
      assertThat(ip("netns", "add", host("b"))).isZero();
      assumeThat(
              ip(
                  "link",
                  "add",
                  device("a"),
                  "netns",
                  host("a"),
                  "type",
                  "veth",
                  "peer",
                  "name",
                  device("b"),
                  "netns",
                  host("b")))
          .as("the exit code of ip link add, type veth")
          .isZero();
      for (String end : ENDS) {
        String address = "10.213.7." + (1 + ENDS.indexOf(end)) + "/24";
        assertThat(ip("-n", host(end), "address", "add", address, "dev", device(end))).isZero();
        assertThat(ip("-n", host(end), "link", "set", device(end), "up")).isZero();
        assertThat(ip("-n", host(end), "link", "set", "lo", "up")).isZero();
      }
      // The kernel takes up to a second to say that a device is running.
      for (String end : ENDS) {
        Await.until("the cable is plugged in", () -> isRunning(end));
      }
    } catch (Throwable thrown) {
      close();
      throw thrown;
    }
  }

  /** The name of a host, a or b. */
  String host(String end) {
    return name + end;
  }

  private String device(String end) {
    return "v" + name + end;
  }

  /** Pulls the cable, or plugs it in again. */
  void link(boolean up) throws IOException, InterruptedException {
    assertThat(ip("-n", host("b"), "link", "set", device("b"), up ? "up" : "down")).isZero();
  }

  /** Lets the hosts vanish for each other: what they send goes nowhere, and nothing says so. */
  void blackhole() throws IOException, InterruptedException {
    for (String end : ENDS) {
      String other = "10.213.7." + (2 - ENDS.indexOf(end)) + "/32";
      assertThat(ip("-n", host(end), "route", "add", "blackhole", other)).isZero();
    }
  }

  /** Ends all that runs on a host, at once. */
  void crash(String end) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("ip", "netns", "pids", host(end)).start();
    List<String> kill = new ArrayList<>(List.of("kill", "-KILL"));
    kill.addAll(process.inputReader().lines().toList());
    assertThat(new ProcessBuilder(kill).start().waitFor()).as("exit code of " + kill).isZero();
  }

  /** Makes the cable slow; skips the test if this system cannot. */
  void limit(String rate) throws IOException, InterruptedException {
    for (String end : ENDS) {
      int code =
          ip(
              "netns",
              "exec",
              host(end),
              "tc",
              "qdisc",
              "add",
              "dev",
              device(end),
              "root",
              "tbf",
              "rate",
              rate,
              "burst",
              "16kb",
              "latency",
              "100ms");
      assumeThat(code).as("the exit code of tc qdisc add, tbf").isZero();
    }
  }

  private boolean isRunning(String end) {
    try {
      Process process =
          new ProcessBuilder("ip", "-n", host(end), "-o", "link", "show", "dev", device(end))
              .redirectErrorStream(true)
              .start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .contains("state UP");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int ip(String... args) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of("ip")));
    builder.command().addAll(List.of(args));
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return 127;
    }
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return 124;
    }
    return process.exitValue();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (String end : ENDS) {
      ip("netns", "delete", host(end));
      assertThat(Path.of("/run/netns", host(end))).doesNotExist();
    }
  }
}
