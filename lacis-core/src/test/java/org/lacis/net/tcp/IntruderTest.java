package org.lacis.net.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Strangers at the door: they are dropped, the first is logged, and who is waited for gets in. */
class IntruderTest {

  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final Handshake.Hello HELLO = new Handshake.Hello(0, 1, 0, 2);

  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final System.Logger log =
      new System.Logger() {
        @Override
        public String getName() {
          return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
          return level.getSeverity() >= Level.WARNING.getSeverity();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
          log(level, bundle, message);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... values) {
          if (isLoggable(level)) {
            warnings.add(MessageFormat.format(format, values));
          }
        }
      };

  private final Proof proof = new Proof("a secret".getBytes(US_ASCII), "job");
  private ServerSocketChannel listener;
  private Door door;

  @BeforeEach
  void open() throws IOException {
    listener = ServerSocketChannel.open().bind(new InetSocketAddress(HERE, 0));
    door = new Door(listener, log, proof, 1, 2);
    door.open();
  }

  @AfterEach
  void close() {
    door.close();
  }

  private static long soon() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
  }

  private Socket knock() throws IOException {
    Socket socket = new Socket(HERE, listener.socket().getLocalPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private void meet() throws IOException {
    try (Socket peer = knock()) {
      new Handshake(peer, proof, soon()).connect(HELLO);
      try (SocketChannel met = door.await(0, 0, soon())) {
        assertThat(met.isConnected()).isTrue();
      }
    }
  }

  /** What it is answered until it is dropped. */
  private byte[] say(byte[]... words) throws IOException {
    try (Socket stranger = knock()) {
      var heard = new ByteArrayOutputStream();
      try {
        for (byte[] word : words) {
          stranger.getOutputStream().write(word);
        }
        stranger.shutdownOutput();
        stranger.getInputStream().transferTo(heard);
      } catch (SocketException e) {
        assertThat(e).hasMessageMatching("(?i).*(reset|broken|abort|closed).*");
      }
      return heard.toByteArray();
    }
  }

  @Test
  void whoProvesToBeAPeerIsLetIn() throws IOException {
    meet();
    assertThat(warnings).isEmpty();
  }

  @Test
  void garbageIsDroppedAndLoggedOnce() throws IOException {
    var random = new SplittableRandom(5);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      assertThat(say(garbage)).isEmpty();
    }
    meet();
    assertThat(warnings).hasSize(1);
  }

  @Test
  void whoDoesNotKnowTheSecretIsDropped() throws IOException {
    try (Socket stranger = knock()) {
      var wrong = new Proof("another secret".getBytes(US_ASCII), "job");
      assertThat(failure(stranger, wrong, HELLO)).contains("does not know the secret");
    }
    byte[] nonce = new byte[Handshake.NONCE];
    assertThat(say(HELLO.bytes(nonce), new byte[Proof.BYTES]))
        .as("a number and a proof, and no welcome")
        .hasSize(Handshake.NONCE + Proof.BYTES);
    meet();
    assertThat(warnings).hasSize(1);
  }

  @Test
  void whoKnowsTheSecretOfAnotherRuntimeIsDropped() throws IOException {
    try (Socket stranger = knock()) {
      assertThat(failure(stranger, new Proof("a secret".getBytes(US_ASCII), "job2"), HELLO))
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
      try (Socket stranger = knock()) {
        assertThat(failure(stranger, proof, hello)).isNotEmpty();
      }
    }
    meet();
  }

  private static String failure(Socket socket, Proof proof, Handshake.Hello hello) {
    try {
      new Handshake(socket, proof, soon()).connect(hello);
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** A handshake that was overheard, all of it, helps nobody: the numbers are fresh. */
  @Test
  void aRecordedHandshakeIsNotEnough() throws Exception {
    List<byte[]> recorded = new ArrayList<>();
    try (ServerSocket middle = new ServerSocket(0, 1, HERE);
        Socket peer = new Socket(HERE, middle.getLocalPort());
        Socket between = middle.accept();
        Socket onward = knock()) {
      Thread client =
          Thread.ofVirtual().start(() -> assertThat(failure(peer, proof, HELLO)).isEmpty());
      recorded.add(between.getInputStream().readNBytes(Handshake.HELLO));
      onward.getOutputStream().write(recorded.getLast());
      byte[] answer = onward.getInputStream().readNBytes(Handshake.NONCE + Proof.BYTES);
      between.getOutputStream().write(answer);
      recorded.add(between.getInputStream().readNBytes(Proof.BYTES));
      onward.getOutputStream().write(recorded.getLast());
      between.getOutputStream().write(onward.getInputStream().readNBytes(1));
      assertThat(client.join(Duration.ofSeconds(20))).isTrue();
      door.await(0, 0, soon()).close();
    }
    assertThat(say(recorded.get(0), recorded.get(1)))
        .as("a number and a proof, and no welcome")
        .hasSize(Handshake.NONCE + Proof.BYTES);
    assertThat(warnings).hasSize(1);
  }

  /** Whatever is wrong with a handshake, nobody gets in by it. */
  @Test
  void aHandshakeThatIsWrongInAnyBitIsDropped() throws IOException {
    var random = new SplittableRandom(7);
    for (int i = 0; i < 300; i++) {
      byte[] hello = HELLO.bytes(new byte[Handshake.NONCE]);
      // Not in the number, which may be any.
      int bit = random.nextInt((Handshake.HELLO - Handshake.NONCE) * 8);
      hello[bit / 8] ^= (byte) (1 << bit % 8);
      byte[] rest = new byte[random.nextInt(64)];
      assertThat(say(hello, rest).length).isLessThanOrEqualTo(Handshake.NONCE + Proof.BYTES);
    }
    meet();
    assertThat(warnings).hasSize(1);
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
