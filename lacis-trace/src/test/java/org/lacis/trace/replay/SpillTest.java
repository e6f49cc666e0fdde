package org.lacis.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.CallType;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Trace;
import org.lacis.trace.depth.Progress;

/** Messages on their way that find no room in memory. */
class SpillTest {
  /** More than is read ahead of what is played. */
  private static final int MESSAGES = 20_000;

  private static final int NUMBERS_PER_MESSAGE = 3;
  private static final CallType SEND = CallType.named("MPI_Send");
  private static final CallType RECV = CallType.named("MPI_Recv");

  @TempDir Path folder;
  @TempDir Path elsewhere;

  @Test
  void whatWasInTheFileIsPlayedAsIfItHadBeenInMemory() throws IOException {
    List<String> inMemory = new ArrayList<>();
    var large = new Spill(folder, NUMBERS_PER_MESSAGE * 10 * MESSAGES);
    ReplayResult expected = run(trace(MESSAGES), large, inMemory);
    assertThat(large.most()).as("blocks in a file").isZero();
    assertThat(expected.play(Engine.LIST).matched()).isEqualTo(2 * MESSAGES);

    List<String> onDisk = new ArrayList<>();
    var small = new Spill(folder, NUMBERS_PER_MESSAGE * 4);
    ReplayResult result = run(trace(MESSAGES), small, onDisk);
    assertThat(small.most()).as("blocks in a file").isGreaterThan(MESSAGES / 4);
    assertThat(onDisk).isEqualTo(inMemory);
    assertThat(result.play(Engine.LIST)).isEqualTo(expected.play(Engine.LIST));
    assertThat(result.play(Engine.ORDERED)).isEqualTo(expected.play(Engine.ORDERED));
    assertNothingIsLeft();
  }

  @Test
  void nothingIsLeftAfterAFailure() throws IOException {
    var small = new Spill(folder, NUMBERS_PER_MESSAGE * 4);
    assertThatIOException()
        .isThrownBy(() -> run(trace(MESSAGES - 1000), small, new ArrayList<>()))
        .withMessage("the disk is gone");
    assertThat(small.most()).as("blocks in a file").isPositive();
    assertNothingIsLeft();
  }

  private static ReplayResult run(Trace trace, Spill spill, List<String> met) throws IOException {
    return Replay.run(
        trace,
        ReplayOptions.DEFAULT,
        Progress.NONE,
        (engine, rank, receive, message) -> met.add(engine + " " + receive + " " + message),
        spill);
  }

  /** Nor is the file open: one without a name takes room as well. */
  private void assertNothingIsLeft() throws IOException {
    assertThat(folder).isEmptyDirectory();
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      assertThat(open.map(SpillTest::target).toList())
          .noneMatch(target -> target.startsWith(folder.toString()));
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return "closed meanwhile";
    }
  }

  /**
   * Two ranks send much before a third one receives.
   *
   * @param good so many messages of each can be read
   */
  private Trace trace(int good) throws IOException {
    Path file = Files.writeString(elsewhere.resolve("trace"), "");
    List<RankTrace> ranks =
        List.of(
            rank(0, file, SpillTest::receives),
            rank(1, file, sink -> sends(sink, good)),
            rank(2, file, sink -> sends(sink, MESSAGES)));
    return new Trace("spill", file, "test", ranks.size(), ranks, Map.of(), List.of());
  }

  private interface Reading {
    void to(CallSink sink) throws IOException;
  }

  private static RankTrace rank(int number, Path path, Reading reading) {
    return new RankTrace() {
      @Override
      public int rank() {
        return number;
      }

      @Override
      public Path file() {
        return path;
      }

      @Override
      public void read(CallSink sink) throws IOException {
        reading.to(sink);
      }
    };
  }

  private static void sends(CallSink sink, int good) throws IOException {
    var call = new Call();
    for (int i = 0; i < MESSAGES; i++) {
      if (i == good) {
        throw new IOException("the disk is gone");
      }
      make(call, SEND, i);
      set(call, "dest", 0);
      set(call, "tag", i % 7);
      sink.call(call);
    }
  }

  private static void receives(CallSink sink) throws IOException {
    var call = new Call();
    for (int i = 0; i < 2 * MESSAGES; i++) {
      make(call, RECV, MESSAGES + i);
      set(call, "source", 1 + i % 2);
      set(call, "tag", i / 2 % 7);
      sink.call(call);
    }
  }

  private static void make(Call call, CallType type, int time) {
    call.reset(type, 0);
    call.wall(time, time);
    set(call, "comm", 2);
  }

  private static void set(Call call, String field, int value) {
    call.value(call.type().indexOf(field), value);
  }
}
