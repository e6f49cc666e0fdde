package org.lacis.trace.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.trace.Call;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;
import org.lacis.trace.TraceException;
import org.lacis.trace.Traces;
import org.lacis.trace.depth.DepthAnalysis;
import org.lacis.trace.depth.DepthOptions;
import org.lacis.trace.depth.Progress;
import org.lacis.trace.depth.TraceProfile;

class EventsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"tour_mpich", "wild_some_mpich"})
  void aTraceMadeEventsLooksTheSame(String name) throws IOException {
    Trace dumpi = Traces.open(Samples.folder(name));
    for (RankTrace rank : dumpi.ranks()) {
      try (var writer = EventWriter.open(folder, "run", rank.rank())) {
        rank.read(writer);
      }
    }
    Trace events = Traces.open(folder);
    assertThat(events.format()).isEqualTo("events");
    TraceProfile before = profile(dumpi);
    TraceProfile after = profile(events);
    assertThat(after.depths()).isEqualTo(before.depths());
    assertThat(after.calls()).isEqualTo(before.calls());
    assertThat(after.receives()).isEqualTo(before.receives());
    assertThat(after.peers()).isEqualTo(before.peers());
    assertThat(after.depthOverTime()).isEqualTo(before.depthOverTime());
  }

  @Test
  void aTableIsReadByItsColumns() throws IOException {
    Path file = folder.resolve("run-0003.csv");
    Files.writeString(
        file,
        """
        # made by hand
        call, start, stop, source, tag, request, requests
        MPI_Irecv, 100, 120, -1, 7, 2,
        MPI_Waitall, 200, 250, , , , 2 3
        """);
    List<String> seen = new ArrayList<>();
    Trace trace = Traces.open(file);
    trace.ranks().getFirst().read(call -> seen.add(shown(call)));
    assertThat(trace.ranks().getFirst().rank()).isEqualTo(3);
    assertThat(seen)
        .containsExactly("MPI_Irecv 100 120 comm=2 source=-1", "MPI_Waitall 200 250 count=2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"start":1}                            | does not say which call it is
          {"call":"MPI_Nothing"}                 | a call named "MPI_Nothing" is not known
          {"call":"Send"}                        | a call named "Send" is not known: it should be "MPI_Send"
          {"call":"MPI_Send","tag":1}            | MPI_Send needs "dest"
          {"call":"MPI_Irecv","source":1,"tag":2} | MPI_Irecv needs "request"
          {"call":"MPI_Wait"}                    | MPI_Wait needs "request"
          {"call":"MPI_Barrier","start":"1"}     | start is not one number
          {"call":"MPI_Send","source":1}         | MPI_Send has no argument "source"
          {"call":"MPI_Send","tag":1.5}          | "1.5" is not a whole number
          {"call":"MPI_Send","tag":[1,2]}        | the argument tag of MPI_Send is not one number
          {"call":"MPI_Send","tag":"x"}          | the argument tag of MPI_Send is text
          {"call":"MPI_Send"                     | there should be } after
          {"call":"MPI_Send"} x                  | something follows the object
          {"call":"MPI_Wait","status":[1,2]}     | a status has 5 numbers
          [1]                                    | there should be { after 0 characters
          """)
  void whatMakesNoSenseIsToldWithItsLine(String line, String reason) throws IOException {
    Path file = folder.resolve("run-0000.jsonl");
    Files.writeString(file, "{\"call\":\"MPI_Barrier\"}\n" + line + "\n");
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> Traces.open(file).ranks().getFirst().read(call -> {}))
        .withMessageContaining(file + ": at byte 23: line 2: " + reason);
  }

  private static TraceProfile profile(Trace trace) throws IOException {
    return DepthAnalysis.run(trace, DepthOptions.DEFAULT, null, 2, Progress.NONE);
  }

  private static String shown(Call call) {
    var text = new StringBuilder(call.type().name());
    text.append(' ').append(call.wallStart()).append(' ').append(call.wallStop());
    for (String name : List.of("comm", "count", "source")) {
      int at = call.type().indexOf(name);
      if (at >= 0 && call.value(at) != 0) {
        text.append(' ').append(name).append('=').append(call.value(at));
      }
    }
    return text.toString();
  }
}
