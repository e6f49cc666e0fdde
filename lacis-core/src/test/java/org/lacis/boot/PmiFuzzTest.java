package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lines that are almost right. Repeat a failure with {@code -Dlacis.seed=...}. */
@Timeout(120)
class PmiFuzzTest {
  private static final String[] LINES = {
    "cmd=initack rc=0",
    "cmd=set size=1",
    "cmd=set rank=0",
    "cmd=set debug=0",
    "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
    "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024",
    "cmd=appnum appnum=0",
    "cmd=my_kvsname kvsname=lacis_abababababababababababababababab",
    "cmd=get_result rc=0 msg=success"
        + " value=5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
    "cmd=put_result rc=0 msg=success",
    "cmd=barrier_out",
    "cmd=classes length=3",
    "cmd=get kvsname=k key=a",
    "cmd=put kvsname=k key=a value=b",
    "cmd=init pmi_version=1 pmi_subversion=1",
    "cmd=get_maxes",
    "cmd=barrier_in",
    "cmd=lacis_classes",
    "cmd=lacis_missing",
    "cmd=lacis_open count=1",
    "cmd=finalize"
  };

  private static final int ROUNDS = Boolean.getBoolean("lacis.long") ? 100 : 1;

  private final long seed = Long.getLong("lacis.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @BeforeEach
  void announce() {
    IO.println("seed " + seed);
  }

  private byte[] mangled(String line) {
    return mangled((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
  }

  private byte[] mangled(byte[] bytes) {
    for (int damage = random.nextInt(4); damage > 0; damage--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) " =\n\0-9".charAt(random.nextInt(6));
        default -> bytes = Arrays.copyOf(bytes, at + 1);
      }
    }
    return bytes;
  }

  private String anyLine() {
    return LINES[random.nextInt(LINES.length)];
  }

  @Test
  void aMangledLineIsReadOrRefused() {
    for (int i = 0; i < 50_000 * ROUNDS; i++) {
      String text = new String(mangled(anyLine()), StandardCharsets.ISO_8859_1);
      try {
        PmiLine line =
            random.nextBoolean() ? PmiLine.parse(text) : PmiLine.parseTwo(text.replace(' ', ';'));
        assertThat(line.command()).isNotNull();
      } catch (BootException e) {
        assertThat(e).hasMessageStartingWith("not a PMI line");
      } catch (RuntimeException e) {
        fail("seed " + seed, e);
      }
    }
  }

  @Test
  void aMangledLauncherIsObeyedOrGivenUp() throws Exception {
    for (int i = 0; i < 200 * ROUNDS; i++) {
      int sound = random.nextInt(LINES.length);
      byte[][] said = new byte[LINES.length][];
      for (int line = 0; line < said.length; line++) {
        said[line] =
            line < sound
                ? (LINES[line] + "\n").getBytes(StandardCharsets.US_ASCII)
                : mangled(anyLine());
      }
      try (ScriptedLauncher launcher = new ScriptedLauncher(peer -> say(peer, said))) {
        Boot boot = launcher.connect(0, 1).handle();
        boot.put("k", "v");
        boot.fence(Duration.ofSeconds(20));
        boot.get("k");
      } catch (BootException e) {
        assertThat(e.getMessage()).isNotEmpty();
      } catch (RuntimeException e) {
        fail("seed " + seed, e);
      }
    }
  }

  /** Everything is as other launchers say it, but for some bytes; then the connection ends. */
  @ParameterizedTest
  @EnumSource(Pmi2Server.Kind.class)
  void aMangledLauncherOfTheSecondVersionIsObeyedOrGivenUp(Pmi2Server.Kind kind) throws Exception {
    for (int i = 0; i < 30 * ROUNDS; i++) {
      var ending = new ScriptedLauncher.Noted();
      try (Pmi2Server server = new Pmi2Server(kind, 1);
          ServerSocket relay = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
        int sound = random.nextInt(1500);
        Thread.ofVirtual().start(() -> relay(relay, server, sound));
        PmiEnv env = server.env(0, relay.getLocalPort());
        LauncherSession session =
            new LauncherSession(
                PmiLauncher.connect(env, PmiVersion.TWO, ending, Duration.ofSeconds(20)));
        try {
          Boot boot = session.handle();
          boot.put("k", "v");
          boot.fence(Duration.ofSeconds(20));
          boot.get("k");
        } finally {
          session.close();
        }
      } catch (BootException e) {
        assertThat(e.getMessage()).isNotEmpty();
      } catch (RuntimeException e) {
        fail("seed " + seed, e);
      }
    }
  }

  /** Hands on what both say, and damages what the launcher says after so many bytes. */
  private void relay(ServerSocket listener, Pmi2Server server, int sound) {
    try (Socket rank = listener.accept();
        Socket launcher = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  rank.getInputStream().transferTo(launcher.getOutputStream());
                } catch (IOException e) {
                  // One of them is gone.
                }
              });
      byte[] buffer = new byte[4096];
      int n;
      while ((n = launcher.getInputStream().read(buffer)) > 0 && sound > 0) {
        rank.getOutputStream().write(buffer, 0, n);
        sound -= n;
      }
      if (n > 0) {
        rank.getOutputStream().write(mangled(Arrays.copyOf(buffer, n)));
      }
    } catch (IOException e) {
      // One of them is gone.
    }
  }

  /** One line for each that arrives, or that does not arrive soon. */
  private static void say(ScriptedLauncher.Peer peer, byte[][] lines) throws IOException {
    peer.receiveWithin(20);
    for (int i = 0; i < lines.length; i++) {
      if (i == 0 || i > 3) {
        peer.receive();
      }
      peer.sendRaw(lines[i]);
    }
  }

  @Test
  void mangledRanksDoNotHarmTheServer() throws Exception {
    int size = 300;
    try (PmiServer server = PmiServer.start(size, new byte[] {1, 2, 3}, PmiJobTest.NOBODY)) {
      String address = server.address();
      int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
      for (int rank = 1; rank < size; rank++) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          socket.setSoTimeout(20_000);
          socket
              .getOutputStream()
              .write(
                  ("cmd=initack pmiid="
                          + server.token(rank)
                          + "\ncmd=init pmi_version=1 pmi_subversion=1\n")
                      .getBytes(StandardCharsets.US_ASCII));
          for (int i = random.nextInt(8); i > 0; i--) {
            socket.getOutputStream().write(mangled(anyLine()));
          }
          if (random.nextBoolean()) {
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
          }
        } catch (IOException e) {
          // The server has hung up on us, as it may.
        }
      }
      LauncherSession survivor = PmiJobTest.connect(server, 0, size);
      Boot boot = survivor.handle();
      boot.put("k", "v");
      assertThat(boot.get("k")).as("seed %d", seed).isEqualTo("v");
      survivor.close();
    }
  }
}
