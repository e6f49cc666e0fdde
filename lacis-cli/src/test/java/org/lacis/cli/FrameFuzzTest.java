package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.Version;

/** What a launcher and an agent say to each other, damaged on the way. */
@Timeout(100)
class FrameFuzzTest {

  private static final int ROUNDS = Boolean.getBoolean("lacis.long") ? 100 : 1;
  private static final int CHANNEL = Multiplexer.channel(Multiplexer.PMI, 1);

  private final long seed = Long.getLong("lacis.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /** Some frames, as both sides send them, of which some bytes are not what they were. */
  private byte[] damaged() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      FrameKind kind = FrameKind.values()[random.nextInt(FrameKind.values().length)];
      byte[] payload =
          switch (kind) {
            case HELLO -> Version.current().getBytes(StandardCharsets.UTF_8);
            case JOB, START ->
                Frame.pack(List.of(List.of("ab".repeat(16), "folder"), List.of("NAME=value")));
            case EXITED, GRANT -> Multiplexer.number(random.nextInt(3));
            case FAILED, DATA -> new byte[random.nextInt(50)];
            default -> new byte[0];
          };
      int subject = random.nextBoolean() ? CHANNEL : random.nextInt(3);
      Frame.write(out, kind, subject, payload, 0, payload.length);
    }
    byte[] bytes = out.toByteArray();
    for (int damage = random.nextInt(4); damage > 0; damage--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }

  @Test
  void aDamagedStreamIsReadOrRefused() throws Exception {
    IO.println("seed " + seed);
    for (int i = 0; i < 20_000 * ROUNDS; i++) {
      Multiplexer end =
          new Multiplexer(new ByteArrayInputStream(damaged()), OutputStream.nullOutputStream());
      end.outlet(CHANNEL);
      if (i % 20 == 0) { // a thread each
        end.inlet(CHANNEL, OutputStream.nullOutputStream());
      }
      try {
        end.read(FrameFuzzTest::look);
      } catch (FrameException | EOFException e) {
        assertThat(e).hasMessageStartingWith("a frame");
      } catch (RuntimeException e) {
        fail("seed " + seed, e);
      }
    }
  }

  /** Reads all there is in a frame. */
  private static void look(Frame frame) throws IOException {
    switch (frame.kind()) {
      case JOB, START -> assertThat(frame.lists()).isNotNull();
      case EXITED -> assertThat(Multiplexer.number(frame.number())).isEqualTo(frame.payload());
      default -> assertThat(frame.text()).isNotNull();
    }
  }

  /** An agent that says nonsense is a host that was lost, and the launcher says so. */
  @Test
  void anAgentThatTalksNonsenseIsALostHost(@TempDir Path folder) throws Exception {
    IO.println("seed " + seed);
    Path said = folder.resolve("said");
    for (int i = 0; i < 20 * ROUNDS; i++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(HostAgent.greeting());
      byte[] version = Version.current().getBytes(StandardCharsets.UTF_8);
      Frame.write(out, FrameKind.HELLO, 0, version, 0, version.length);
      out.write(damaged());
      Files.write(said, out.toByteArray());
      CompletableFuture<String> lost = new CompletableFuture<>();
      RemoteHost.begin(
          new Hosts.Host("far", 0, 2),
          List.of("cat", said.toString()),
          List.of("ab".repeat(16), "folder"),
          "127.0.0.1:1",
          NOWHERE,
          NOWHERE,
          new HostListener() {
            @Override
            public void notStarted(int rank, String why) {
              fail("rank " + rank + " was never to be started, seed " + seed);
            }

            @Override
            public void hostFailed(Hosts.Host host, String why) {
              lost.complete(why);
            }

            @Override
            public void ended(int rank, int code) {
              fail("rank " + rank + " was never started, seed " + seed);
            }
          });
      assertThat(lost.get(30, TimeUnit.SECONDS)).as("seed %d", seed).startsWith("host far");
    }
  }

  private static final RankOutput NOWHERE =
      new RankOutput() {
        @Override
        public void write(int rank, byte[] bytes, int length) {
          fail("rank " + rank + " was never started");
        }

        @Override
        public void end(int rank) {}
      };
}
