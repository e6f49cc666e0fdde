package org.lacis.cli;

import java.io.IOException;
import java.io.InterruptedIOException;

/** A channel of a {@link Multiplexer}, for writing. One thread writes. */
final class Outlet {
  private final Multiplexer multiplexer;
  private final int channel;
  private final int window;
  private int credit;
  private boolean closed;

  Outlet(Multiplexer multiplexer, int channel, int window) {
    this.multiplexer = multiplexer;
    this.channel = channel;
    this.window = window;
    this.credit = window;
  }

  int channel() {
    return channel;
  }

  /** Writes bytes; waits while the window is full. */
  void write(byte[] bytes, int length) throws IOException {
    int from = 0;
    while (from < length) {
      int n = take(Math.min(length - from, FrameKind.DATA.limit()));
      multiplexer.send(FrameKind.DATA, channel, bytes, from, n);
      from += n;
    }
  }

  private synchronized int take(int wanted) throws IOException {
    try {
      while (credit == 0 && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    if (closed) {
      throw new IOException("the other side is gone");
    }
    int n = Math.min(wanted, credit);
    credit -= n;
    return n;
  }

  /** The other side has read so many bytes. */
  synchronized void grant(int bytes) throws FrameException {
    if (bytes < 1 || bytes > window - credit) {
      throw new FrameException(
          "a frame GRANT of " + bytes + " bytes where " + (window - credit) + " are under way");
    }
    credit += bytes;
    notifyAll();
  }

  /** There is nobody to write to any more. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Nothing more will be written. */
  void end() {
    multiplexer.remove(this);
    try {
      multiplexer.send(FrameKind.END, channel);
    } catch (IOException e) {
      // Whoever it was for is gone.
    }
  }
}
