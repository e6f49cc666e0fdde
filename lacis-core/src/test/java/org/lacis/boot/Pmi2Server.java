package org.lacis.boot;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A launcher for tests that speaks PMI-2, as other people's launchers do; or refuses to, and speaks
 * PMI-1. Written against the wire, not against our own classes.
 */
final class Pmi2Server implements AutoCloseable {
  /** What it does differently. */
  enum Kind {
    /** Ends a fence when all ranks have come, as Slurm does. */
    STRICT,
    /** Ends a fence at once; a get of what is not there waits for all ranks, as with Hydra. */
    LAZY,
    /** Knows PMI-1 only. */
    OLD
  }

  private final Kind kind;
  private final int size;
  private final ServerSocket server;
  private final Map<String, String> values = new ConcurrentHashMap<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();

  /** How many fences each rank has come to: one may be at the next while others wait for this. */
  private final int[] fences;

  /** What is said when all ranks have come to a fence. */
  private record Waiting(int fence, Runnable answer) {}

  /** What ranks have said, without puts, gets and fences. */
  final List<String> said = new CopyOnWriteArrayList<>();

  Pmi2Server(Kind kind, int size) throws IOException {
    this.kind = kind;
    this.size = size;
    this.fences = new int[size];
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                while (true) {
                  Socket socket = server.accept();
                  socket.setTcpNoDelay(true);
                  sockets.add(socket);
                  Thread.ofPlatform().daemon().start(() -> serve(socket));
                }
              } catch (IOException e) {
                // Closed.
              }
            });
  }

  PmiEnv env(int rank) {
    return env(rank, port());
  }

  int port() {
    return server.getLocalPort();
  }

  /** What a rank finds that is to come by another port. */
  PmiEnv env(int rank, int port) {
    return PmiEnv.of(
        Map.of(
            PmiEnv.PORT,
            "127.0.0.1:" + port,
            PmiEnv.ID,
            Integer.toString(rank),
            "PMI_JOBID",
            "4711.0"));
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      String rank = field(line(in), "pmiid", ' ');
      say(socket, "cmd=initack rc=0\ncmd=set size=" + size + "\ncmd=set rank=" + rank + "\n");
      say(socket, "cmd=set debug=0\n");
      String init = line(in);
      if (kind == Kind.OLD) {
        said.add(init);
        say(socket, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1\n");
        said.add(line(in));
        say(socket, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
        said.add(line(in));
        return;
      }
      said.add(init);
      say(socket, "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n");
      while (true) {
        byte[] bytes =
            new byte
                [Integer.parseInt(new String(in.readNBytes(6), StandardCharsets.US_ASCII).strip())];
        in.readFully(bytes);
        answer(socket, rank, new String(bytes, StandardCharsets.US_ASCII));
      }
    } catch (IOException | NumberFormatException e) {
      // The rank is gone.
    }
  }

  private synchronized void answer(Socket socket, String rank, String text) throws IOException {
    String key = field(text, "key", ';');
    int number = Integer.parseInt(rank);
    switch (field(text, "cmd", ';')) {
      case "fullinit" -> {
        said.add(text);
        two(socket, "cmd=fullinit-response;rc=0;rank=" + rank + ";size=" + size + ";appnum=-1;");
      }
      case "job-getid" -> two(socket, "cmd=job-getid-response;rc=0;jobid=4711.0;");
      case "kvs-put" -> {
        values.put(key, field(text, "value", ';'));
        two(socket, "cmd=kvs-put-response;rc=0;");
      }
      case "kvs-get" -> {
        if (values.containsKey(key)) {
          two(socket, "cmd=kvs-get-response;rc=0;found=TRUE;value=" + values.get(key) + ";");
        } else if (kind == Kind.LAZY && came() < fences[number]) {
          waiting.add(
              new Waiting(
                  fences[number],
                  () -> twoQuietly(socket, "cmd=kvs-get-response;rc=0;found=FALSE;")));
        } else {
          two(socket, "cmd=kvs-get-response;rc=0;found=FALSE;");
        }
      }
      case "kvs-fence" -> {
        fences[number]++;
        if (kind == Kind.LAZY) {
          two(socket, "cmd=kvs-fence-response;rc=0;");
        } else {
          waiting.add(
              new Waiting(
                  fences[number], () -> twoQuietly(socket, "cmd=kvs-fence-response;rc=0;")));
        }
        int all = came();
        waiting.stream().filter(one -> one.fence <= all).forEach(one -> one.answer.run());
        waiting.removeIf(one -> one.fence <= all);
      }
      case "finalize" -> {
        said.add(text);
        two(socket, "cmd=finalize-response;rc=0;");
      }
      default -> {
        said.add(text);
        socket.close();
      }
    }
  }

  /** How many fences all ranks have come to. */
  private int came() {
    return Arrays.stream(fences).min().orElseThrow();
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int c;
    while ((c = in.read()) != '\n') {
      if (c < 0) {
        throw new IOException("closed");
      }
      line.append((char) c);
    }
    return line.toString();
  }

  private static String field(String text, String name, char separator) {
    for (String field : text.split(String.valueOf(separator), -1)) {
      if (field.startsWith(name + "=")) {
        return field.substring(name.length() + 1);
      }
    }
    return "";
  }

  /** In two writes, as Hydra does. */
  private static void two(Socket socket, String text) throws IOException {
    say(socket, "%6d".formatted(text.length()));
    say(socket, text);
  }

  private static void twoQuietly(Socket socket, String text) {
    try {
      two(socket, text);
    } catch (IOException e) {
      // That rank is gone.
    }
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
