package org.lacis.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextForProcessesTest {

  @Test
  void whatTheEncodingHasNotIsNamed() {
    var start = new RankStart(0, List.of("java", "gr\u00fcn"), Map.of());
    assertThat(TextForProcesses.refusal(start, UTF_8)).isNull();
    assertThat(TextForProcesses.refusal(start, US_ASCII))
        .isEqualTo(
            "\"gr\u00fcn\" cannot be written in US-ASCII, the encoding of the locale there:"
                + " LC_ALL=C.UTF-8 helps");
    var env = new RankStart(0, List.of("java"), Map.of("COLOUR", "gr\u00fcn"));
    assertThat(TextForProcesses.refusal(env, US_ASCII)).startsWith("\"COLOUR=gr\u00fcn\"");
  }

  @Test
  void theLocaleIsTheOneThatCounts() {
    assertThat(TextForProcesses.locale(Map.of("LANG", "x", "LC_CTYPE", "y", "LC_ALL", "z")))
        .containsExactly("LC_ALL=z");
    assertThat(TextForProcesses.locale(Map.of("LANG", "x", "LC_ALL", "")))
        .containsExactly("LC_ALL=x");
    assertThat(TextForProcesses.locale(Map.of())).isEmpty();
  }
}
