package org.lacis.trace.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.lacis.MatchingPolicy.TAG_ONLY;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.ClaimedMessage;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.testkit.Await;
import org.lacis.trace.CallType;
import org.lacis.trace.TraceException;
import org.lacis.trace.Traces;
import org.lacis.trace.depth.DepthAnalysis;
import org.lacis.trace.depth.DepthOptions;
import org.lacis.trace.depth.Progress;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.Wildcards;
import org.lacis.trace.replay.Engine;
import org.lacis.trace.replay.Replay;
import org.lacis.trace.replay.ReplayOptions;
import org.lacis.trace.replay.ReplayResult;

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
        .isEqualTo(new FlightEvents.Converted(8 + 8 + 8, 0, 0, List.of()));
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
        .isEqualTo(new FlightEvents.Converted(1 + 4 + 4 + 4, 1, 0, List.of()));
    TraceProfile profile =
        DepthAnalysis.run(Traces.open(trace), DepthOptions.DEFAULT, null, 1, Progress.NONE);
    assertThat(profile.problems()).isEmpty();
    for (Wildcards wildcards : Wildcards.values()) {
      assertThat(profile.receives(wildcards)).as("%s", wildcards).isEqualTo(1);
    }
    assertThat(profile.calls(CallType.named("MPI_Wait"))).isEqualTo(4);
  }

  @Test
  void messagesOfTwoEnginesDoNotMix() throws IOException {
    Path trace = folder.resolve("trace");
    assertThat(FlightEvents.convert(List.of(record(FlightEventsTest::talkByTwo)), trace))
        .isEqualTo(new FlightEvents.Converted(3 + 4 + 4 + 4, 0, 0, List.of()));
    List<String> lines = Files.readAllLines(trace.resolve("lacis-0000.jsonl"));
    assertThat(lines)
        .filteredOn(line -> line.contains("MPI_Comm_dup"))
        .extracting(line -> line.replaceAll(".*newcomm\":(\\d+).*", "$1"))
        .containsExactly("4", "5", "6");
    // The first message goes to the engine of the second receive.
    assertThat(lines)
        .filteredOn(line -> line.contains("MPI_Wait"))
        .extracting(line -> line.replaceAll(".*request\":(\\d+).*", "$1"))
        .startsWith("3", "2");
    ReplayResult result = Replay.run(Traces.open(trace), ReplayOptions.DEFAULT, Progress.NONE);
    assertThat(result.messages()).isEqualTo(4);
    assertThat(result.wildcards()).as("by tag alone").isEqualTo(1);
    assertThat(result.leftOut()).isZero();
    assertThat(result.paired()).isEqualTo(4);
    assertThat(result.play(Engine.LIST).asRecorded()).isEqualTo(4);
  }

  @Test
  void aClaimedMessageIsReceivedAsItWaits() throws IOException {
    Path trace = folder.resolve("trace");
    assertThat(FlightEvents.convert(List.of(record(FlightEventsTest::claim)), trace))
        .isEqualTo(new FlightEvents.Converted(1 + 2 + 2, 0, 0, List.of()));
    assertThat(Files.readAllLines(trace.resolve("lacis-0000.jsonl")))
        .filteredOn(line -> line.contains("MPI_Recv"))
        .satisfiesExactly(
            line -> assertThat(line).contains("\"source\":-1,\"tag\":5", "[16,0,0,0,5]"),
            line -> assertThat(line).contains("\"source\":0,\"tag\":-1", "[20000,0,0,0,6]"));
    ReplayResult.Play list =
        Replay.run(Traces.open(trace), ReplayOptions.DEFAULT, Progress.NONE).play(Engine.LIST);
    assertThat(list.unexpected()).isEqualTo(2);
    assertThat(list.asRecorded()).isEqualTo(2);
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
  void aRecordingWithoutEventsIsToldOf() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other")).resolve("other.jfr");
    Files.move(record(() -> {}), other);
    Path file = record(FlightEventsTest::talk);
    assertThat(FlightEvents.convert(List.of(file, other), folder.resolve("trace")).silent())
        .containsExactly(other);
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> FlightEvents.convert(List.of(other), folder.resolve("none")))
        .withMessage(other + ": has no events org.lacis.Post or org.lacis.Match");
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

  /** A rank that talks to itself by two engines and two policies, with the same tag. */
  private static void talkByTwo() {
    try (var lacis = Lacis.open()) {
      var first = lacis.newMatchingEngine(MatchingOptions.ordered());
      var second = lacis.newMatchingEngine(MatchingOptions.ordered());
      var received = lacis.newSynchronizer(4);
      var message = MemorySegment.ofArray(new byte[16]);
      for (MatchingEngine engine : List.of(first, second)) {
        lacis.recv().from(0).tag(5).buffer(buffer()).matching(engine).postBlocking(received);
      }
      for (MatchingEngine engine : List.of(second, first)) {
        lacis.send().to(0).tag(5).buffer(message).matching(engine).postBlocking(Completion.NONE);
      }
      lacis.recv().tag(5).buffer(buffer()).matching(TAG_ONLY).postBlocking(received);
      lacis.recv().from(0).tag(5).buffer(buffer()).postBlocking(received);
      lacis.send().to(0).tag(5).buffer(message).postBlocking(Completion.NONE);
      lacis.send().to(0).tag(5).buffer(message).matching(TAG_ONLY).postBlocking(Completion.NONE);
      received.await();
    }
  }

  private static MemorySegment buffer() {
    return MemorySegment.ofArray(new byte[16]);
  }

  /** A rank that claims what it has sent itself: a short message, and one that is fetched. */
  private static void claim() {
    try (var lacis = Lacis.open();
        var arena = Arena.ofShared()) {
      var engine = lacis.newMatchingEngine(MatchingOptions.ordered());
      var sent = lacis.newSynchronizer();
      var done = lacis.newSynchronizer(2);
      lacis.send().to(0).tag(5).buffer(buffer()).matching(engine).postBlocking(Completion.NONE);
      lacis
          .send()
          .to(0)
          .tag(6)
          .buffer(arena.allocate(20_000))
          .matching(engine)
          .allowDone(false)
          .postBlocking(sent);
      try (var message = ClaimedMessage.create()) {
        Await.until("a short message", () -> claims(lacis, engine, Lacis.ANY_SOURCE, 5, message));
        message.receive(buffer(), done);
        Await.until("a long one", () -> claims(lacis, engine, 0, Lacis.ANY_TAG, message));
        message.receive(arena.allocate(20_000), done);
      }
      done.await();
      sent.await();
    }
  }

  private static boolean claims(
      Lacis lacis, MatchingEngine engine, int source, int tag, ClaimedMessage message) {
    lacis.progress();
    return engine.claim(source, tag, message);
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
