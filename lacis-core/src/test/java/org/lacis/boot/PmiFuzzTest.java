package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
    "cmd=finalize"
  };

  private final long seed = Long.getLong("lacis.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private byte[] mangled(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.ISO_8859_1);
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
    for (int i = 0; i < 50_000; i++) {
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
    for (int i = 0; i < 200; i++) {
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
