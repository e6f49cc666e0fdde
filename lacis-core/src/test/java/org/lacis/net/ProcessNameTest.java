package org.lacis.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessNameTest {

  private static final ProcessName SELF = ProcessName.self();

  @Test
  void othersReadWhatIsWritten() {
    assertThat(ProcessName.parse(SELF.toString())).isEqualTo(SELF);
    assertThat(SELF.toString()).doesNotContain(" ");
    assertThat(SELF.number()).isEqualTo(ProcessHandle.current().pid());
  }

  @Test
  void onlyProcessesOfThisMachineAreHere() {
    var elsewhere = new ProcessName("another", SELF.number(), SELF.start());
    var neighbour = new ProcessName(SELF.machine(), 7, 1);
    assertThat(elsewhere.isHere()).isFalse();
    assertThat(ProcessName.here(List.of(neighbour, elsewhere, SELF)))
        .containsExactly(7, (int) SELF.number());
  }
}
