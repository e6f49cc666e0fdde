package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
    }
  }
}
