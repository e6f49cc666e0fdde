package org.lacis.trace.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.trace.CallType;
import org.lacis.trace.TraceException;
import org.lacis.trace.Traces;
import org.lacis.trace.depth.DepthAnalysis;
import org.lacis.trace.depth.DepthOptions;
import org.lacis.trace.depth.Progress;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.Wildcards;

/** A program of Lacis, recorded and looked at. */
class FlightEventsTest {
  @TempDir Path folder;

  private Path record(Runnable program) throws IOException {
    Path file = folder.resolve("rank0.jfr");
    try (var recording = new Recording()) {
      recording.enable("org.lacis.Post");
      recording.enable("org.lacis.Match");
      recording.start();
      program.run();
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  @Test
  void aRecordingBecomesATrace() throws IOException {
    Path file = record(FlightEventsTest::talk);
    Path trace = folder.resolve("trace");
    assertThat(FlightEvents.convert(List.of(file), trace))
        .isEqualTo(new FlightEvents.Converted(8 + 8 + 8, 0, 0));
    TraceProfile profile =
        DepthAnalysis.run(Traces.open(trace), DepthOptions.DEFAULT, null, 1, Progress.NONE);
    assertThat(profile.problems()).isEmpty();
    assertThat(profile.calls(CallType.named("MPI_Isend"))).isEqualTo(8);
    assertThat(profile.calls(CallType.named("MPI_Irecv"))).isEqualTo(8);
    assertThat(profile.calls(CallType.named("MPI_Wait"))).isEqualTo(8);
    // When messages arrive depends on progress.
    assertThat(profile.mostPosted()).isBetween(5, 8);
    assertThat(profile.uniqueTags()).isEqualTo(8);
  }

  @Test
  void receivesThatLeaveThingsOpenAreWildcards() throws IOException {
    Path trace = folder.resolve("trace");
    assertThat(FlightEvents.convert(List.of(record(FlightEventsTest::talkToAny)), trace))
        .isEqualTo(new FlightEvents.Converted(4 + 4 + 4, 1, 0));
    TraceProfile profile =
        DepthAnalysis.run(Traces.open(trace), DepthOptions.DEFAULT, null, 1, Progress.NONE);
    assertThat(profile.problems()).isEmpty();
    for (Wildcards wildcards : Wildcards.values()) {
      assertThat(profile.receives(wildcards)).as("%s", wildcards).isEqualTo(1);
    }
    assertThat(profile.calls(CallType.named("MPI_Wait"))).isEqualTo(4);
  }

  @Test
  void aRecordingIsNotReadTwiceNorIntoAFullFolder() throws IOException {
    Path file = record(FlightEventsTest::talk);
    Path trace = folder.resolve("trace");
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> FlightEvents.convert(List.of(file, file), trace))
        .withMessageContaining("twice");
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> FlightEvents.convert(List.of(file), folder))
        .withMessageContaining("not empty");
    assertThat(FlightEvents.convert(List.of(file), trace).calls()).isPositive();
  }

  @Test
  void whatIsNoRecordingIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("x.jfr"), "nothing");
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> FlightEvents.convert(List.of(file), folder.resolve("trace")))
        .withMessageContaining("is not a recording");
  }

  /** A rank that talks to itself: receives of each kind before their messages, and one after. */
  private static void talkToAny() {
    try (var lacis = Lacis.open();
        var arena = Arena.ofShared()) {
      var engine = lacis.newMatchingEngine(MatchingOptions.ordered());
      var received = lacis.newSynchronizer(4);
      var buffers = arena.allocate(4 * 16);
      int[] sources = {0, Lacis.ANY_SOURCE, 0, Lacis.ANY_SOURCE};
      int[] tags = {5, 6, Lacis.ANY_TAG, Lacis.ANY_TAG};
      for (int i = 0; i < 4; i++) {
        if (i == 3) {
          send(lacis, engine, arena.allocate(16));
        }
        lacis
            .recv()
            .from(sources[i])
            .tag(tags[i])
            .buffer(buffers.asSlice(16 * i, 16))
            .matching(engine)
            .postBlocking(received);
      }
      received.await();
      var heard = lacis.register(status -> {});
      lacis.am().to(0).target(heard).postBlocking(Completion.NONE);
      lacis.barrier();
    }
  }

  private static void send(Lacis lacis, MatchingEngine engine, MemorySegment message) {
    for (int tag = 5; tag < 9; tag++) {
      lacis.send().to(0).tag(tag).buffer(message).matching(engine).postBlocking(Completion.NONE);
    }
  }

  /** A rank that talks to itself: five receives come before their messages, three after. */
  private static void talk() {
    try (var lacis = Lacis.open();
        var arena = Arena.ofShared()) {
      var received = lacis.newSynchronizer(8);
      var message = arena.allocate(16);
      var buffers = arena.allocate(8 * 16);
      for (int tag = 0; tag < 5; tag++) {
        lacis.recv().from(0).buffer(buffers.asSlice(16 * tag, 16)).tag(tag).postBlocking(received);
      }
      for (int tag = 0; tag < 8; tag++) {
        lacis.send().to(0).buffer(message).tag(tag).postBlocking(Completion.NONE);
      }
      for (int tag = 5; tag < 8; tag++) {
        lacis.recv().from(0).buffer(buffers.asSlice(16 * tag, 16)).tag(tag).postBlocking(received);
      }
      received.await();
    }
  }
}
