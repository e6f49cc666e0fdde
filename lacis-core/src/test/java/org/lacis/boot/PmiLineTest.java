package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PmiLineTest {
  @Test
  void aLineReadsAsItWasWritten() {
    PmiLine written =
        PmiLine.of("put").with("kvsname", "k_1").with("key", "a").with("value", "x=y").with("n", 7);
    assertThat(written.toString()).isEqualTo("cmd=put kvsname=k_1 key=a value=x=y n=7");

    PmiLine read = PmiLine.parse(written.toString());
    assertThat(read.command()).isEqualTo("put");
    assertThat(read.field("value")).isEqualTo("x=y");
    assertThat(read.number("n")).isEqualTo(7);
    assertThat(read.find("absent")).isNull();
  }

  @Test
  void blanksAroundFieldsAndEmptyValuesAreAllowed() {
    PmiLine read = PmiLine.parse("  cmd=get_result   rc=0 value=  ");
    assertThat(read.field("value")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "hello",
        "cmd",
        "=cmd",
        "rc=0 cmd=x",
        "cmd=x y",
        "cmd=x =y",
        "cmd=x a=1 a=2",
        "cmd=x a=\u00e4",
        "cmd=x a=\t",
        "cmd=x\0"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> PmiLine.parse(text))
        .isInstanceOf(BootException.class)
        .hasMessageContaining("not a PMI line");
  }

  @Test
  void aMissingFieldAndANumberThatIsNoneAreNamed() {
    PmiLine line = PmiLine.parse("cmd=maxes vallen_max=many");
    assertThatThrownBy(() -> line.field("keylen_max"))
        .isInstanceOf(BootException.class)
        .hasMessageContaining("keylen_max");
    assertThatThrownBy(() -> line.number("vallen_max"))
        .isInstanceOf(BootException.class)
        .hasMessageContaining("vallen_max");
  }

  @Test
  void aValueThatWouldBreakTheLineIsNotSent() {
    assertThatThrownBy(() -> PmiLine.of("put").with("value", "a b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PmiLine.of("put").with("value", "a\nb"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsQuotedInAMessageIsShortAndHarmless() {
    assertThat(PmiLine.quoted("\u001b[2J" + "x".repeat(500)))
        .hasSizeLessThan(100)
        .doesNotContain("\u001b");
  }
}
