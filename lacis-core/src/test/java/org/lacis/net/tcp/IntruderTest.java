package org.lacis.net.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Strangers at the door: they are dropped, the first is logged, and who is waited for gets in. */
class IntruderTest {

  /** How long one who says nothing may stay when all places are taken. */
  private static final Duration CROWDED = Duration.ofSeconds(5);

  private DoorRig rig;

  @BeforeEach
  void open() throws IOException {
    rig = new DoorRig(null);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void whoProvesToBeAPeerIsLetIn() throws IOException {
    rig.meet();
    assertThat(rig.warnings).isEmpty();
  }

  /** More than are looked at together: those who come late wait for their turn. */
  @Test
  void manyPeersComeAtOnce() throws Exception {
    List<CompletableFuture<String>> ends = new ArrayList<>();
    List<SocketChannel> peers = new ArrayList<>();
    try {
      for (int device = 0; device < 200; device++) {
        peers.add(rig.knock());
      }
      // Nobody has said anything yet: none can have been let in before the last has come.
      for (int device = 0; device < 200; device++) {
        SocketChannel peer = peers.get(device);
        var hello = new Handshake.Hello(0, 1, device, 2);
        ends.add(
            CompletableFuture.supplyAsync(
                () -> rig.failure(peer, rig.proof, hello), work -> Thread.ofVirtual().start(work)));
      }
      for (int device = 0; device < 200; device++) {
        assertThat(ends.get(device).get(20, TimeUnit.SECONDS)).isEmpty();
        rig.door.await(0, device, Patience.until(DoorRig.soon())).socket().close();
      }
    } finally {
      for (SocketChannel peer : peers) {
        peer.close();
      }
    }
    assertThat(rig.warnings).isEmpty();
  }

  /** As one on a machine that is busy, or one that is stopped for a while. */
  @Test
  void aPeerMayBeSlow() throws Exception {
    try (SocketChannel peer = rig.knock()) {
      Thread.sleep(CROWDED.plusSeconds(1));
      assertThat(rig.failure(peer, rig.proof, DoorRig.HELLO)).isEmpty();
      rig.door.await(0, 0, Patience.until(DoorRig.soon())).socket().close();
    }
    assertThat(rig.warnings).isEmpty();
  }

  @Test
  void strangersWhoSayNothingDoNotKeepAPeerOut() throws Exception {
    List<SocketChannel> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < Door.MOST_GUESTS; i++) {
        strangers.add(rig.knock());
      }
      long begin = System.nanoTime();
      rig.meet();
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(CROWDED.dividedBy(2), CROWDED.multipliedBy(3));
    } finally {
      for (SocketChannel stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void garbageIsDroppedAndLoggedOnce() throws IOException {
    var random = new SplittableRandom(5);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      assertThat(rig.say(garbage)).isEmpty();
    }
    rig.meet();
    assertThat(rig.warned()).hasSize(1);
  }

  @Test
  void whoDoesNotKnowTheSecretIsDropped() throws IOException {
    try (SocketChannel stranger = rig.knock()) {
      var wrong = new Proof("another secret".getBytes(US_ASCII), "job");
      assertThat(rig.failure(stranger, wrong, DoorRig.HELLO)).contains("does not know the secret");
    }
    byte[] nonce = new byte[Handshake.NONCE];
    assertThat(rig.say(DoorRig.HELLO.bytes(nonce), new byte[Proof.BYTES]))
        .as("a number and a proof, and no welcome")
        .hasSize(Handshake.NONCE + Proof.BYTES);
    rig.meet();
    assertThat(rig.warned()).hasSize(1);
  }

  @Test
  void whoKnowsTheSecretOfAnotherRuntimeIsDropped() throws IOException {
    try (SocketChannel stranger = rig.knock()) {
      assertThat(
              rig.failure(
                  stranger, new Proof("a secret".getBytes(US_ASCII), "job2"), DoorRig.HELLO))
          .contains("does not know the secret");
    }
  }

  @Test
  void whoIsNotWaitedForIsDropped() throws IOException {
    for (var hello :
        List.of(
            new Handshake.Hello(1, 1, 0, 2),
            new Handshake.Hello(-1, 1, 0, 2),
            new Handshake.Hello(0, 0, 0, 2),
            new Handshake.Hello(0, 1, -1, 2),
            new Handshake.Hello(0, 1, 100_000, 2),
            new Handshake.Hello(0, 1, 0, 3))) {
      try (SocketChannel stranger = rig.knock()) {
        assertThat(rig.failure(stranger, rig.proof, hello)).isNotEmpty();
      }
    }
    rig.meet();
  }

  /** A handshake that was overheard, all of it, helps nobody: the numbers are fresh. */
  @Test
  void aRecordedHandshakeIsNotEnough() throws Exception {
    List<byte[]> recorded = new ArrayList<>();
    try (ServerSocket middle = new ServerSocket(0, 1, DoorRig.HERE);
        SocketChannel peer = DoorRig.connect(middle.getLocalPort());
        Socket between = middle.accept();
        Socket onward = rig.knock().socket()) {
      Thread client =
          Thread.ofVirtual()
              .start(() -> assertThat(rig.failure(peer, rig.proof, DoorRig.HELLO)).isEmpty());
      recorded.add(between.getInputStream().readNBytes(Handshake.HELLO));
      onward.getOutputStream().write(recorded.getLast());
      byte[] answer = onward.getInputStream().readNBytes(Handshake.NONCE + Proof.BYTES);
      between.getOutputStream().write(answer);
      recorded.add(between.getInputStream().readNBytes(Proof.BYTES));
      onward.getOutputStream().write(recorded.getLast());
      between.getOutputStream().write(onward.getInputStream().readNBytes(1));
      assertThat(client.join(Duration.ofSeconds(20))).isTrue();
      rig.door.await(0, 0, Patience.until(DoorRig.soon())).socket().close();
    }
    assertThat(rig.say(recorded.get(0), recorded.get(1)))
        .as("a number and a proof, and no welcome")
        .hasSize(Handshake.NONCE + Proof.BYTES);
    assertThat(rig.warned()).hasSize(1);
  }

  /** Whatever is wrong with a handshake, nobody gets in by it. */
  @Test
  void aHandshakeThatIsWrongInAnyBitIsDropped() throws IOException {
    var random = new SplittableRandom(7);
    for (int i = 0; i < 300; i++) {
      byte[] hello = DoorRig.HELLO.bytes(new byte[Handshake.NONCE]);
      // Not in the number, which may be any.
      int bit = random.nextInt((Handshake.HELLO - Handshake.NONCE) * 8);
      hello[bit / 8] ^= (byte) (1 << bit % 8);
      byte[] rest = new byte[random.nextInt(64)];
      assertThat(rig.say(hello, rest).length).isLessThanOrEqualTo(Handshake.NONCE + Proof.BYTES);
    }
    rig.meet();
    assertThat(rig.warned()).hasSize(1);
  }

  @Test
  void theHelloIsWhatTheDocumentSays() throws IOException {
    byte[] nonce = new byte[Handshake.NONCE];
    ByteBuffer bytes =
        ByteBuffer.wrap(new Handshake.Hello(2, 3, 4, 5).bytes(nonce))
            .order(ByteOrder.LITTLE_ENDIAN);
    assertThat(new String(bytes.array(), 0, 8, US_ASCII)).isEqualTo("LACISTCP");
    assertThat(bytes.getInt(8)).isEqualTo(Handshake.VERSION);
    assertThat(Handshake.Hello.of(bytes.array())).isEqualTo(new Handshake.Hello(2, 3, 4, 5));
  }
}
