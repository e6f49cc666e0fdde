package org.lacis.net.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.KeyPairGenerator;
import java.security.cert.Certificate;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections in TLS: who gets in, who is in the middle, and what somebody there can do. */
@Timeout(60)
class TlsTest {

  private static final int BUFFER = 64 << 10;

  private final Tls tls = new Tls(BUFFER);
  private DoorRig rig;

  @BeforeEach
  void open() throws IOException {
    rig = new DoorRig(tls);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void aCertificateIsSignedByItsOwnKey() throws Exception {
    var keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
    Certificate certificate = OwnCertificate.of(keys);
    certificate.verify(keys.getPublic());
    assertThat(certificate.getPublicKey()).isEqualTo(keys.getPublic());
  }

  @Test
  void whoProvesToBeAPeerIsLetIn() throws IOException {
    rig.meet();
    assertThat(rig.warnings).isEmpty();
  }

  @Test
  void whoSpeaksNoTlsIsDroppedAndLoggedOnce() throws IOException {
    var random = new SplittableRandom(5);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[random.nextInt(400)];
      random.nextBytes(garbage);
      // Perhaps the beginning of a record, so that more of it is looked at.
      if (i % 2 == 0 && garbage.length > 6) {
        System.arraycopy(new byte[] {22, 3, 1, 0, 100, 1}, 0, garbage, 0, 6);
      }
      assertThat(rig.say(garbage).length).isLessThan(100);
    }
    assertThat(rig.say(DoorRig.HELLO.bytes(new byte[Handshake.NONCE]))).isEmpty();
    rig.meet();
    assertThat(rig.warned()).hasSize(1);
  }

  @Test
  void whoDoesNotKnowTheSecretIsDropped() throws IOException {
    try (SocketChannel stranger = rig.knock()) {
      var wrong = new Proof("another secret".getBytes(US_ASCII), "job");
      assertThat(rig.failure(stranger, wrong, DoorRig.HELLO)).contains("does not know the secret");
    }
    rig.meet();
    assertThat(rig.warned()).hasSize(1);
  }

  /** It has a TLS connection with each of two ranks, and passes on what they say. */
  @Test
  void somebodyInTheMiddleIsNotBelieved() throws Exception {
    try (var middle = ServerSocketChannel.open().bind(new InetSocketAddress(DoorRig.HERE, 0))) {
      CompletableFuture<String> peer =
          CompletableFuture.supplyAsync(
              () -> {
                try (SocketChannel channel = DoorRig.connect(middle.socket().getLocalPort())) {
                  return rig.failure(channel, rig.proof, DoorRig.HELLO);
                } catch (IOException e) {
                  return "cannot connect: " + e;
                }
              });
      try (SocketChannel left = middle.accept();
          SocketChannel right = rig.knock()) {
        Line toPeer = Line.of(new Tls(BUFFER), left, false, Patience.until(DoorRig.soon()));
        Line toDoor = Line.of(tls, right, true, Patience.until(DoorRig.soon()));
        toDoor.send(toPeer.receive(Handshake.HELLO));
        toPeer.send(toDoor.receive(Handshake.NONCE + Proof.BYTES));
        assertThat(peer.get(20, TimeUnit.SECONDS)).contains("does not know the secret");
        assertThatThrownBy(() -> toPeer.receive(1)).isInstanceOf(IOException.class);
      }
    }
    rig.meet();
  }

  /** Two ends of a connection, and what goes over the socket of the first is seen. */
  private Pair pair() throws Exception {
    SocketChannel client = rig.knock();
    CompletableFuture<Wire> connected =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                Line line = Line.of(tls, client, true, Patience.until(DoorRig.soon()));
                new Handshake(line, rig.proof).connect(DoorRig.HELLO);
                return line.wire();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    return new Pair(
        connected.get(20, TimeUnit.SECONDS), rig.door.await(0, 0, Patience.until(DoorRig.soon())));
  }

  private record Pair(Wire left, Wire right) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      left.socket().close();
      right.socket().close();
    }
  }

  /**
   * Whoever writes is told of bytes when they are with the socket, may offer fewer or more the next
   * time, and what it offers again may have changed.
   */
  @Test
  void bytesArriveInOrderHoweverTheyAreOfferedAndAskedFor() throws Exception {
    long seed = Long.getLong("lacis.seed", System.nanoTime());
    IO.println("seed " + seed);
    var random = new SplittableRandom(seed);
    byte[] sent = new byte[2 << 20];
    random.nextBytes(sent);
    byte[] got = new byte[sent.length];
    ByteBuffer out = ByteBuffer.allocateDirect(sent.length).put(sent);
    ByteBuffer in = ByteBuffer.allocateDirect(sent.length);
    try (Pair pair = pair()) {
      ByteChannel writer = pair.left().bytes();
      ByteChannel reader = pair.right().bytes();
      int written = 0;
      while (in.position() < sent.length) {
        for (int i = random.nextInt(30); i > 0 && written < sent.length; i--) {
          int some = Math.min(sent.length - written, random.nextInt(1 << random.nextInt(1, 20)));
          written += writer.write(out.limit(written + some).position(written));
          assertThat(out.position()).isEqualTo(written);
        }
        for (int i = random.nextInt(30); i > 0; i--) {
          int most = Math.min(sent.length, in.position() + random.nextInt(1 << random.nextInt(20)));
          assertThat(reader.read(in.limit(most))).isNotNegative();
        }
      }
      in.get(0, got);
      assertThat(got).as("seed %d", seed).isEqualTo(sent);
      pair.left().socket().close();
      in.clear();
      while (reader.read(in) == 0) {
        Thread.onSpinWait();
      }
      assertThat(reader.read(in)).isNegative();
    }
  }

  /** What the socket brings is not what was written, and if it was changed it is not taken. */
  @Test
  void whatIsOnTheWireCannotBeReadNorChanged() throws Exception {
    byte[] text = "nobody else shall read this, or change it".repeat(10).getBytes(US_ASCII);
    try (Pair pair = pair()) {
      pair.left().bytes().write(ByteBuffer.wrap(text));
      var seen = new ByteArrayOutputStream();
      ByteBuffer raw = ByteBuffer.allocate(1 << 16);
      while (seen.size() <= text.length) {
        pair.right().socket().read(raw.clear());
        seen.write(raw.array(), 0, raw.position());
      }
      assertThat(seen.toString(US_ASCII)).doesNotContain("nobody", "change");
      byte[] changed = seen.toByteArray();
      changed[changed.length - 20] ^= 1;
      pair.left().socket().write(ByteBuffer.wrap(changed));
      ByteBuffer in = ByteBuffer.allocate(1 << 16);
      assertThatThrownBy(
              () -> {
                while (pair.right().bytes().read(in) == 0) {
                  Thread.onSpinWait();
                }
              })
          .isInstanceOf(SSLException.class);
      assertThat(in.position()).isZero();
    }
  }
}
