package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class OutcomeTest {

  private static BitSet ranks(int... ranks) {
    BitSet set = new BitSet();
    for (int rank : ranks) {
      set.set(rank);
    }
    return set;
  }

  @Test
  void aJobThatTakesTooLongTellsWhoHadEndedAndWhoHadFailed() {
    assertThat(Outcome.timedOut("5s", ranks(0), ranks(1, 2), ranks(2)).message())
        .isEqualTo(
            "timed out after 5s with rank 0 still running; rank 1 had ended with exit code 0;"
                + " rank 2 had failed");
    assertThat(Outcome.timedOut("5s", ranks(0, 1), ranks(), ranks()).message())
        .isEqualTo("timed out after 5s with ranks 0, 1 still running");
  }
}
