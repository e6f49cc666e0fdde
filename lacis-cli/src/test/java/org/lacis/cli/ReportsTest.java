package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.Version;
import org.lacis.settings.Setting;
import org.lacis.settings.Settings;
import picocli.CommandLine;

/** {@code lacis doctor} and {@code lacis info}, in this process. */
class ReportsTest {
  private int code;

  private String report(String... words) {
    StringWriter text = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
    code = command.execute(words);
    return text.toString();
  }

  @AfterEach
  void forget() {
    System.clearProperty(Settings.RING_CELLS.property());
    System.clearProperty(Settings.NET.property());
  }

  @Test
  void theDoctorNamesEverythingItLooksFor() {
    String report = report("doctor");
    assertThat(code).as(report).isZero();
    assertThat(report)
        .contains("JDK", "cores", "shared memory", "process_vm", "libfabric", "libpmix")
        .contains("mpiexec", "mpirun", "srun", "ssh")
        .containsPattern("yes +shm ")
        .contains("Programs can be run here, over shm");
    assertThat(report.lines().filter(line -> line.startsWith("  no ")))
        .as("what is missing says what gives it")
        .allMatch(
            line ->
                line.contains("package") || line.contains("does not work: ") || line.length() > 60);
  }

  @Test
  void aLauncherThatIsThereButFailsIsNoLauncher(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("srun");
    Files.writeString(file, "#!/bin/sh\necho srun: error 7\necho srun: fatal: no source; exit 1\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    assertThat(Checkup.launcher("srun", file, "--version"))
        .isEqualTo(new Finding("srun", false, file + " does not work: srun: fatal: no source"));
    Files.writeString(file, "#!/bin/sh\necho it is\necho slurm  22.05\n");
    assertThat(Checkup.launcher("srun", file, "--version"))
        .isEqualTo(new Finding("srun", true, "slurm 22.05 (" + file + ")"));
  }

  @Test
  void infoHasEverySettingWithItsSource() {
    System.setProperty(Settings.RING_CELLS.property(), "64");
    String report = report("info");
    assertThat(code).as(report).isZero();
    assertThat(report)
        .contains("lacis " + Version.current(), "between ranks on this machine: shm, the first")
        .contains("with ranks on other machines: tcp, or shm+tcp if some share a machine")
        .containsPattern("lacis.ring-cells +64 +property lacis.ring-cells")
        .containsPattern("lacis.open-timeout +1m +default");
    assertThat(report.lines().filter(line -> line.endsWith(" default") && !line.contains(":")))
        .as("one column")
        .map(line -> line.lastIndexOf("default"))
        .containsOnly(
            report
                .lines()
                .filter(line -> line.contains("lacis.open-timeout"))
                .mapToInt(line -> line.lastIndexOf("default"))
                .findFirst()
                .orElseThrow());
    assertThat(Settings.all()).extracting(Setting::property).allMatch(report::contains);
  }

  @Test
  void infoShowsWhatIsWrong() {
    System.setProperty(Settings.RING_CELLS.property(), "65");
    System.setProperty(Settings.NET.property(), "pigeons");
    String report = report("info");
    assertThat(code).isEqualTo(1);
    assertThat(report)
        .contains(
            "wrong: lacis.ring-cells is 65, but must be a power of two from 16 to 1048576\n",
            "pigeons, asked for by lacis.net, which cannot be used");
  }

  @Test
  void infoShowsWhichNetworksConnectTheRanksOfHosts() {
    String report = report("info", "--hosts", "a:4,bee:1");
    assertThat(code).as(report).isZero();
    assertThat(report)
        .contains(
            """
            ranks by host, if the hosts are like this one
              a              ranks 0-3, shm among them
              bee            rank 4
              between hosts  tcp
            """);
    System.setProperty(Settings.NET.property(), "shm");
    assertThat(report("info", "--hosts", "a:4,b:4"))
        .contains("between hosts  nothing that can be used: see above");
    System.setProperty(Settings.NET.property(), "tcp");
    assertThat(report("info", "--hosts", "a:4")).contains("ranks 0-3, tcp among them");
    assertThat(report("info", "--hosts", "a:x")).contains("is not a host such as");
    assertThat(code).isEqualTo(2);
  }

  @Test
  void infoTellsWhatIsAskedForAndWhatMeansNothing() {
    System.setProperty(Settings.NET.property(), "shm+tcp");
    System.setProperty("lacis.ring-cell", "64");
    try {
      assertThat(report("info"))
          .contains("between ranks on this machine: shm+tcp, asked for by lacis.net\n")
          .contains("with ranks on other machines: shm+tcp, asked for by lacis.net\n")
          .contains("lacis.ring-cell means nothing to Lacis; is lacis.ring-cells meant?");
      System.setProperty(Settings.NET.property(), "shm");
      assertThat(report("info"))
          .contains("with ranks on other machines: none: shm, asked for by lacis.net, stays");
    } finally {
      System.clearProperty("lacis.ring-cell");
    }
  }
}
