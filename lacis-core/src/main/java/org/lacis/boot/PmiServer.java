package org.lacis.boot;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The launcher's side of PMI-1 for the ranks of one job, on a port of the loopback interface. A
 * connection must begin with the token of a rank, which only that rank's environment holds;
 * anything else is dropped.
 */
public final class PmiServer implements AutoCloseable {
  /** What happens to the job, told from threads of the server. Must not block. */
  public interface Listener {
    /** A rank asks for the end of the job. */
    void aborted(int rank, int code);

    /** A rank has sent something that is not PMI-1. */
    void misbehaved(int rank, String why);

    /**
     * Ranks wait in a fence that a rank which has left can no longer join. May be told several
     * times.
     */
    void stuck();

    /**
     * A rank takes another one for dead.
     *
     * @param millis how long a peer may be silent
     * @param why what is known of it
     */
    void missed(int rank, int other, int millis, String why);

    /** A rank has said goodbye, and should end soon. */
    void finished(int rank);

    /** The connection of a rank has ended, and all that it had said is known. */
    void hungUp(int rank);

    /**
     * What the threads of a rank are doing, as {@link #askStacks} has asked.
     *
     * @param stacks of its threads: indented lines
     * @param report of its runtimes: indented lines
     */
    void stacks(int rank, String stacks, String report);
  }

  /** Connections that have not said who they are yet, beyond one per rank. */
  private static final int STRANGERS = 32;

  private static final int TOKEN_MILLIS = 10_000;

  private final ServerSocket socket;
  private final String jobId;
  private final byte[][] tokens;
  private final byte[] classes;
  private final PmiState state;
  private final Semaphore newcomers;

  private PmiServer(ServerSocket socket, int size, byte[] classes, Listener listener) {
    this.socket = socket;
    this.classes = classes;
    SecureRandom random = new SecureRandom();
    this.jobId = hex(random, 16);
    this.tokens = new byte[size][];
    for (int rank = 0; rank < size; rank++) {
      tokens[rank] = hex(random, 16).getBytes(StandardCharsets.US_ASCII);
    }
    this.state = new PmiState(size, PmiLauncher.OWN_KVS + jobId, listener);
    state.put(LauncherSession.SECRET_KEY, hex(random, 32));
    this.newcomers = new Semaphore(size + STRANGERS);
  }

  /**
   * Starts a server for a job of this many ranks.
   *
   * @param classes what ranks get when they ask for the classes of the program, made by {@link
   *     ClassBundle}; empty if the program is on the class path
   */
  public static PmiServer start(int size, byte[] classes, Listener listener) throws IOException {
    ServerSocket socket = new ServerSocket(0, Math.max(50, size), InetAddress.getLoopbackAddress());
    PmiServer server = new PmiServer(socket, size, classes, listener);
    Thread acceptor =
        new Thread("pmi-accept") {
          @Override
          public void run() {
            server.accept();
          }
        };
    acceptor.setDaemon(true);
    acceptor.start();
    return server;
  }

  /** Where ranks connect to: the value of PMI_PORT. */
  public String address() {
    return socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort();
  }

  /** The id of the job. */
  public String jobId() {
    return jobId;
  }

  /** What lets a rank in: the value of PMI_ID. */
  public String token(int rank) {
    return new String(tokens[rank], StandardCharsets.US_ASCII);
  }

  /**
   * The process of this rank has ended in good order: fences it is not in can no longer complete.
   */
  public void left(int rank) {
    state.left(rank);
  }

  /** The ranks that have begun to take part. */
  public BitSet opened() {
    return state.opened();
  }

  /** Whether a rank has a runtime open, as far as what it has said was read. */
  public boolean holds(int rank) {
    return state.holds(rank);
  }

  /** Whether the connection of a rank has ended, and all that it had said was read. */
  public boolean isHungUp(int rank) {
    return state.isHungUp(rank);
  }

  /** The ranks that are waiting in a fence now. */
  public BitSet waiting() {
    return state.waiting();
  }

  /** Asks all ranks that are connected what their threads are doing. Does not block. */
  public void askStacks() {
    tellAll(PmiLine.of(PmiLauncher.STACKS));
  }

  /** A rank may not read just now. */
  private void tellAll(PmiLine line) {
    Thread thread =
        new Thread("pmi-tell") {
          @Override
          public void run() {
            state.tellAll(line);
          }
        };
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Tells all ranks that one has failed, those that connect later, too. Fences can no longer
   * complete, and fail. Does not block.
   *
   * @param why a phrase such as "rank 2 was ended by SIGKILL"
   */
  public void tellLost(int rank, String why) {
    PmiLine line =
        PmiLine.of(PmiLauncher.LOST).with("rank", rank).with("why", PmiValue.encode(why));
    state.lost(line);
    tellAll(line);
  }

  /** Stops listening and closes all connections. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It accepts nobody any more in any case.
    }
    state.close();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket peer = socket.accept();
        if (newcomers.tryAcquire()) {
          serve(peer);
        } else {
          peer.close();
        }
      } catch (IOException e) {
        // Closed, or a connection that was given up before it was accepted.
      }
    }
  }

  private void serve(Socket peer) {
    Thread thread =
        new Thread("pmi-rank") {
          @Override
          public void run() {
            try (peer) {
              converse(peer);
            } catch (IOException e) {
              // The rank is gone; the launcher notices its end by itself.
            }
          }
        };
    thread.setDaemon(true);
    thread.start();
  }

  private void converse(Socket peer) throws IOException {
    int rank;
    PmiChannel channel;
    try {
      peer.setSoTimeout(TOKEN_MILLIS);
      channel = PmiChannel.over(peer);
      rank = rankOf(channel.readLine());
    } catch (BootException e) {
      return; // a stranger who does not even speak PMI
    } finally {
      newcomers.release();
    }
    if (rank >= 0 && state.connected(rank, channel)) {
      try {
        peer.setSoTimeout(0);
        for (PmiLine line : state.losses()) {
          channel.write(line);
        }
        new PmiConversation(rank, channel, state, classes).run();
      } finally {
        state.hungUp(rank);
      }
    }
  }

  private int rankOf(@Nullable PmiLine line) {
    String id = line == null ? null : line.find("pmiid");
    if (line == null || id == null || !line.command().equals("initack")) {
      return -1;
    }
    byte[] token = id.getBytes(StandardCharsets.US_ASCII);
    int found = -1;
    for (int rank = 0; rank < tokens.length; rank++) {
      if (MessageDigest.isEqual(tokens[rank], token)) {
        found = rank;
      }
    }
    return found;
  }

  private static String hex(SecureRandom random, int bytes) {
    byte[] drawn = new byte[bytes];
    random.nextBytes(drawn);
    return HexFormat.of().formatHex(drawn);
  }
}
