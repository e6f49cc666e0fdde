package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.Lacis;

/** A program of its own, in a JVM without the Flight Recorder, and in one where nobody records. */
class FlightRecorderTest {

  @TempDir Path folder;

  private static String place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private String run(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(place(Lacis.class) + File.pathSeparator + place(PlainProgram.class));
    command.add(PlainProgram.class.getName());
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the program ends").isTrue();
      String text = Files.readString(out, StandardCharsets.UTF_8);
      assertThat(process.exitValue()).as(text).isZero();
      return text;
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void everythingWorksWithoutTheRecordersModule() throws Exception {
    assertThat(run("--limit-modules", "java.base")).isEqualTo("3 received, recorder false\n");
  }

  /** Loading the first class of an event takes a fifth of a second. */
  @Test
  void noEventIsLoadedWhileNobodyRecords() throws Exception {
    String loaded = run("-Xlog:class+load:stdout");
    assertThat(loaded).contains("3 received, recorder true\n", "org.lacis.engine.jfr.Trace ");
    assertThat(loaded.lines().filter(line -> line.contains("org.lacis.")))
        .noneMatch(line -> line.contains("Event "));
  }
}
