package org.lacis.net.sim;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import org.lacis.net.Memory;
import org.lacis.net.NetSink;

/** The polls of one device. */
final class SimDelivery {

  /**
   * What an injected payload becomes once the sink has returned: whoever still reads it is to
   * notice.
   */
  private static final byte STALE = (byte) 0xDD;

  private final SimFabric fabric;
  private final SimContext context;
  private final SimPort port;
  private final long scratch;
  private final int scratchBytes;
  private boolean polling;

  SimDelivery(SimFabric fabric, SimContext context, SimPort port) {
    this.fabric = fabric;
    this.context = context;
    this.port = port;
    this.scratchBytes = Math.max(1, context.injectLimit());
    this.scratch = fabric.memory.allocate(context.rank(), scratchBytes, Memory.CACHE_LINE);
  }

  /** Called without the lock. */
  int poll(NetSink sink, int limit) {
    Deque<SimMail> mail = fabric.locked(this::begin);
    Round round = new Round(sink, limit, mail);
    try {
      round.deliver();
    } finally {
      fabric.locked(
          () -> {
            round.end();
            return null;
          });
    }
    return round.messages + round.others;
  }

  private Deque<SimMail> begin() {
    if (polling) {
      throw new IllegalStateException(
          "device "
              + port.index
              + " of rank "
              + port.rank
              + " is polled by two threads at once, or from within its own sink");
    }
    polling = true;
    if (port.isClosed()) {
      return new ArrayDeque<>();
    }
    fabric.clock.settle();
    if (!port.isDue()) {
      fabric.passTime(port);
    }
    return port.take();
  }

  /** One poll. */
  private final class Round {
    private final NetSink sink;
    private final int limit;
    private final Deque<SimMail> mail;
    private final Deque<SimMail> kept = new ArrayDeque<>();

    /** Sources of which a message was kept: what is behind it is kept too. */
    private final BitSet blocked = new BitSet();

    private int messages;
    private int others;

    Round(NetSink sink, int limit, Deque<SimMail> mail) {
      this.sink = sink;
      this.limit = limit;
      this.mail = mail;
    }

    void deliver() {
      for (SimMail next = mail.peek(); next != null; next = mail.peek()) {
        boolean done =
            switch (next) {
              case SimMail.Message message -> offer(message);
              case SimMail.Completion completion -> {
                sink.completed(completion.cookie(), completion.result());
                others++;
                yield true;
              }
              case SimMail.Gone gone -> farewell(gone);
            };
        // Only now: if the sink throws, what it was given stays.
        mail.remove();
        if (!done) {
          kept.add(next);
        }
      }
    }

    private boolean farewell(SimMail.Gone gone) {
      if (blocked.get(gone.peer())) {
        return false;
      }
      sink.peerGone(gone.peer(), gone.how());
      return true;
    }

    private boolean offer(SimMail.Message message) {
      int source = message.link().source;
      if (messages >= limit || blocked.get(source) || !hand(message)) {
        blocked.set(source);
        return false;
      }
      messages++;
      return true;
    }

    private boolean hand(SimMail.Message message) {
      SimPacket packet = message.packet();
      int source = message.link().source;
      if (packet == null) {
        boolean taken =
            sink.message(
                source,
                message.h0(),
                message.h1(),
                fill(message.data()),
                (int) message.data().byteSize(),
                0);
        Memory.segment(scratch, scratchBytes).fill(STALE);
        return taken && taken(message);
      }
      // The lease exists before the sink runs: another thread may release it before the sink has
      // returned.
      long lease = fabric.locked(() -> context.lease(packet));
      boolean taken = false;
      try {
        taken =
            sink.message(
                source, message.h0(), message.h1(), packet.address(), packet.length(), lease);
      } finally {
        if (!taken) {
          fabric.locked(
              () -> {
                context.unlease(lease);
                return null;
              });
        }
      }
      return taken && taken(message);
    }

    private boolean taken(SimMail.Message message) {
      return fabric.locked(
          () -> {
            message.link().cells--;
            fabric.charge(port.rank);
            return true;
          });
    }

    private long fill(MemorySegment data) {
      MemorySegment.copy(data, 0, Memory.segment(scratch, scratchBytes), 0, data.byteSize());
      return scratch;
    }

    void end() {
      kept.addAll(mail);
      port.putBack(kept);
      if (messages + others == 0) {
        port.idleAt = fabric.clock.now();
      } else {
        fabric.deliveries += messages + others;
      }
      polling = false;
    }
  }
}
