package org.lacis.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.bench.subject.Command;

class AgendaTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyTargetHasItsMeasures(boolean quick) {
    List<String> ids = agenda(quick).stream().map(Measure::id).toList();
    assertThat(ids).contains("am-latency", "hello-16");
    for (Target target : Target.ALL) {
      assertThat(ids).contains(target.measure());
      if (!target.other().isEmpty()) {
        assertThat(ids).contains(target.other());
      }
    }
  }

  @Test
  void measuresAreToldApart() {
    List<String> ids = agenda(false).stream().map(Measure::id).toList();
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void everyCommandCanBeRead() {
    for (Measure measure : agenda(false)) {
      Command command = Command.parse(measure.command(measure.allowed(1000)));
      assertThat(command.verb()).isEqualTo(measure.verb());
      assertThat(command.arguments()).isEqualTo(measure.arguments());
      assertThat(command.count() % measure.batch()).isZero();
    }
  }

  @Test
  void aSetHasOneKindOfProcess() {
    for (boolean quick : new boolean[] {false, true}) {
      for (List<Measure> set : Agenda.sets(agenda(quick), quick)) {
        assertThat(set).extracting(Setup::of).containsOnly(Setup.of(set.getFirst()));
      }
    }
  }

  @Test
  void whereThreadsShareCoresIsKnown() {
    assertThat(agenda(false).stream().filter(measure -> measure.crowded(2)).map(Measure::id))
        .contains(
            "thread-rate[devices=shared,threads=2,window=64]",
            "am-rate[pairs=2,window=64]",
            "am-latency@one-core")
        .doesNotContain(
            "thread-rate[devices=shared,threads=1,window=64]",
            "am-rate[pairs=1,window=64]",
            "am-latency",
            "pool[threads=2]");
  }

  private static List<Measure> agenda(boolean quick) {
    return Agenda.of(EnumSet.allOf(Group.class), quick, 2);
  }
}
