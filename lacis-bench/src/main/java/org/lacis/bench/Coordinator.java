package org.lacis.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where ranks of all subjects call, over the loopback. Who calls says a secret that was in its
 * environment, which subject it is of, and which rank it is; all others are hung up on.
 */
final class Coordinator implements AutoCloseable {
  private static final long HELLO_NANOS = 5_000_000_000L;

  private final ServerSocket server;
  private final String secret = UUID.randomUUID().toString();
  private final Path folder;
  private final Map<String, SubjectRun> runs = new ConcurrentHashMap<>();
  private final Processes processes;
  private int started;

  /**
   * Begins to listen.
   *
   * @param folder for what subjects write
   * @param processes what subjects are started as
   */
  Coordinator(Path folder, Processes processes) throws IOException {
    this.folder = folder;
    this.processes = processes;
    server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("bench-door").start(this::listen);
  }

  /** Starts the ranks of a subject, and does not wait for them. */
  SubjectRun start(Subject subject, Setup setup) throws SubjectException, InterruptedException {
    processes.goOn();
    String id = subject.name() + "-" + started++;
    Start start = subject.start(setup);
    Map<String, String> env = new LinkedHashMap<>(start.env());
    env.put("BENCH_PORT", Integer.toString(server.getLocalPort()));
    env.put("BENCH_SECRET", secret);
    env.put("BENCH_SUBJECT", id);
    env.put("LACIS_NO_BUILD", "1"); // whoever edits sources meanwhile
    Path log = folder.resolve(id + ".log");
    var run = new SubjectRun(subject, setup.ranks(), log, start.files(), processes);
    runs.put(id, run);
    run.launch(start.command(), env);
    return run;
  }

  private void listen() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> greet(socket));
      } catch (IOException e) {
        // Closed; or a caller that was gone before we answered.
      }
    }
  }

  private void greet(Socket socket) {
    try {
      var line = new RankLine(socket);
      String[] words = line.read(System.nanoTime() + HELLO_NANOS).split(" ");
      if (words.length == 4 && words[0].equals("hello") && isSecret(words[1])) {
        SubjectRun run = runs.get(words[2]);
        if (run != null && run.join(Integer.parseInt(words[3]), line)) {
          return;
        }
      }
      line.close();
    } catch (IOException | NumberFormatException e) {
      try {
        socket.close();
      } catch (IOException f) {
        // It is gone, which is what was wanted.
      }
    }
  }

  private boolean isSecret(String word) {
    return MessageDigest.isEqual(
        word.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }

  int port() {
    return server.getLocalPort();
  }

  String secret() {
    return secret;
  }

  /** Whether ranks of a subject may call. */
  boolean expects(String subject) {
    return runs.containsKey(subject);
  }

  /** Starts something that says nothing to us. */
  Process start(ProcessBuilder builder) throws IOException, InterruptedException {
    return processes.start(builder);
  }

  /** Ends all subjects, and whatever else has been started. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // Nobody can call any more, either way.
    }
    processes.end();
    runs.values().forEach(SubjectRun::kill);
  }
}
