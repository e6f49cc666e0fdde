package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PmiValueTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "a b",
        "line\nline",
        "=",
        "\u00e4\u20ac\ud83d\ude00",
        "\0",
        "p",
        "bQQ",
        "s3"
      })
  void everyTextComesBack(String text) {
    String encoded = PmiValue.encode(text);
    assertThat(PmiLine.isPlain(encoded)).isTrue();
    assertThat(PmiValue.decode("k", encoded)).isEqualTo(text);
    assertThat(PmiValue.pieceCount("k", encoded)).isZero();
  }

  @Test
  void aLongValueIsCutIntoPieces() {
    List<String> pieces = PmiValue.pieces("abcdefg", 3);
    assertThat(pieces).containsExactly("abc", "def", "g");
    assertThat(PmiValue.pieceCount("k", PmiValue.pieceCount(3))).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"s", "s-1", "s0", "sx", "s99999999"})
  void aDamagedNumberOfPiecesIsNoticed(String value) {
    assertThatThrownBy(() -> PmiValue.pieceCount("k", value))
        .isInstanceOf(BootException.class)
        .hasMessageContaining("damaged");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "b!!!"})
  void aValueThatIsNotOursIsNoticed(String value) {
    assertThatThrownBy(() -> PmiValue.decode("k", value)).isInstanceOf(BootException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a b", "a=b", "a#0", "a/b", "0123456789012345678901234567890123456789x"})
  void aBadKeyIsRefused(String key) {
    assertThatThrownBy(() -> PmiValue.key(key)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aValueThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> PmiValue.encode(" ".repeat(Boot.MAX_VALUE + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("longer");
  }
}
