package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lacis.LacisOptions;
import org.lacis.MatchingOptions;
import org.lacis.PoolOptions;
import org.lacis.settings.Setting;
import org.lacis.settings.Settings;

/** Every option can be set from outside, and {@code docs/options.md} says how. */
class OptionsTest {

  /** Options made of others, and objects that only a program can make. */
  private static final Set<String> IN_CODE_ONLY =
      Set.of(
          "LacisOptions.pool",
          "LacisOptions.matching",
          "LacisOptions.network",
          "MatchingOptions.kind",
          "MatchingOptions.key",
          "MatchingOptions.hints");

  @Test
  void everyOptionHasASetting() {
    Stream<String> options =
        Stream.of(LacisOptions.class, PoolOptions.class, MatchingOptions.class)
            .flatMap(
                type ->
                    Arrays.stream(type.getRecordComponents())
                        .map(part -> type.getSimpleName() + "." + part.getName()))
            .filter(option -> !IN_CODE_ONLY.contains(option));
    assertThat(Settings.all())
        .extracting(Setting::option)
        .filteredOn(option -> !option.isEmpty())
        .containsExactlyInAnyOrderElementsOf(options.toList());
  }

  @Test
  void theDocumentHasTheTable() throws IOException {
    List<String> lines =
        Files.readAllLines(SourceTree.root().resolve("docs/options.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .toList();
    Stream<String> settings =
        Settings.all().stream()
            .map(
                s ->
                    "| `%s` | `%s` | %s | %s | %s | %s |"
                        .formatted(
                            s.property(),
                            s.variable(),
                            s.option().isEmpty() ? "" : "`" + s.option() + "`",
                            s.shownFallback(),
                            s.allowed(),
                            s.description()));
    Stream<String> others =
        Settings.others().stream()
            .map(o -> "| `%s` | %s | %s |".formatted(o.name(), o.reader(), o.description()));
    assertThat(lines).containsExactlyElementsOf(Stream.concat(settings, others).toList());
  }
}
