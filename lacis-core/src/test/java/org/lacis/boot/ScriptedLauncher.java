package org.lacis.boot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A launcher for tests that says to its one rank exactly what the test wants, right or wrong. */
final class ScriptedLauncher implements AutoCloseable {
  /** What to do with the connection of the rank; it is closed afterwards. */
  interface Script {
    void play(Peer peer) throws IOException;
  }

  /** The launcher's end of the connection. */
  static final class Peer {
    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;
    final List<String> received = new CopyOnWriteArrayList<>();

    Peer(Socket socket) throws IOException {
      this.socket = socket;
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      out = socket.getOutputStream();
    }

    /**
     * The next line; null if the rank has closed, or has said nothing for the time set by the
     * script.
     */
    @Nullable String receive() throws IOException {
      try {
        String line = in.readLine();
        if (line != null) {
          received.add(line);
        }
        return line;
      } catch (SocketTimeoutException e) {
        return null;
      }
    }

    void receiveWithin(int millis) throws IOException {
      socket.setSoTimeout(millis);
    }

    void send(String... lines) throws IOException {
      for (String line : lines) {
        out.write((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
      }
      out.flush();
    }

    void sendRaw(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    void answer(String... lines) throws IOException {
      receive();
      send(lines);
    }

    /** Accepts the rank. */
    void accept(int rank, int size) throws IOException {
      answer("cmd=initack rc=0", "cmd=set size=" + size, "cmd=set rank=" + rank, "cmd=set debug=0");
    }

    /** Answers what a rank asks as it opens its first handle, with our own launcher. */
    void initialize() throws IOException {
      initialize("lacis_" + "ab".repeat(16));
      answer("cmd=get_result rc=0 msg=success value=" + "5a".repeat(32));
      receive(); // how many handles are open
    }

    void initialize(String kvs) throws IOException {
      answer("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0");
      answer("cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024");
      answer("cmd=appnum appnum=0");
      answer("cmd=my_kvsname kvsname=" + kvs);
    }

    /** Waits until the rank has closed its end. */
    void drain() throws IOException {
      while (receive() != null) {}
    }
  }

  /** Takes note of an ending instead of carrying it out. */
  static final class Noted implements Ending {
    final List<String> said = new CopyOnWriteArrayList<>();
    private final CountDownLatch lost = new CountDownLatch(1);

    @Override
    public void launcherLost(int rank, String job, String why) {
      said.add("lost: " + why);
      lost.countDown();
    }

    @Override
    public void exit(int code) {
      said.add("exit: " + code);
    }

    boolean awaitLost() throws InterruptedException {
      return lost.await(20, TimeUnit.SECONDS);
    }
  }

  private final ServerSocket server;
  private final Thread thread;
  private volatile @Nullable Socket accepted;
  final Noted ending = new Noted();

  ScriptedLauncher(Script script) throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try (Socket socket = server.accept()) {
                    accepted = socket;
                    script.play(new Peer(socket));
                  } catch (IOException e) {
                    // The rank has closed: the test looks at the rank's side.
                  }
                });
  }

  PmiEnv env(int rank, int size) {
    return PmiEnv.of(
        Map.of(
            PmiEnv.PORT,
            "127.0.0.1:" + server.getLocalPort(),
            PmiEnv.ID,
            "token",
            PmiEnv.RANK,
            Integer.toString(rank),
            PmiEnv.SIZE,
            Integer.toString(size)));
  }

  LauncherSession connect(int rank, int size) {
    return connect(rank, size, Duration.ofSeconds(20));
  }

  LauncherSession connect(int rank, int size, Duration limit) {
    return new LauncherSession(PmiLauncher.connect(env(rank, size), PmiVersion.ONE, ending, limit));
  }

  @Override
  public void close() throws IOException {
    server.close();
    Socket socket = accepted;
    if (socket != null) {
      socket.close();
    }
    try {
      thread.join(20_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
