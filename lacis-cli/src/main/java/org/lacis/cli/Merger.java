package org.lacis.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges one output stream of all ranks into one, line by line: a line of one rank is never within
 * a line of another.
 *
 * <p>The bytes of a line are kept until it is complete. So that prompts and progress bars are seen,
 * an incomplete line is shown after {@value #PATIENCE_MILLIS} ms if no other rank has written in
 * the meantime; if another one writes then, a newline comes first. The same goes for a line of more
 * than {@value #MAX_LINE} bytes.
 *
 * <p>Safe for use by several threads. Writing blocks while the stream does: that slows down the
 * ranks, as it should.
 */
final class Merger implements RankOutput {
  static final int MAX_LINE = 8 << 20;
  static final int PATIENCE_MILLIS = 100;

  private static final long PATIENCE_NANOS = PATIENCE_MILLIS * 1_000_000L;
  private static final byte[] NOTHING = new byte[0];

  private final OutputStream out;
  private final boolean tagged;
  private final Consumer<IOException> whenBroken;
  private final byte[][] kept;
  private final int[] keptLength;
  private final long[] keptSince;
  private boolean broken;

  /** The rank whose incomplete line is the last thing on the stream, or -1. */
  private int open = -1;

  private int lastWriter = -1;
  private long lastWrite;

  /** Since when no rank but the last writer has written. */
  private long aloneSince;

  private @Nullable Thread flusher;
  private boolean flusherIdle;

  /**
   * Makes one.
   *
   * @param whenBroken is told, once, why the stream cannot be written any more
   */
  Merger(OutputStream out, int ranks, boolean tagged, Consumer<IOException> whenBroken) {
    this.out = out;
    this.tagged = tagged;
    this.whenBroken = whenBroken;
    this.kept = new byte[ranks][];
    Arrays.fill(kept, NOTHING);
    this.keptLength = new int[ranks];
    this.keptSince = new long[ranks];
  }

  @Override
  public synchronized void write(int rank, byte[] bytes, int length) {
    lastWrite = System.nanoTime();
    if (rank != lastWriter) {
      lastWriter = rank;
      aloneSince = lastWrite;
    }
    int whole = length;
    while (whole > 0 && bytes[whole - 1] != '\n') {
      whole--;
    }
    if (whole > 0) {
      if (keptLength[rank] > 0) {
        keep(rank, bytes, 0, whole);
        emit(rank, kept[rank], keptLength[rank]);
        keptLength[rank] = 0;
      } else {
        emit(rank, bytes, whole);
      }
    }
    if (whole < length) {
      keep(rank, bytes, whole, length - whole);
      if (keptLength[rank] > MAX_LINE) {
        flush(rank);
      } else {
        wakeFlusher();
      }
    }
    if (keptLength[rank] == 0 && kept[rank].length > 1 << 16) {
      kept[rank] = NOTHING;
    }
  }

  /** A rank will write no more: shows the rest of its last line. */
  @Override
  public synchronized void end(int rank) {
    flush(rank);
  }

  /** Writes a message of the launcher itself, on lines of its own. */
  synchronized void say(byte[] lines) {
    closeLine(-1);
    put(lines, 0, lines.length);
  }

  private void keep(int rank, byte[] bytes, int from, int length) {
    if (keptLength[rank] == 0) {
      keptSince[rank] = lastWrite;
    }
    int needed = keptLength[rank] + length;
    if (kept[rank].length < needed) {
      kept[rank] = Arrays.copyOf(kept[rank], Math.max(needed, 2 * kept[rank].length));
    }
    System.arraycopy(bytes, from, kept[rank], keptLength[rank], length);
    keptLength[rank] = needed;
  }

  private void flush(int rank) {
    if (keptLength[rank] > 0) {
      emit(rank, kept[rank], keptLength[rank]);
      keptLength[rank] = 0;
    }
  }

  /** Writes lines of one rank, the last of which may be incomplete. */
  private void emit(int rank, byte[] bytes, int length) {
    closeLine(rank);
    if (tagged) {
      byte[] with = tag(rank, bytes, length);
      put(with, 0, with.length);
    } else {
      put(bytes, 0, length);
    }
    open = bytes[length - 1] == '\n' ? -1 : rank;
  }

  /** Ends the incomplete line of another rank. */
  private void closeLine(int rank) {
    if (open >= 0 && open != rank) {
      put(new byte[] {'\n'}, 0, 1);
      open = -1;
    }
  }

  private byte[] tag(int rank, byte[] bytes, int length) {
    byte[] tag = ("[" + rank + "] ").getBytes(StandardCharsets.US_ASCII);
    int lines = 0;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        lines++;
      }
    }
    byte[] result = new byte[length + (lines + 1) * tag.length];
    int to = 0;
    boolean start = open != rank;
    for (int i = 0; i < length; i++) {
      if (start) {
        System.arraycopy(tag, 0, result, to, tag.length);
        to += tag.length;
      }
      result[to++] = bytes[i];
      start = bytes[i] == '\n';
    }
    return Arrays.copyOf(result, to);
  }

  private void put(byte[] bytes, int from, int length) {
    if (broken) {
      return;
    }
    try {
      out.write(bytes, from, length);
      out.flush();
    } catch (IOException e) {
      broken = true;
      whenBroken.accept(e);
    }
  }

  private void wakeFlusher() {
    if (flusher == null) {
      flusher =
          new Thread("output-flush") {
            @Override
            public void run() {
              flushLoop();
            }
          };
      flusher.setDaemon(true);
      flusher.start();
    } else if (flusherIdle) {
      notifyAll();
    }
  }

  private synchronized void flushLoop() {
    try {
      while (true) {
        long wait = flushDue(System.nanoTime());
        flusherIdle = wait == Long.MAX_VALUE;
        if (flusherIdle) {
          wait();
        } else {
          wait(wait / 1_000_000 + 1);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Shows incomplete lines that have waited long enough. Returns the nanoseconds until the next one
   * has.
   */
  private long flushDue(long now) {
    long next = Long.MAX_VALUE;
    for (int rank = 0; rank < kept.length; rank++) {
      if (keptLength[rank] > 0 && (open < 0 || open == rank)) {
        // Not "quiet for so long" but "alone for so long": a progress bar is never quiet.
        long since = rank != lastWriter ? lastWrite : Math.max(keptSince[rank], aloneSince);
        long wait = since + PATIENCE_NANOS - now;
        if (wait <= 0) {
          flush(rank);
        } else {
          next = Math.min(next, wait);
        }
      }
    }
    return next;
  }
}
