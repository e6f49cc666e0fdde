package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lacis.testkit.Await;

/** Frames and channels between the launcher and the agent of a host. */
class MultiplexerTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static Frame reread(FrameKind kind, int subject, byte[] payload) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Frame.write(bytes, kind, subject, payload, 0, payload.length);
    Frame frame = Frame.read(new ByteArrayInputStream(bytes.toByteArray()));
    assertThat(frame).isNotNull();
    return frame;
  }

  @Test
  void aFrameIsReadAsItWasWritten() throws IOException {
    List<List<String>> lists = List.of(List.of("a", "", "bü"), List.of(), List.of("c=d"));
    Frame frame = reread(FrameKind.START, 7, Frame.pack(lists));
    assertThat(frame.kind()).isEqualTo(FrameKind.START);
    assertThat(frame.subject()).isEqualTo(7);
    assertThat(frame.lists()).isEqualTo(lists);
    assertThat(reread(FrameKind.EXITED, 1, Multiplexer.number(137)).number()).isEqualTo(137);
    assertThat(Frame.read(InputStream.nullInputStream())).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 7, a frame DATA of 4294967295 bytes",
    "32769, 7, a frame DATA of 32769 bytes",
    "5, 9, a frame GRANT of 5 bytes",
    "1, 10, a frame STOP of 1 bytes",
    "0, 0, a frame of kind 0",
    "0, 13, a frame of kind 13",
    "0, -1, a frame of kind -1"
  })
  void framesThatAreNoneAreRefused(int length, byte kind, String why) {
    byte[] header = ByteBuffer.allocate(9).putInt(length).put(kind).putInt(0).array();
    assertThatThrownBy(() -> Frame.read(new ByteArrayInputStream(header)))
        .isInstanceOf(FrameException.class)
        .hasMessage(why);
  }

  @Test
  void framesThatAreCutOffAreNoticed() {
    byte[] frame = ByteBuffer.allocate(10).putInt(2).put((byte) 7).putInt(0).array();
    for (int length = 1; length <= frame.length; length++) {
      InputStream in = new ByteArrayInputStream(frame, 0, length);
      assertThatThrownBy(() -> Frame.read(in)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void damagedListsAreRefused() throws IOException {
    byte[] good = Frame.pack(List.of(List.of("java", "-cp"), List.of("A=B")));
    for (int at = 0; at < good.length; at += 4) {
      byte[] bad = good.clone();
      bad[at] = (byte) 0x80;
      Frame frame = reread(FrameKind.START, 0, bad);
      try {
        frame.lists(); // a text may be changed like that
      } catch (FrameException e) {
        assertThat(e).hasMessage("a frame START that is damaged");
      }
    }
    assertThatThrownBy(() -> reread(FrameKind.START, 0, new byte[] {1, 0}).lists())
        .isInstanceOf(FrameException.class);
  }

  /** Two ends of which each reads what the other writes. */
  private static final class Pair {
    final Multiplexer left;
    final Multiplexer right;

    Pair() throws IOException {
      Pipe toLeft = Pipe.open();
      Pipe toRight = Pipe.open();
      left = end(toLeft, toRight);
      right = end(toRight, toLeft);
      read(left);
      read(right);
    }

    private static Multiplexer end(Pipe in, Pipe out) {
      return new Multiplexer(
          Channels.newInputStream(in.source()), Channels.newOutputStream(out.sink()));
    }

    private static void read(Multiplexer end) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  end.read(frame -> {});
                } catch (IOException e) {
                  // The other end has been forgotten.
                }
              });
    }
  }

  @Test
  void aChannelCarriesBytesInOrder() throws Exception {
    Pair pair = new Pair();
    byte[] bytes = new byte[3 * Multiplexer.WINDOW + 12345];
    new Random(1).nextBytes(bytes);
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    Thread drain = pair.right.inlet(5, got);
    pair.left.pump(new ByteArrayInputStream(bytes), pair.left.outlet(5));
    drain.join(LIMIT.toMillis());
    assertThat(got.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void aChannelThatNobodyReadsHoldsUpNoOther() throws Exception {
    Pair pair = new Pair();
    CountDownLatch open = new CountDownLatch(1);
    ByteArrayOutputStream slow = new ByteArrayOutputStream();
    Thread slowDrain =
        pair.right.inlet(
            1,
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                try {
                  open.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
                slow.write(b);
              }
            });
    ByteArrayOutputStream quick = new ByteArrayOutputStream();
    Thread quickDrain = pair.right.inlet(2, quick);
    byte[] bytes = new byte[2 * Multiplexer.WINDOW];
    Thread held = pair.left.pump(new ByteArrayInputStream(bytes), pair.left.outlet(1));
    pair.left.pump(new ByteArrayInputStream(bytes), pair.left.outlet(2));
    quickDrain.join(LIMIT.toMillis());
    assertThat(quick.size()).isEqualTo(bytes.length);
    assertThat(held.isAlive()).isTrue();
    open.countDown();
    slowDrain.join(LIMIT.toMillis());
    assertThat(slow.size()).isEqualTo(bytes.length);
  }

  @Test
  void aReaderThatIsGoneDoesNotHoldUpTheWriter() throws Exception {
    Pair pair = new Pair();
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("nobody reads");
          }
        };
    pair.right.inlet(1, broken);
    Thread pump =
        pair.left.pump(
            new ByteArrayInputStream(new byte[2 * Multiplexer.WINDOW]), pair.left.outlet(1));
    Await.until("all to be written", LIMIT, () -> !pump.isAlive());
  }

  private static void refuses(Multiplexer end, String why) {
    assertThatThrownBy(() -> end.read(frame -> {}))
        .isInstanceOf(FrameException.class)
        .hasMessageContaining(why);
  }

  private static Multiplexer after(FrameKind kind, int channel, byte[] payload, int times)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < times; i++) {
      Frame.write(bytes, kind, channel, payload, 0, payload.length);
    }
    return new Multiplexer(
        new ByteArrayInputStream(bytes.toByteArray()), OutputStream.nullOutputStream());
  }

  @Test
  void framesThatFitNoChannelAreRefused() throws IOException {
    refuses(after(FrameKind.DATA, 9, new byte[1], 1), "on channel 9, which is not open");
    refuses(after(FrameKind.END, 9, new byte[0], 1), "on channel 9, which is not open");
    Multiplexer granted = after(FrameKind.GRANT, 9, Multiplexer.number(1), 1);
    granted.outlet(9);
    refuses(granted, "GRANT of 1 bytes where 0 are under way");
    Multiplexer twice = after(FrameKind.END, 9, new byte[0], 2);
    twice.inlet(9, OutputStream.nullOutputStream());
    refuses(twice, "on channel 9, which is not open");
  }

  @Test
  void moreThanTheWindowIsRefused() throws IOException {
    int blocks = Multiplexer.WINDOW / FrameKind.DATA.limit();
    Multiplexer end = after(FrameKind.DATA, 9, new byte[FrameKind.DATA.limit()], 2 * blocks + 1);
    CountDownLatch never = new CountDownLatch(1);
    end.inlet(
        9,
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            try {
              never.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        });
    refuses(end, "unread");
    never.countDown();
  }
}
