package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lacis.Version;
import org.lacis.settings.Setting;
import org.lacis.settings.Settings;
import picocli.CommandLine;

/** {@code lacis doctor} and {@code lacis info}, in this process. */
class ReportsTest {
  private int code;

  private String report(String name) {
    StringWriter text = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
    code = command.execute(name);
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
        .allMatch(line -> line.contains("package") || line.length() > 60);
  }

  @Test
  void infoHasEverySettingWithItsSource() {
    System.setProperty(Settings.RING_CELLS.property(), "64");
    String report = report("info");
    assertThat(code).as(report).isZero();
    assertThat(report)
        .contains("lacis " + Version.current(), "between ranks on this machine: shm, the first")
        .contains("with ranks on other machines: tcp")
        .containsPattern("lacis.ring-cells +64 +property lacis.ring-cells")
        .containsPattern("lacis.open-timeout +1m +default");
    assertThat(Settings.all()).extracting(Setting::property).allMatch(report::contains);
  }

  @Test
  void infoShowsWhatIsWrong() {
    System.setProperty(Settings.RING_CELLS.property(), "65");
    System.setProperty(Settings.NET.property(), "pigeons");
    String report = report("info");
    assertThat(code).isEqualTo(1);
    assertThat(report)
        .contains("lacis.ring-cells is 65, but must be", "pigeons, asked for by lacis.net");
  }
}
