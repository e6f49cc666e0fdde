package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ranks run on which host, and by which command. */
class HostsTest {
  @Test
  void hostsAreFilledOneAfterTheOther() {
    Hosts hosts = Hosts.parse("a:4, user@b.example.org:2,c");
    assertThat(hosts.total()).isEqualTo(7);
    assertThat(hosts.place(5))
        .containsExactly(new Hosts.Host("a", 0, 4), new Hosts.Host("user@b.example.org", 4, 1));
    assertThat(hosts.place(7)).hasSize(3);
    assertThat(new HostPlan(hosts.place(7), List.of(), null, null).of(6).name()).isEqualTo("c");
  }

  @Test
  void addressesOfIpv6AreInBrackets(@TempDir Path folder) throws IOException {
    assertThat(Hosts.parse("[::1]:2,me@[2001:db8::7],[fe80::1%eth0]:3").slots().toString())
        .isEqualTo("{::1=2, me@2001:db8::7=1, fe80::1%eth0=3}");
    Path file = folder.resolve("hosts");
    Files.writeString(file, "[::1] slots=2\n[::2]:3\n");
    assertThat(Hosts.read(file).slots().toString()).isEqualTo("{::1=2, ::2=3}");
  }

  @Test
  void moreRanksThanSlotsAreRefused() {
    assertThatThrownBy(() -> Hosts.parse("a:4,b:2").place(8))
        .hasMessage("-n 8: there is room for 6 ranks only, by --hosts a:4,b:2");
  }

  @Test
  void aFileHasAHostOnEachLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("hosts");
    Files.writeString(file, "# ours\na slots=4\n\n  b:2  # the small one\nc\nd   slots = 3\n");
    assertThat(Hosts.read(file).slots().toString()).isEqualTo("{a=4, b=2, c=1, d=3}");
    Files.writeString(file, "a slots=4\na\n");
    assertThatThrownBy(() -> Hosts.read(file))
        .hasMessage("--hostfile " + file + ", line 2: host a is there twice");
    Files.writeString(file, "a slots=4\nb slots\n");
    assertThatThrownBy(() -> Hosts.read(file))
        .hasMessageContaining(", line 2: \"b slots\" is not a host such as a, a:4 or a slots=4");
    Files.writeString(file, "# nobody\n");
    assertThatThrownBy(() -> Hosts.read(file)).hasMessageEndingWith(": there is no host in it");
    assertThatThrownBy(() -> Hosts.read(folder.resolve("none")))
        .hasMessageEndingWith("none: there is no such file");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a,,b",
        "a:",
        "a:x",
        "a:-1",
        "-oProxyCommand=x",
        "a b",
        "a;b",
        "a:1:2",
        "::1",
        "[x]"
      })
  void hostsThatAreNoneAreRefused(String text) {
    assertThatThrownBy(() -> Hosts.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a host such as a or a:4");
  }

  @ParameterizedTest
  @CsvSource({
    "'a:1,a:2', 'host a is there twice'",
    "'a:0', 'host a has 0 slots, but that must be from 1 to 4096'",
    "'a:5000', 'host a has 5000 slots'"
  })
  void hostsThatMakeNoSenseAreRefused(String text, String why) {
    assertThatThrownBy(() -> Hosts.parse(text)).hasMessageContaining(why);
  }

  @Test
  void theCommandOfAHostIsOneWordForAShell() {
    HostPlan plan =
        HostPlan.of(
            Hosts.parse("a,b").place(2), "rsh -l 'some one' {host}.x {command}", "/j/java", "/l");
    List<String> command = plan.command(plan.of(1), List.of("-ea", "-Djava.io.tmpdir=/t"));
    assertThat(command).startsWith("rsh", "-l", "some one", "b.x").hasSize(5);
    assertThat(command.getLast())
        .startsWith("exec env ")
        .contains(" /j/java ")
        .endsWith(" -Djava.io.tmpdir=/t -cp '/l/*' org.lacis.cli.HostAgent");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ssh {host}", "", "ssh '{host} {command}'", "ssh 'x {command}"})
  void aCommandThatRunsNothingIsRefused(String launch) {
    assertThatThrownBy(() -> HostPlan.of(List.of(), launch, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--launch " + launch + ": ");
  }
}
