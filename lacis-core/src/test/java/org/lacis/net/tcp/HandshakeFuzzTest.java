package org.lacis.net.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handshakes that are broken, cut off or followed by garbage, at the door of a rank that waits for
 * its peer. None gets in, one is logged, nothing is kept, and afterwards the peer is let in.
 */
@Timeout(100)
class HandshakeFuzzTest {

  private static final int STRANGERS = Boolean.getBoolean("lacis.long") ? 100_000 : 400;

  private final long seed = Long.getLong("lacis.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nobodyGetsInByABrokenHandshake(boolean encrypted) throws Exception {
    IO.println("seed " + seed);
    Tls tls = encrypted ? new Tls(64 << 10) : null;
    try (DoorRig rig = new DoorRig(tls)) {
      besiege(rig, tls, STRANGERS / 4);
      long used = usedBytes();
      besiege(rig, tls, STRANGERS);
      // A connection would keep a hundred kilobytes, if anything of it were kept.
      assertThat(usedBytes() - used).as("growth, seed %d", seed).isLessThan(20L << 20);
      rig.meet();
      assertThat(rig.warned()).as("seed %d", seed).hasSize(1);
    }
  }

  private void besiege(DoorRig rig, @Nullable Tls tls, int strangers) {
    for (int i = 0; i < strangers; i++) {
      try (SocketChannel stranger = rig.knock()) {
        // Most know nothing of TLS; some do all of it right, and are wrong inside.
        boolean inside = tls == null || random.nextInt(8) == 0;
        Line line = Line.of(inside ? tls : null, stranger, true, Patience.until(DoorRig.soon()));
        knock(line, inside ? rig.proof : null);
        stranger.shutdownOutput();
        // The rest of what it is answered; it ends only by being dropped.
        while (line.receive(1) != null) {
          assertThat(stranger.isOpen()).isTrue();
        }
      } catch (IOException e) {
        assertThat(e)
            .as("seed %d", seed)
            .hasMessageMatching("(?i).*(hung up|reset|broken|closed).*");
      }
    }
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Says what a peer would say, but not quite. */
  private void knock(Line line, @Nullable Proof proof) throws IOException {
    byte[] hello = DoorRig.HELLO.bytes(bytes(Handshake.NONCE));
    if (proof == null || random.nextInt(3) > 0) {
      line.send(mutated(hello));
      line.send(bytes(random.nextInt(100)));
      return;
    }
    // It knows the secret, and its proof would hold but for one bit, or its end.
    line.send(hello);
    byte[] nonce = line.receive(Handshake.NONCE);
    line.receive(Proof.BYTES);
    byte[] said = proof.of(Handshake.CONNECTING, hello, nonce, line.binding());
    if (random.nextBoolean()) {
      said[random.nextInt(said.length)] ^= (byte) (1 << random.nextInt(8));
      line.send(said);
    } else {
      line.send(Arrays.copyOf(said, random.nextInt(said.length)));
    }
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] mutated(byte[] hello) {
    return switch (random.nextInt(4)) {
      case 0 -> bytes(random.nextInt(500));
      case 1 -> Arrays.copyOf(hello, random.nextInt(hello.length));
      case 2 -> {
        // As TLS begins, and how long it says to be.
        byte[] record = bytes(random.nextInt(6, 600));
        System.arraycopy(new byte[] {22, 3, 1, (byte) random.nextInt(3)}, 0, record, 0, 4);
        yield record;
      }
      default -> {
        hello[random.nextInt(hello.length - Handshake.NONCE)] ^= (byte) random.nextInt(1, 256);
        yield hello;
      }
    };
  }
}
