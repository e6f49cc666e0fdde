package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** Many threads post, one polls, and every byte is looked at. */
class ShmThreadsTest {

  private static final int POSTERS = 4;
  private static final int EACH = 30_000;
  private static final int PACKETS = 32;
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(100);

  @Test
  void messagesOfManyThreadsArriveOnceAndWhole() {
    try (var ranks = LocalRanks.open(2, 4 << 20, 256)) {
      var checker = new Checker(ranks.contexts[1]);
      LocalRanks.together(
          POSTERS + 1,
          thread -> {
            if (thread == POSTERS) {
              poll(ranks.devices[1], checker, POSTERS * EACH);
            } else {
              postMessages(ranks.devices[0], thread);
            }
            return thread;
          });
      checker.assertAllSeen(POSTERS, EACH);
    }
  }

  private static void postMessages(NetDevice device, int thread) {
    MemorySegment payload = MemorySegment.ofArray(new long[5]);
    for (int i = 0; i < EACH; i++) {
      int words = 1 + i % 5;
      for (int word = 0; word < words; word++) {
        payload.setAtIndex(
            java.lang.foreign.ValueLayout.JAVA_LONG, word, Checker.word(thread, i, word));
      }
      insist(() -> 0, device, thread + 1, i, payload, words * 8);
    }
  }

  /** Something to do before trying again. */
  private interface Meanwhile {
    int run();
  }

  private static void insist(
      Meanwhile meanwhile, NetDevice device, long h0, long h1, MemorySegment payload, int length) {
    long limit = System.nanoTime() + LIMIT;
    int answer;
    while ((answer = device.inject(1, h0, h1, payload, 0, length)) != NetDevice.OK) {
      assertThat(answer).isIn(NetDevice.BUSY, NetDevice.FULL);
      assertThat(System.nanoTime()).as("insisting on a message").isLessThan(limit);
      meanwhile.run();
      Thread.yield();
    }
  }

  @Test
  void packetsOfManyThreadsArriveOnceAndComeBack() {
    try (var ranks = LocalRanks.open(2, 4 << 20, 256)) {
      NetContext context = ranks.contexts[0];
      var checker = new Checker(ranks.contexts[1]);
      checker.releaseElsewhere = true;
      var free = new ConcurrentLinkedQueue<Long>();
      for (int i = 0; i < PACKETS; i++) {
        free.add(context.allocate(1024, 64) + NetContext.PACKET_HEADER);
      }
      var releasing = new AtomicInteger(1);
      LocalRanks.together(
          POSTERS + 2,
          thread -> {
            if (thread == POSTERS) {
              poll(ranks.devices[1], checker, POSTERS * EACH);
              releasing.set(0);
            } else if (thread == POSTERS + 1) {
              while (releasing.get() != 0 || !checker.leases.isEmpty()) {
                checker.releaseSome();
              }
            } else {
              postPackets(ranks.devices[0], context, free, thread);
            }
            return thread;
          });
      checker.assertAllSeen(POSTERS, EACH);
      context.reclaim(free::add);
      assertThat(free).hasSize(PACKETS).doesNotHaveDuplicates();
    }
  }

  private static void postPackets(
      NetDevice device, NetContext context, ConcurrentLinkedQueue<Long> free, int thread) {
    long limit = System.nanoTime() + LIMIT;
    for (int i = 0; i < EACH; ) {
      assertThat(System.nanoTime()).as("sending packets").isLessThan(limit);
      Long packet = free.poll();
      if (packet == null) {
        if (context.reclaim(free::add) == 0) {
          Thread.yield();
        }
        continue;
      }
      int words = 1 + i % 100;
      for (int word = 0; word < words; word++) {
        Memory.putLong(packet + word * 8L, Checker.word(thread, i, word));
      }
      if (device.sendPacket(1, thread + 1, i, packet, words * 8) == NetDevice.OK) {
        i++;
      } else {
        free.add(packet);
        Thread.yield();
      }
    }
  }

  @Test
  void putsOfManyThreadsArriveBeforeTheirNotification() {
    for (BulkMode mode : BulkMode.values()) {
      try (var ranks = LocalRanks.open(2, mode)) {
        int each = 2000;
        int bytes = 5000;
        NetContext owner = ranks.contexts[1];
        MemorySegment remote =
            owner.view(owner.allocate(POSTERS * (long) bytes, 64), POSTERS * (long) bytes);
        long key = owner.register(remote, 0, remote.byteSize(), NetContext.WRITE);
        // What each thread may put next: the receiver lets it go on when it has looked at the last
        // one.
        var turns = new AtomicLong[POSTERS];
        for (int i = 0; i < POSTERS; i++) {
          turns[i] = new AtomicLong();
        }
        var wrong = new AtomicInteger();
        NetSink sink = turnSink(remote, bytes, turns, wrong);
        var done = new AtomicInteger();
        LocalRanks.together(
            POSTERS + 2,
            thread -> {
              if (thread >= POSTERS) {
                long limit = System.nanoTime() + LIMIT;
                while (done.get() < POSTERS) {
                  assertThat(System.nanoTime()).as("polling").isLessThan(limit);
                  if (ranks.devices[thread - POSTERS].poll(sink, 64) == 0) {
                    Thread.yield();
                  }
                }
              } else {
                putInTurn(ranks.devices[0], thread, key, bytes, each, turns[thread]);
                done.incrementAndGet();
              }
              return thread;
            });
        assertThat(wrong).as("puts with wrong data, %s", mode).hasValue(0);
        for (AtomicLong turn : turns) {
          assertThat(turn).hasValue(each);
        }
      }
    }
  }

  private static NetSink turnSink(
      MemorySegment remote, int bytes, AtomicLong[] turns, AtomicInteger wrong) {
    return new NetSink() {
      @Override
      public boolean message(int source, long h0, long h1, long address, int length, long lease) {
        int thread = (int) h0 - 1;
        byte expected = (byte) (h1 + thread);
        for (int i = 0; i < bytes; i++) {
          if (remote.get(java.lang.foreign.ValueLayout.JAVA_BYTE, (long) thread * bytes + i)
              != expected) {
            wrong.incrementAndGet();
            break;
          }
        }
        turns[thread].incrementAndGet();
        return true;
      }

      @Override
      public void completed(long cookie, int result) {
        if (result != NetDevice.OK) {
          wrong.incrementAndGet();
        }
      }

      @Override
      public void peerGone(int peer, PeerEnd how) {
        wrong.incrementAndGet();
      }
    };
  }

  private static void putInTurn(
      NetDevice device, int thread, long key, int bytes, int each, AtomicLong turn) {
    MemorySegment[] locals = {
      Arena.ofAuto().allocate(bytes), MemorySegment.ofArray(new byte[bytes])
    };
    long limit = System.nanoTime() + LIMIT;
    for (int i = 0; i < each; i++) {
      MemorySegment local = locals[i % 2];
      local.fill((byte) (i + thread));
      int answer = NetDevice.BUSY;
      while (answer < 0) {
        assertThat(System.nanoTime()).as("putting").isLessThan(limit);
        answer = device.put(1, local, 0, bytes, key, (long) thread * bytes, thread + 1, i, i);
        assertThat(answer).isGreaterThan(NetDevice.NO_ACCESS);
      }
      while (turn.get() != i + 1) {
        assertThat(System.nanoTime()).as("a turn").isLessThan(limit);
        Thread.yield();
      }
    }
  }

  private static void poll(NetDevice device, Checker checker, int count) {
    long limit = System.nanoTime() + LIMIT;
    while (checker.count < count) {
      assertThat(System.nanoTime()).as("%d of %d messages", checker.count, count).isLessThan(limit);
      if (device.poll(checker, 64) == 0) {
        Thread.yield();
      }
    }
  }

  /** Looks at every word of every message, and that there is one of each. */
  private static final class Checker implements NetSink {
    private final NetContext context;
    private final int[] next = new int[POSTERS];
    final ConcurrentLinkedQueue<Long> leases = new ConcurrentLinkedQueue<>();
    boolean releaseElsewhere;
    int count;

    Checker(NetContext context) {
      this.context = context;
    }

    static long word(int thread, int message, int word) {
      return ((long) thread << 48) | ((long) message << 16) | word;
    }

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      int thread = (int) h0 - 1;
      // The ring of one device is in order, and each thread posts in order.
      if (h1 != next[thread]++) {
        throw new AssertionError("message " + h1 + " of thread " + thread + " out of turn");
      }
      for (int word = 0; word < length / 8; word++) {
        if (Memory.getLong(address + word * 8L) != word(thread, (int) h1, word)) {
          throw new AssertionError(
              "word " + word + " of message " + h1 + " of thread " + thread + " is wrong");
        }
      }
      count++;
      if (lease != 0) {
        if (releaseElsewhere) {
          leases.add(lease);
        } else {
          context.release(lease);
        }
      }
      return true;
    }

    void releaseSome() {
      Long lease = leases.poll();
      if (lease == null) {
        Thread.yield();
      } else {
        context.release(lease);
      }
    }

    void assertAllSeen(int threads, int each) {
      assertThat(count).isEqualTo(threads * each);
      assertThat(next).containsOnly(each);
    }

    @Override
    public void completed(long cookie, int result) {
      throw new AssertionError("completed " + cookie);
    }

    @Override
    public void peerGone(int peer, PeerEnd how) {
      throw new AssertionError("gone " + peer);
    }
  }
}
