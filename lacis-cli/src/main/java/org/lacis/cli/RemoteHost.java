package org.lacis.cli;

import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lacis.Version;

/**
 * The ranks of another host, through the standard input and output of a command that runs a {@link
 * HostAgent} there. What the agent's ranks say to their launcher is handed on to the port of its
 * server.
 */
final class RemoteHost implements RankGroup {
  /** How long a host may take to answer. */
  private static final long ANSWER_SECONDS = 60;

  /** How long the agent may take to end its ranks: twice what it allows them, and more. */
  private static final long STOP_NANOS = 5 * LocalRanks.GRACE_NANOS;

  /** How much a shell may say before the agent speaks. */
  private static final int MAX_NOISE = 1 << 16;

  private static final int CONNECT_MILLIS = 10_000;

  private final Hosts.Host host;
  private final Process process;
  private final List<String> job;
  private final String server;
  private final RankOutput out;
  private final RankOutput err;
  private final HostListener listener;
  private final Multiplexer channels;
  private final Tail said = new Tail();
  private final Thread errors;
  private final Thread[][] drains;
  private final BitSet ended = new BitSet();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean greeted;
  private volatile boolean ending;
  private volatile @Nullable String failure;

  private RemoteHost(
      Hosts.Host host,
      Process process,
      List<String> job,
      String server,
      RankOutput out,
      RankOutput err,
      HostListener listener) {
    this.host = host;
    this.process = process;
    this.job = job;
    this.server = server;
    this.out = out;
    this.err = err;
    this.listener = listener;
    this.drains = new Thread[host.count()][];
    this.channels =
        new Multiplexer(
            new BufferedInputStream(process.getInputStream()), process.getOutputStream());
    this.errors = daemon("host-errors", this::listen);
  }

  /**
   * Starts the command of a host, and does not wait for it.
   *
   * @param job the id of the job and the folder of its ranks
   * @param server the address of the launcher's server
   */
  static RemoteHost begin(
      Hosts.Host host,
      List<String> command,
      List<String> job,
      String server,
      RankOutput out,
      RankOutput err,
      HostListener listener)
      throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new IOException("host " + host.name() + " could not be reached: " + e.getMessage(), e);
    }
    RemoteHost remote = new RemoteHost(host, process, job, server, out, err, listener);
    remote.errors.start();
    daemon("host-" + host.name(), remote::read).start();
    return remote;
  }

  private static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Keeps what the command says on standard error. */
  private void listen() {
    byte[] buffer = new byte[1 << 12];
    try (InputStream in = process.getErrorStream()) {
      int n;
      while ((n = in.read(buffer)) > 0) {
        said.add(buffer, n);
      }
    } catch (IOException e) {
      // The command is gone.
    }
  }

  private void read() {
    String why;
    try {
      InputStream in = channels.input();
      if (awaitGreeting(in)) {
        channels.read(this::take);
      }
      why = "the connection to it has ended";
    } catch (FrameException e) {
      why = "it confused the launcher by " + e.getMessage();
    } catch (IOException e) {
      why = "the connection to it has failed: " + e.getMessage();
    }
    lost(why);
  }

  /** Passes over what a shell may say when it starts, until the agent speaks. */
  private boolean awaitGreeting(InputStream in) throws IOException {
    byte[] greeting = HostAgent.greeting();
    byte[] one = new byte[1];
    int matched = 0;
    for (int noise = 0; noise < MAX_NOISE; noise++) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      matched = next == greeting[matched] ? matched + 1 : next == greeting[0] ? 1 : 0;
      if (matched == greeting.length) {
        return true;
      }
      if (matched == 0) {
        one[0] = (byte) next;
        said.add(one, 1);
      }
    }
    throw new FrameException("more than " + MAX_NOISE + " bytes that are no agent's");
  }

  private void lost(String why) {
    if (!ending) {
      failure = explain(why);
    }
    answered.countDown();
    stopped.countDown();
    String told = failure;
    if (told != null) {
      listener.hostFailed(host, told);
    }
  }

  private String explain(String why) {
    String code = "";
    try {
      if (process.waitFor(1, TimeUnit.SECONDS)) {
        code = " (exit code " + process.exitValue() + ")";
      } else {
        process.toHandle().destroy();
      }
      errors.join(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<String> lines = said.lines();
    return "host "
        + host.name()
        + (greeted ? " was lost: " : " could not be reached: ")
        + why
        + code
        + (lines.isEmpty() ? "" : "; it said:\n    " + String.join("\n    ", lines));
  }

  @Override
  public void open() throws IOException, InterruptedException {
    if (!answered.await(ANSWER_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(
          "host " + host.name() + " has not answered for " + ANSWER_SECONDS + " s");
    }
    String told = failure;
    if (told != null) {
      throw new IOException(told);
    }
    channels.send(FrameKind.JOB, 0, Frame.pack(List.of(job)));
  }

  @Override
  public void start(RankStart start) throws IOException {
    if (ending) {
      return;
    }
    int rank = start.rank();
    drains[rank - host.first()] =
        new Thread[] {
          channels.inlet(Multiplexer.channel(Multiplexer.OUTPUT, rank), stream(rank, out)),
          channels.inlet(Multiplexer.channel(Multiplexer.ERRORS, rank), stream(rank, err))
        };
    List<String> env = new ArrayList<>();
    start.env().forEach((name, value) -> env.add(name + "=" + value));
    channels.send(FrameKind.START, rank, Frame.pack(List.of(start.command(), env)));
    if (rank == 0) {
      channels.pump(
          new FileInputStream(FileDescriptor.in),
          channels.outlet(Multiplexer.channel(Multiplexer.INPUT, rank)));
    }
  }

  private static OutputStream stream(int rank, RankOutput output) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b});
      }

      @Override
      public void write(byte[] bytes) throws IOException {
        output.write(rank, bytes, bytes.length);
      }

      @Override
      public void close() {
        output.end(rank);
      }
    };
  }

  private void take(Frame frame) throws IOException {
    if (!greeted && frame.kind() != FrameKind.HELLO) {
      throw new FrameException("a frame " + frame.kind() + " before HELLO");
    }
    switch (frame.kind()) {
      case HELLO -> hello(frame.text());
      case FAILED -> {
        if (frame.subject() < 0) {
          listener.hostFailed(host, "host " + host.name() + ": " + frame.text());
        } else {
          listener.notStarted(rank(frame), frame.text());
        }
      }
      case EXITED -> exited(rank(frame), frame.number());
      case OPEN -> relay(frame.subject());
      case STOPPED -> stopped.countDown();
      default -> throw new FrameException("a frame " + frame.kind());
    }
  }

  private void hello(String version) throws IOException {
    if (!version.equals(Version.current())) {
      throw new FrameException(
          "being Lacis " + version + ", while the launcher is " + Version.current());
    }
    greeted = true;
    answered.countDown();
  }

  /** The rank that a frame is about, which must be one of this host that is running. */
  private int rank(Frame frame) throws FrameException {
    int rank = frame.subject();
    int index = rank - host.first();
    if (index < 0 || index >= host.count() || drains[index] == null || ended.get(index)) {
      throw new FrameException("a frame " + frame.kind() + " about rank " + rank);
    }
    ended.set(index);
    return rank;
  }

  /** Tells the end of a rank when its output is shown. */
  private void exited(int rank, int code) {
    daemon(
            "rank-" + rank,
            () -> {
              drain(rank - host.first(), 1000);
              listener.ended(rank, code);
            })
        .start();
  }

  private void drain(int index, long millis) {
    Thread[] threads = drains[index];
    if (threads == null) {
      return;
    }
    try {
      for (Thread thread : threads) {
        thread.join(millis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Hands on a connection of a rank to the launcher's server. */
  private void relay(int channel) throws IOException {
    if (Multiplexer.part(channel) != Multiplexer.PMI) {
      throw new FrameException("a frame OPEN of channel " + channel);
    }
    int colon = server.lastIndexOf(':');
    Socket socket = new Socket(Proxy.NO_PROXY);
    socket.connect(
        new InetSocketAddress(
            server.substring(0, colon), Integer.parseInt(server.substring(colon + 1))),
        CONNECT_MILLIS);
    socket.setTcpNoDelay(true);
    channels.inlet(channel, socket.getOutputStream());
    channels.pump(socket.getInputStream(), channels.outlet(channel));
  }

  @Override
  public void kill(int rank) {
    send(FrameKind.KILL, rank);
  }

  /** By a thread of its own: if the host hangs, so does this. */
  private void send(FrameKind kind, int subject) {
    daemon(
            "host-send",
            () -> {
              try {
                channels.send(kind, subject);
              } catch (IOException e) {
                // It is gone already.
              }
            })
        .start();
  }

  @Override
  public void beginEnd() {
    ending = true;
    if (greeted) {
      send(FrameKind.STOP, 0);
    } else {
      process.toHandle().destroy();
    }
  }

  @Override
  public void awaitEnd() throws InterruptedException {
    if (greeted && stopped.await(STOP_NANOS, TimeUnit.NANOSECONDS)) {
      for (int index = 0; index < host.count(); index++) {
        drain(index, 1000);
      }
    }
    if (!process.waitFor(1, TimeUnit.SECONDS)) {
      process.toHandle().destroy();
      if (!process.waitFor(LocalRanks.GRACE_NANOS, TimeUnit.NANOSECONDS)) {
        process.toHandle().destroyForcibly();
      }
    }
  }
}
