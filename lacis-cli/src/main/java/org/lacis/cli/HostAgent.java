package org.lacis.cli;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.lacis.Version;
import org.lacis.boot.JobFiles;

/**
 * Starts the ranks of one host for a launcher on another, to which it speaks by its standard input
 * and output. It ends, and its ranks with it, when its standard input does: a launcher that is gone
 * leaves nothing behind.
 */
public final class HostAgent {
  /** What the agent says first: so that it can be told from what a shell may say before. */
  private static final String GREETING = "\u0001lacis-agent-1\n";

  /** Connections that are not of a rank. */
  private static final int STRANGERS = 32;

  private final Multiplexer channels;
  private final OutputStream out;
  private final Map<Integer, Outlet> outputs = new ConcurrentHashMap<>();
  private volatile @Nullable LocalRanks ranks;
  private @Nullable ServerSocket socket;
  private final AtomicInteger started = new AtomicInteger();
  private boolean ended;

  private HostAgent(InputStream in, OutputStream out) {
    this.channels = new Multiplexer(in, out);
    this.out = out;
  }

  static byte[] greeting() {
    return GREETING.getBytes(StandardCharsets.US_ASCII);
  }

  /** Serves one job, and ends the JVM. */
  public static void main(String[] args) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err); // nothing but frames may go where the launcher reads
    HostAgent agent =
        new HostAgent(new BufferedInputStream(new FileInputStream(FileDescriptor.in)), out);
    Runtime.getRuntime().addShutdownHook(new Thread(agent::end, "agent-end"));
    System.exit(agent.run());
  }

  private int run() {
    int code = 0;
    try {
      out.write(greeting());
      channels.send(FrameKind.HELLO, 0, Version.current().getBytes(StandardCharsets.UTF_8));
      channels.read(this::take);
    } catch (FrameException e) {
      System.err.println("lacis: the launcher sent " + e.getMessage());
      code = 1;
    } catch (IOException e) {
      System.err.println("lacis: the launcher is gone: " + e.getMessage());
      code = 1;
    }
    end();
    return code;
  }

  private void take(Frame frame) throws IOException {
    switch (frame.kind()) {
      case JOB -> open(frame);
      case START -> start(frame);
      case KILL -> kill(frame.subject());
      case STOP -> new Thread(this::stop, "agent-stop").start();
      default -> throw new FrameException("a frame " + frame.kind());
    }
  }

  private void open(Frame frame) throws IOException {
    List<List<String>> lists = frame.lists();
    if (ranks != null
        || lists.size() != 1
        || lists.getFirst().size() != 2
        || !JobFiles.isJobId(lists.getFirst().getFirst())) {
      throw new FrameException("a frame JOB that makes no sense");
    }
    File folder = new File(lists.getFirst().getLast());
    if (!folder.isDirectory()) {
      fail(-1, "there is no folder " + folder + ", in which the ranks are to run (--wdir)");
    }
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket = server;
    ranks =
        new LocalRanks(
            lists.getFirst().getFirst(),
            folder,
            ProcessBuilder.Redirect.PIPE,
            part(Multiplexer.OUTPUT),
            part(Multiplexer.ERRORS),
            this::exited);
    Thread acceptor = new Thread(() -> accept(server), "agent-accept");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  private void start(Frame frame) throws IOException {
    LocalRanks group = ranks;
    ServerSocket server = socket;
    int rank = frame.subject();
    List<List<String>> lists = frame.lists();
    if (group == null || server == null || rank < 0 || lists.size() != 2) {
      throw new FrameException("a frame START that makes no sense");
    }
    if (lists.getFirst().isEmpty()) {
      throw new FrameException("a frame START of rank " + rank + " without a command");
    }
    Map<String, String> env = new LinkedHashMap<>();
    for (String variable : lists.getLast()) {
      int equals = variable.indexOf('=');
      if (equals < 1) {
        throw new FrameException("a frame START with a variable without a name");
      }
      env.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    env.put("PMI_PORT", server.getInetAddress().getHostAddress() + ":" + server.getLocalPort());
    started.incrementAndGet();
    for (int part : new int[] {Multiplexer.OUTPUT, Multiplexer.ERRORS}) {
      int channel = Multiplexer.channel(part, rank);
      outputs.put(channel, channels.outlet(channel));
    }
    try {
      group.start(new RankStart(rank, lists.getFirst(), env));
    } catch (IOException e) {
      fail(rank, String.valueOf(e.getMessage()));
    }
    if (rank == 0) {
      OutputStream input = group.input();
      channels.inlet(
          Multiplexer.channel(Multiplexer.INPUT, rank),
          input == null ? OutputStream.nullOutputStream() : input);
    }
  }

  private void kill(int rank) throws FrameException {
    LocalRanks group = ranks;
    if (group == null) {
      throw new FrameException("a frame KILL that makes no sense");
    }
    group.kill(rank);
  }

  private void fail(int rank, String why) throws IOException {
    byte[] text = why.getBytes(StandardCharsets.UTF_8);
    channels.send(FrameKind.FAILED, rank, text, 0, Math.min(text.length, FrameKind.FAILED.limit()));
  }

  private RankOutput part(int part) {
    return new RankOutput() {
      @Override
      public void write(int rank, byte[] bytes, int length) throws IOException {
        Outlet outlet = outputs.get(Multiplexer.channel(part, rank));
        if (outlet != null) {
          outlet.write(bytes, length);
        }
      }

      @Override
      public void end(int rank) {
        Outlet outlet = outputs.remove(Multiplexer.channel(part, rank));
        if (outlet != null) {
          outlet.end();
        }
      }
    };
  }

  private void exited(int rank, int code) {
    try {
      channels.send(FrameKind.EXITED, rank, Multiplexer.number(code));
    } catch (IOException e) {
      // The launcher is gone, which is noticed where it is read from.
    }
  }

  /** Hands on what ranks say to their launcher, from a port that only this host can reach. */
  private void accept(ServerSocket server) {
    List<Thread> pumps = new ArrayList<>();
    int connection = 0;
    while (!server.isClosed()) {
      try {
        Socket peer = server.accept();
        pumps.removeIf(pump -> !pump.isAlive());
        if (pumps.size() >= started.get() + STRANGERS) {
          peer.close();
          continue;
        }
        int channel = Multiplexer.channel(Multiplexer.PMI, connection++);
        peer.setTcpNoDelay(true);
        channels.inlet(channel, peer.getOutputStream()); // before it is heard of
        channels.send(FrameKind.OPEN, channel);
        pumps.add(channels.pump(peer.getInputStream(), channels.outlet(channel)));
      } catch (IOException e) {
        // A connection that was given up before it was accepted; or there is no launcher.
      }
    }
  }

  private void stop() {
    end();
    try {
      channels.send(FrameKind.STOPPED, 0);
    } catch (IOException e) {
      // It does not wait for this any more.
    }
    System.exit(0);
  }

  /** Ends all ranks, once. */
  private synchronized void end() {
    LocalRanks group = ranks;
    if (ended || group == null) {
      return;
    }
    ended = true;
    group.beginEnd();
    try {
      group.awaitEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
