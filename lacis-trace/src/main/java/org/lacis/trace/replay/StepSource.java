package org.lacis.trace.replay;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.RankTrace;
import org.lacis.trace.TraceException;

/**
 * The steps of a rank, one after the other. A thread reads ahead, but no further than a few hundred
 * steps: of a trace with many ranks, a little of each is in memory.
 */
final class StepSource implements Closeable {
  private static final int AHEAD = 2;

  private final BlockingQueue<Steps> queue = new ArrayBlockingQueue<>(AHEAD);
  private final Thread reader;
  private final int room;
  private Steps steps = new Steps(0);
  private int at = -1;

  /** Set before the last, empty part is handed over. */
  private @Nullable String damage;

  private @Nullable Throwable failure;

  /**
   * Starts to read.
   *
   * @param room how many steps are handed over at once
   */
  StepSource(RankTrace rank, int room, StepReader.Distance distance) {
    this.room = room;
    reader = Thread.ofVirtual().name("rank " + rank.rank()).start(() -> read(rank, distance));
  }

  private void read(RankTrace rank, StepReader.Distance distance) {
    try {
      var sink = new StepReader(room, this::put, distance);
      try {
        rank.read(sink);
      } catch (TraceException e) {
        damage = e.getMessage();
      }
      sink.finish();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    try {
      queue.put(new Steps(0));
    } catch (InterruptedException e) {
      // Nobody wants the rest.
      Thread.currentThread().interrupt();
    }
  }

  private void put(Steps part) throws IOException {
    try {
      queue.put(part);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("nobody wants the rest");
    }
  }

  /** Goes to the next step; false if there is none. */
  boolean next() throws IOException {
    if (++at < steps.size()) {
      return true;
    }
    try {
      steps = queue.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    at = 0;
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
    return steps.size() > 0;
  }

  int kind() {
    return steps.kind(at);
  }

  int a() {
    return steps.a(at);
  }

  int b() {
    return steps.b(at);
  }

  int c() {
    return steps.c(at);
  }

  long time() {
    return steps.time(at);
  }

  Making making() {
    return steps.makings.get(steps.a(at));
  }

  /** What is wrong with the file; null if nothing. After the last step. */
  @Nullable String damage() {
    return damage;
  }

  @Override
  public void close() {
    reader.interrupt();
  }
}
