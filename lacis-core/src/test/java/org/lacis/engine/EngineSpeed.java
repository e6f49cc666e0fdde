package org.lacis.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import org.lacis.Completion;
import org.lacis.Idle;
import org.lacis.Lacis;
import org.lacis.RemoteCompletion;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;

/**
 * What the parts of the runtime add to the way of an active message of 8 bytes: messages go to and
 * fro between two ranks with parts of it left out, nanoseconds one way, median and best of several
 * samples that are taken in turn. Without any of it: {@code ShmSpeed latency}. Not a test: run its
 * main with {@code lacis run -n 2}.
 */
final class EngineSpeed {

  private static final int WARM_UP = 5;
  private static final int SAMPLES = 15;
  private static final int TIMES = 200_000;

  /** How a message is sent. */
  private enum Sent {
    INJECT("inject"),
    AM("am, positional"),
    FLUENT("am, fluent");

    private final String text;

    Sent(String text) {
      this.text = text;
    }
  }

  /** What looks for messages, and what takes them. */
  private enum Taken {
    POLL("poll, to the runtime's sink"),
    PROGRESS("progress"),
    IDLE("progress and Idle");

    private final String text;

    Taken(String text) {
      this.text = text;
    }
  }

  private record Way(Sent sent, Taken taken) {}

  private static final Way[] WAYS = {
    new Way(Sent.INJECT, Taken.POLL),
    new Way(Sent.INJECT, Taken.PROGRESS),
    new Way(Sent.AM, Taken.POLL),
    new Way(Sent.AM, Taken.PROGRESS),
    new Way(Sent.AM, Taken.IDLE),
    new Way(Sent.FLUENT, Taken.PROGRESS)
  };

  private final Lacis lacis;
  private final int peer;
  private final NetDevice net;
  private final NetSink sink;
  private final RemoteCompletion handler;
  private final long h0;
  private final MemorySegment word = Arena.ofAuto().allocate(8);
  private final Idle idle;
  private long arrived;
  private long expected; // not read off the other: a message may be early

  private EngineSpeed(Lacis lacis) {
    this.lacis = lacis;
    peer = 1 - lacis.rank();
    var device = (EngineDevice) lacis.device();
    net = device.net();
    sink = device.incoming;
    handler = lacis.register(_ -> arrived++);
    h0 = Frame.h0(Frame.EAGER_AM, 0, handler.index(), 0);
    idle = lacis.newIdle();
  }

  public static void main(String[] args) {
    try (var lacis = Lacis.open()) {
      if (lacis.size() != 2) {
        throw new IllegalArgumentException("there must be 2 ranks, but there are " + lacis.size());
      }
      new EngineSpeed(lacis).run();
    }
  }

  private void run() {
    var nanos = new double[WAYS.length][SAMPLES];
    for (int sample = -WARM_UP; sample < SAMPLES; sample++) {
      for (int way = 0; way < WAYS.length; way++) {
        lacis.barrier();
        nanos[way][Math.max(sample, 0)] = toAndFro(WAYS[way]);
      }
    }
    for (int way = 0; way < WAYS.length && lacis.rank() == 0; way++) {
      Arrays.sort(nanos[way]);
      System.out.printf(
          Locale.ROOT,
          "%-14s %-28s %6.1f ns (best %.1f)%n",
          WAYS[way].sent.text,
          WAYS[way].taken.text,
          nanos[way][SAMPLES / 2],
          nanos[way][0]);
    }
    lacis.barrier();
  }

  private double toAndFro(Way way) {
    long start = System.nanoTime();
    for (int i = 0; i < TIMES; i++) {
      expected++;
      if (peer == 1) {
        send(way.sent);
      }
      take(way.taken);
      if (peer == 0) {
        send(way.sent);
      }
    }
    return (System.nanoTime() - start) / 2.0 / TIMES;
  }

  /** There is always room: one message is under way. */
  private void send(Sent sent) {
    switch (sent) {
      case INJECT -> net.inject(peer, h0, 0, word, 0, 8);
      case AM -> lacis.am(peer, word, 0, handler, Completion.NONE);
      case FLUENT -> lacis.am().to(peer).buffer(word).target(handler).post(Completion.NONE);
    }
  }

  private void take(Taken taken) {
    switch (taken) {
      case POLL -> {
        while (arrived < expected) {
          net.poll(sink, 256);
        }
      }
      case PROGRESS -> {
        while (arrived < expected) {
          lacis.progress();
        }
      }
      case IDLE -> {
        while (arrived < expected) {
          idle.after(lacis.progress());
        }
        idle.reset();
      }
    }
  }
}
