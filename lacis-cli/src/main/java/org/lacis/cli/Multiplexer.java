package org.lacis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Frames, and streams of bytes among them, over one pair of streams. Each stream of bytes has a
 * channel, and on it no more under way than a window: whoever does not read slows down the one who
 * writes to it, and nobody else. So the thread that reads never waits for anything but frames.
 */
final class Multiplexer {
  /** Takes the frames that are not about channels, in the thread that reads. Must not block. */
  interface Handler {
    void frame(Frame frame) throws IOException;
  }

  /** How many bytes may be under way on a channel, in one direction. */
  static final int WINDOW = 1 << 18;

  // A rank has four channels' numbers; the fourth is not its own but that of some connection.
  static final int INPUT = 0;
  static final int OUTPUT = 1;
  static final int ERRORS = 2;
  static final int PMI = 3;

  private static final byte[] NOTHING = new byte[0];

  private final InputStream in;
  private final OutputStream out;
  private final Map<Integer, Outlet> outlets = new ConcurrentHashMap<>();
  private final Map<Integer, Inlet> inlets = new ConcurrentHashMap<>();
  private volatile boolean closed;

  Multiplexer(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
  }

  /** The number of a channel. */
  static int channel(int part, int number) {
    return number << 2 | part;
  }

  /** Which kind of channel this is. */
  static int part(int channel) {
    return channel & 3;
  }

  /** Where the frames come from: for what comes before the first of them. */
  InputStream input() {
    return in;
  }

  /** Reads until the other side has closed, and then ends all channels. */
  void read(Handler handler) throws IOException {
    try {
      Frame frame;
      while ((frame = Frame.read(in)) != null) {
        take(frame, handler);
      }
    } finally {
      closed = true;
      outlets.values().forEach(Outlet::close);
      inlets.values().forEach(Inlet::end);
    }
  }

  private void take(Frame frame, Handler handler) throws IOException {
    int channel = frame.subject();
    switch (frame.kind()) {
      case DATA -> inlet(frame).add(frame.payload());
      case END -> {
        inlet(frame).end();
        inlets.remove(channel);
      }
      case GRANT -> {
        Outlet outlet = outlets.get(channel);
        if (outlet != null) { // else it has ended, with bytes under way
          outlet.grant(frame.number());
        }
      }
      default -> handler.frame(frame);
    }
  }

  private Inlet inlet(Frame frame) throws FrameException {
    Inlet inlet = inlets.get(frame.subject());
    if (inlet == null) {
      throw new FrameException(
          "a frame " + frame.kind() + " on channel " + frame.subject() + ", which is not open");
    }
    return inlet;
  }

  void send(FrameKind kind, int subject) throws IOException {
    send(kind, subject, NOTHING);
  }

  void send(FrameKind kind, int subject, byte[] payload) throws IOException {
    send(kind, subject, payload, 0, payload.length);
  }

  synchronized void send(FrameKind kind, int subject, byte[] bytes, int from, int length)
      throws IOException {
    Frame.write(out, kind, subject, bytes, from, length);
  }

  /** Opens a channel for writing. */
  Outlet outlet(int channel) {
    Outlet outlet = new Outlet(this, channel, WINDOW);
    outlets.put(channel, outlet);
    if (closed) {
      outlet.close();
    }
    return outlet;
  }

  void remove(Outlet outlet) {
    outlets.remove(outlet.channel());
  }

  /** Opens a channel for reading: a thread writes what comes to a stream, and closes that. */
  Thread inlet(int channel, OutputStream target) throws FrameException {
    Inlet inlet = new Inlet(this, channel, target);
    if (inlets.putIfAbsent(channel, inlet) != null) {
      throw new FrameException("channel " + channel + " is opened twice");
    }
    if (closed) {
      inlet.end();
    }
    return inlet.start();
  }

  /** Tells the other side that so many bytes have been read. */
  void grant(int channel, int bytes) {
    try {
      send(FrameKind.GRANT, channel, number(bytes));
    } catch (IOException e) {
      // It is gone, and what it has sent is read to the end.
    }
  }

  /** A payload of one number. */
  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** Starts a thread that writes all there is to read from a stream, and then ends the channel. */
  Thread pump(InputStream from, Outlet outlet) {
    Thread thread =
        new Thread("channel-" + outlet.channel()) {
          @Override
          public void run() {
            byte[] buffer = new byte[FrameKind.DATA.limit()];
            try {
              int n;
              while ((n = from.read(buffer)) > 0) {
                outlet.write(buffer, n);
              }
            } catch (IOException e) {
              // One side is gone: this is the end of it.
            }
            outlet.end();
          }
        };
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
