package org.lacis.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A channel of a {@link Multiplexer}, for reading: a thread hands on what comes. */
final class Inlet {
  private final Multiplexer multiplexer;
  private final int channel;
  private final OutputStream target;
  private final Deque<byte[]> blocks = new ArrayDeque<>();
  private int unread;
  private boolean ended;

  Inlet(Multiplexer multiplexer, int channel, OutputStream target) {
    this.multiplexer = multiplexer;
    this.channel = channel;
    this.target = target;
  }

  Thread start() {
    Thread thread =
        new Thread("channel-" + channel) {
          @Override
          public void run() {
            handOn();
          }
        };
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  synchronized void add(byte[] block) throws FrameException {
    unread += block.length;
    if (block.length == 0 || unread > Multiplexer.WINDOW) {
      throw new FrameException(
          "a frame DATA of " + block.length + " bytes, with " + unread + " unread");
    }
    blocks.add(block);
    notifyAll();
  }

  /** Nothing more will come. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  private synchronized byte @Nullable [] next() throws InterruptedException {
    while (blocks.isEmpty() && !ended) {
      wait();
    }
    return blocks.poll();
  }

  private synchronized boolean read(int bytes) {
    unread -= bytes;
    return !ended;
  }

  private void handOn() {
    boolean broken = false;
    try (target) {
      byte[] block;
      while ((block = next()) != null) {
        if (!broken) {
          try {
            target.write(block);
            target.flush();
          } catch (IOException e) {
            broken = true; // nobody wants the rest
          }
        }
        if (read(block.length)) {
          multiplexer.grant(channel, block.length);
        }
      }
    } catch (IOException e) {
      // Closing was all that was left to do.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
