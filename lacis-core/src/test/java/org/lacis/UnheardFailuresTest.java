package org.lacis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnheardFailuresTest {

  private record Log(List<String> lines) implements System.Logger {
    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
      lines.add(thrown == null ? message : message + ": " + thrown.getMessage());
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... params) {
      lines.add(format);
    }
  }

  private final Log log = new Log(new ArrayList<>());
  private final UnheardFailures failures = new UnheardFailures(log);

  private static CommunicationException gone(int rank) {
    return new CommunicationException(ErrorKind.PEER_GONE, rank, "it is gone");
  }

  @Test
  void failuresThatAreAlikeAreToldByPowersOfTen() {
    for (int i = 0; i < 12_345; i++) {
      failures.log(gone(3));
    }
    assertThat(log.lines()).hasSize(5).allMatch(line -> line.contains(gone(3).getMessage()));
    assertThat(log.lines().getLast()).startsWith("10000 operations");
  }

  @Test
  void failuresWithOthersOrOfOtherKindsAreToldByThemselves() {
    failures.log(gone(3));
    failures.log(gone(4));
    failures.log(new CommunicationException(ErrorKind.CLOSED, 3, "it closed its device"));
    assertThat(log.lines()).hasSize(3);
  }
}
