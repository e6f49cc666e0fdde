package org.lacis.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();

  private <T> T value(Setting<T> setting) {
    return setting.value(properties::get, environment::get);
  }

  private void refused(Setting<?> setting, String... words) {
    assertThatThrownBy(() -> value(setting))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void thePropertyCountsThenTheVariableThenTheDefault() {
    assertThat(value(Settings.RING_CELLS)).isEqualTo(1024);
    environment.put("LACIS_RING_CELLS", "64");
    assertThat(value(Settings.RING_CELLS)).isEqualTo(64);
    properties.put("lacis.ring-cells", "128");
    assertThat(value(Settings.RING_CELLS)).isEqualTo(128);
  }

  @Test
  void anEmptyValueIsNone() {
    environment.put("LACIS_NET", "shm");
    properties.put("lacis.net", "");
    assertThat(value(Settings.NET)).isEqualTo("shm");
    environment.put("LACIS_NET", "");
    assertThat(value(Settings.NET)).isEqualTo("auto");
  }

  @ParameterizedTest
  @CsvSource({
    "1048576, 1048576",
    "1024k, 1048576",
    "1M, 1048576",
    "2 MiB, 2097152",
    "2mb, 2097152",
    "3g, 3221225472"
  })
  void sizesMayHaveUnits(String text, long bytes) {
    environment.put("LACIS_SHARED_BYTES", text);
    assertThat(value(Settings.SHARED_BYTES)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "-1",
        "M",
        "1T",
        "1Mx",
        "1023k",
        "100T",
        "512G",
        "99999999G",
        "99999999999G",
        " 1M",
        "1.5G"
      })
  void sizesThatAreNoneAreRefused(String text) {
    environment.put("LACIS_SHARED_BYTES", text);
    refused(
        Settings.SHARED_BYTES,
        "LACIS_SHARED_BYTES is " + text + ", but must be from 1 MiB to 511 GiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"many", "1000", "0", "-16", "4294967312", "64k", "2097152"})
  void numbersOutOfRangeAreRefused(String text) {
    properties.put("lacis.ring-cells", text);
    refused(
        Settings.RING_CELLS,
        "lacis.ring-cells is " + text + ", but must be a power of two from 16 to 1048576");
  }

  @Test
  void switchesAreOnOrOff() {
    for (String on : List.of("true", "1")) {
      environment.put("LACIS_PROGRESS_THREAD", on);
      assertThat(value(Settings.PROGRESS_THREAD)).isTrue();
    }
    for (String off : List.of("false", "0")) {
      environment.put("LACIS_PROGRESS_THREAD", off);
      assertThat(value(Settings.PROGRESS_THREAD)).isFalse();
    }
    environment.put("LACIS_PROGRESS_THREAD", "perhaps");
    refused(Settings.PROGRESS_THREAD, "LACIS_PROGRESS_THREAD is perhaps", "true, false, 1 or 0");
  }

  @Test
  void wordsAreOfAList() {
    properties.put("lacis.shm.bulk", "carrier");
    refused(Settings.SHM_BULK, "lacis.shm.bulk is carrier", "one of auto, mapped, vm, pipeline");
  }

  @Test
  void timesAreReadAndShown() {
    assertThat(Durations.parse("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(Durations.parse("30s"))
        .isEqualTo(Duration.ofSeconds(30))
        .isEqualTo(Durations.parse("30"));
    assertThat(Durations.parse("2m")).isEqualTo(Duration.ofMinutes(2));
    assertThat(Durations.parse("1h")).isEqualTo(Duration.ofHours(1));
    for (String text : List.of("1500ms", "30s", "2m", "1h")) {
      assertThat(Durations.show(Durations.parse(text))).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"s", "0s", "-1s", "1d", "1 s", "99999999999999999999s", "9999999h"})
  void aTimeThatIsNoneIsRefused(String text) {
    properties.put("lacis.open-timeout", text);
    refused(Settings.OPEN_TIMEOUT, "lacis.open-timeout is " + text, Durations.ALLOWED);
  }

  @Test
  void everyNameIsThereOnceAndItsDefaultIsAllowed() {
    assertThat(Settings.all()).extracting(Setting::variable).doesNotHaveDuplicates();
    for (Setting<?> setting : Settings.all()) {
      properties.put(setting.property(), setting.shownFallback());
      assertThat(value(setting)).isEqualTo(setting.fallback());
    }
  }

  @Test
  void namesThatAreNoneGetAWarningWithTheNearest() {
    assertThat(
            UnknownNames.warnings(
                Set.of("java.home", "lacis.net", "lacis.ringcells", "lacis.seed"),
                Set.of("PATH", "LACIS_JOB", "LACIS_NET", "LACIS_OPEN_TIMOUT", "LACIS_ABCDEFGHIJK")))
        .containsExactly(
            "the system property lacis.ringcells means nothing to Lacis; is lacis.ring-cells"
                + " meant?",
            "the environment variable LACIS_ABCDEFGHIJK means nothing to Lacis;"
                + " docs/options.md has the names",
            "the environment variable LACIS_OPEN_TIMOUT means nothing to Lacis;"
                + " is LACIS_OPEN_TIMEOUT meant?");
  }
}
