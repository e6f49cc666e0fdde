package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the {@code lacis} script hands to the JVM, seen by a JDK that is a script itself. */
class ScriptTest {
  @TempDir private Path folder;

  @BeforeEach
  void installs() throws Exception {
    Files.copy(SourceTree.root().resolve("lacis"), folder.resolve("lacis"));
    Files.createDirectories(folder.resolve(".lacis/lib"));
    Files.writeString(folder.resolve(".lacis/current"), folder.resolve(".lacis/lib") + "\n");
    Files.writeString(folder.resolve(".lacis/stamp"), "");
    Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    for (String tool : new String[] {"java", "javac"}) {
      Path file = bin.resolve(tool);
      Files.writeString(file, "#!/bin/sh\nexec 9>'" + folder + "/seen'\neval \"$SEEN\"\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
  }

  /**
   * Runs the script and answers what the JVM sees.
   *
   * @param seen commands for a shell in place of the JVM, which report by descriptor 9
   * @param redirections of a shell, for the script
   */
  private String seen(String seen, String redirections, Map<String, String> env) throws Exception {
    Path report = folder.resolve("seen");
    Files.deleteIfExists(report);
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "exec '" + folder + "/lacis' run " + redirections);
    builder.environment().putAll(Map.of("SEEN", seen, "LACIS_NO_BUILD", "1"));
    builder.environment().put("LACIS_JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().putAll(env);
    Process process = builder.redirectErrorStream(true).start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the script has ended").isTrue();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(said).isZero();
    return Files.readString(report);
  }

  @Test
  void standardStreamsThatAreClosedAreNoFilesOfTheJvm() throws Exception {
    String streams = "s=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2); echo \"$s\" >&9";
    assertThat(seen(streams, "<&- >&- 2>&-", Map.of()))
        .isEqualTo("/dev/null\n/dev/null\n/dev/null\n");
    assertThat(seen("echo lost || echo refused >&9", ">&- 2>&-", Map.of())).isEqualTo("refused\n");
    assertThat(seen("echo told && echo fine >&9", "<&-", Map.of())).isEqualTo("fine\n");
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', '', |C.UTF-8|",
    "'', '', C, |C.UTF-8|C",
    "C, '', de_DE.UTF-8, C.UTF-8|C.UTF-8|de_DE.UTF-8",
    "'', POSIX, de_DE.UTF-8, |C.UTF-8|de_DE.UTF-8",
    "'', '', de_DE.UTF-8, ||de_DE.UTF-8",
    "de_DE, C, C, de_DE|C|C"
  })
  void aLocaleWithoutTextBeyondAsciiHasUtf8(String all, String type, String lang, String seen)
      throws Exception {
    Map<String, String> env = Map.of("LC_ALL", all, "LC_CTYPE", type, "LANG", lang);
    assertThat(seen("echo \"$LC_ALL|$LC_CTYPE|$LANG\" >&9", "", env)).isEqualTo(seen + "\n");
  }
}
