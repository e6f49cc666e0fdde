package org.lacis.boot;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a process to its launcher: requests and answers, the one line that comes later
 * (the end of a fence), and a thread that reads all of it. That thread also notices when the
 * launcher is gone, whether or not anybody waits for an answer, and then ends the process.
 */
final class PmiClient {
  /**
   * How long a launcher may take for an answer: generous, for machines with far more ranks than
   * cores.
   */
  static final Duration ANSWER = Duration.ofSeconds(60);

  private static final int MAX_BLOCK = 1 << 28;
  private static final int MAX_UNREAD = 16;
  private static final long ABORT_MILLIS = 3000;
  private static final long GOODBYE_MILLIS = 2000;

  private static final PmiReply BROKEN = new PmiReply(null, null);
  private static final PmiReply LOST = new PmiReply(null, null);

  private final PmiEnv env;
  private final Ending ending;
  private final Duration limit;
  private final PmiChannel channel;
  private final ReentrantLock requests = new ReentrantLock(true);
  private final BlockingQueue<PmiReply> replies = new LinkedBlockingQueue<>();
  private final BlockingQueue<PmiReply> fenceEnds = new LinkedBlockingQueue<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable String failure;

  /** Which rank has failed, the first one, and why; null if none has. */
  private volatile @Nullable Loss loss;

  private record Loss(int rank, String why) {}

  private volatile String job;

  /**
   * Whether the end of the connection would be a surprise: not before the launcher has accepted us,
   * nor at the end.
   */
  private volatile boolean watching;

  private PmiClient(PmiEnv env, Ending ending, Duration limit, PmiChannel channel) {
    this.env = env;
    this.job = env.job();
    this.ending = ending;
    this.limit = limit;
    this.channel = channel;
  }

  static PmiClient connect(PmiEnv env, Ending ending, Duration limit) {
    PmiClient client = new PmiClient(env, ending, limit, PmiChannel.to(env));
    Thread reader =
        new Thread("lacis-launcher") {
          @Override
          public void run() {
            client.read();
          }
        };
    reader.setDaemon(true);
    reader.start();
    return client;
  }

  private void read() {
    try {
      try {
        PmiLine line;
        while ((line = channel.readLine()) != null) {
          if (failure == null) {
            accept(line);
          }
        }
      } catch (BootException e) {
        fail(String.valueOf(e.getMessage()));
        channel.skipAll(); // of no more use for talking, but still good for watching
      }
      gone("the launcher closed the connection");
    } catch (IOException e) {
      gone("the connection to the launcher was lost: " + e.getMessage());
    }
  }

  private void accept(PmiLine line) throws IOException {
    if (line.command().equals(PmiLauncher.STACKS)) {
      byte[] stacks = RankStacks.take();
      byte[] report = RankReports.take();
      byte[] both = Arrays.copyOf(stacks, stacks.length + report.length);
      System.arraycopy(report, 0, both, stacks.length, report.length);
      channel.write(
          PmiLine.of(PmiLauncher.STACKS)
              .with("length", stacks.length)
              .with("report", report.length),
          both);
      return;
    }
    if (line.command().equals(PmiLauncher.LOST)) {
      lost(new Loss(line.number("rank"), PmiValue.decode("why", line.field("why"))));
      return;
    }
    String command = line.command();
    byte[] block = null;
    if (command.equals("response_to_init") && "2".equals(line.find("pmi_version"))) {
      if (line.number("rc") == 0) {
        channel.speakTwo();
      }
    } else if (command.equals("classes")) {
      int length = line.number("length");
      if (length < 0 || length > MAX_BLOCK) {
        throw new BootException("the launcher announces a block of " + length + " bytes");
      }
      block = channel.readBytes(length);
    }
    boolean fenceEnd =
        command.equals(PmiVersion.ONE.fenceEnd) || command.equals(PmiVersion.TWO.fenceEnd);
    BlockingQueue<PmiReply> queue = fenceEnd ? fenceEnds : replies;
    if (queue.size() >= MAX_UNREAD) {
      throw new BootException(
          "the launcher sends lines that nobody asked for: " + PmiLine.quoted(line.toString()));
    }
    queue.add(new PmiReply(line, block));
  }

  private void lost(Loss told) {
    if (loss == null) {
      loss = told;
      fenceEnds.add(LOST);
    }
    PeerLoss.tell(told.rank, told.why);
  }

  /** As {@link Boot#requireAll}. */
  void requireAll() {
    Loss first = loss;
    if (first != null) {
      throw new BootException(
          first.rank, first.why + "; nothing can be opened without it, by whatever rank");
    }
  }

  private void gone(String why) {
    fail(why);
    over.countDown();
    if (watching) {
      ending.launcherLost(env.rank(), job, why);
    }
  }

  /**
   * Ends the conversation, and answers an exception that says why. The first reason stays. The
   * connection is kept if it is watched: that the program may not talk to its launcher any more
   * does not mean that it may outlive it.
   */
  BootException fail(String why) {
    synchronized (this) {
      if (failure == null) {
        failure = why;
      }
    }
    replies.add(BROKEN);
    fenceEnds.add(BROKEN);
    if (!watching) {
      closeChannel();
    }
    return new BootException(why);
  }

  /** The job has this id: its files go if the launcher is gone. */
  void jobIs(String jobId) {
    job = jobId;
  }

  /** From now on this process ends if its launcher is gone. */
  void watch() {
    watching = true;
    check();
  }

  void write(PmiLine line) {
    check();
    try {
      channel.write(line);
    } catch (IOException e) {
      throw new BootException("the connection to the launcher was lost: " + e.getMessage(), e);
    }
  }

  /** Sends a line that has no answer, even if the conversation has failed: others depend on it. */
  void tell(PmiLine line) {
    try {
      channel.write(line);
    } catch (IOException e) {
      // The launcher is gone, and this process ends with it.
    }
  }

  /** Sends a request and waits for the answer with this command. */
  PmiLine request(PmiLine line, String expected) {
    requests.lock();
    try {
      write(line);
      return next(expected);
    } finally {
      requests.unlock();
    }
  }

  /** The same with a limit of its own, in nanoseconds; null when it is over. */
  @Nullable PmiLine request(PmiLine line, String expected, long nanos) {
    requests.lock();
    try {
      write(line);
      PmiReply reply = poll(replies, nanos);
      return reply == null ? null : lineOf(reply, expected);
    } finally {
      requests.unlock();
    }
  }

  /** Sends a request and waits for the block of bytes that comes with its answer. */
  byte[] block(PmiLine line, String expected) {
    requests.lock();
    try {
      write(line);
      byte[] block = take(expected).block;
      if (block == null) {
        throw fail("the launcher sent no block with " + expected);
      }
      return block;
    } finally {
      requests.unlock();
    }
  }

  /** Waits for the next line, which must have this command. */
  PmiLine next(String expected) {
    return lineOf(take(expected), expected);
  }

  private PmiReply take(String expected) {
    PmiReply reply = poll(replies, limit.toNanos());
    if (reply == null) {
      throw fail("the launcher sent no " + expected + " within " + limit.toMillis() + " ms");
    }
    lineOf(reply, expected);
    return reply;
  }

  private PmiLine lineOf(PmiReply reply, String expected) {
    PmiLine line = reply.line;
    if (line == null) {
      throw broken();
    }
    if (!line.command().equals(expected)) {
      throw fail(
          "the launcher sent " + PmiLine.quoted(line.toString()) + " instead of " + expected);
    }
    return line;
  }

  /** Waits for the end of a fence, for so many nanoseconds; of one that all can still come to. */
  boolean awaitFence(long nanos) {
    PmiReply reply = fenceEnds.poll(); // it may have ended before a rank failed
    if (reply == null) {
      requireAll();
      reply = poll(fenceEnds, nanos);
    }
    if (reply == null) {
      return false;
    }
    if (reply.line == null) {
      requireAll();
      throw broken();
    }
    return true;
  }

  private @Nullable PmiReply poll(BlockingQueue<PmiReply> queue, long nanos) {
    try {
      return queue.poll(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw fail("rank " + env.rank() + " was interrupted while it waited for its launcher");
    }
  }

  private void check() {
    if (failure != null) {
      throw broken();
    }
  }

  private BootException broken() {
    return new BootException("rank " + env.rank() + " cannot talk to its launcher: " + failure);
  }

  void abort(PmiLine line, int code) {
    watching = false;
    try {
      channel.write(line);
      over.await(ABORT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      // No launcher any more: ending this process is all that is left to do.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ending.exit(code);
  }

  /**
   * Sends the last line of the session, if no request is under way, and waits a little for its
   * answer.
   */
  void goodbye(boolean keepWatching) {
    boolean mine = false;
    try {
      mine = requests.tryLock(GOODBYE_MILLIS / 10, TimeUnit.MILLISECONDS);
      if (mine && failure == null) {
        watching = keepWatching;
        channel.write(PmiLine.of("finalize"));
        replies.poll(GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (IOException e) {
      // The launcher left first.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (mine) {
        requests.unlock();
      }
    }
  }

  void close() {
    watching = false;
    fail("closed");
  }

  private void closeChannel() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }
}
