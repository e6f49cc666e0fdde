// How fast do two processes of this machine talk? Latency, message rate and bandwidth.
//
//   lacis run -n 2 examples/PingPong.java
//
// and, in a twentieth of the time but less exactly:
//
//   lacis run -n 2 examples/PingPong.java quick

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import java.util.*;
import org.lacis.*;

static final int WARM_UP = 200_000;
static final int ROUND_TRIPS = 500_000;
static final int STREAM = 10_000_000;
static final int LARGE = 1 << 20;
static final int LARGE_COUNT = 4_000;
static final int PARTS = 8;
static final int ROUNDS = 40;
static final int HOT = 2;
static final int COLD = 8;
static final int TAGS = 64;
static final int BATCH = 256;

/** How many active messages have come; written and read by the thread that makes progress. */
long arrived;

/** How many must have come by now. Not read off {@link #arrived}: the peer may be ahead. */
long expected;

void main(String[] args) {
  int share = args.length > 0 && args[0].equals("quick") ? 20 : 1;
  try (var lacis = Lacis.open()) {
    if (lacis.size() != 2) {
      throw new IllegalStateException(
          "PingPong wants two ranks: lacis run -n 2 examples/PingPong.java");
    }
    var handler = lacis.register(status -> arrived++);
    lacis.barrier();

    pingPong(lacis, handler, WARM_UP / share);
    long[] oneWay = pingPong(lacis, handler, ROUND_TRIPS / share);

    stream(lacis, handler, WARM_UP / share);
    double rate = stream(lacis, handler, STREAM / share);

    matched(lacis, handler, WARM_UP / BATCH / share);
    double matchedRate = matched(lacis, handler, STREAM / BATCH / share);

    int count = LARGE_COUNT / ROUNDS / share;
    double[] large = compare(lacis, buffers(HOT, LARGE), buffers(COLD, LARGE), count);
    var whole = buffers(HOT, LARGE / 2);
    var parts = Arrays.stream(whole).map(this::inParts).toArray(BufferList[]::new);
    double[] ofLists = compare(lacis, whole, parts, count);

    if (lacis.rank() == 0) {
      Arrays.sort(oneWay);
      IO.println("two ranks through " + lacis.network());
      IO.println(
          "  8 bytes, one way        %,8d ns median, %,d ns 90 %%, %,d ns 99 %%, %,d ns 99.9 %%"
              .formatted(at(oneWay, 0.5), at(oneWay, 0.9), at(oneWay, 0.99), at(oneWay, 0.999)));
      IO.println("  8 bytes, streamed       %8.1f million active messages/s".formatted(rate / 1e6));
      IO.println(
          "  8 bytes, matched        %8.1f million sends to posted receives/s"
              .formatted(matchedRate / 1e6));
      IO.println(
          "  1 MiB, without a copy   %8.1f GB/s between %d buffers a side, %.1f between %d"
              .formatted(large[0] / 1e9, HOT, large[1] / 1e9, COLD));
      IO.println(
          "  512 KiB, in one buffer  %8.1f GB/s; in a list of %d %.1f GB/s, %.2f of that"
              .formatted(ofLists[0] / 1e9, PARTS, ofLists[1] / 1e9, ofLists[2]));
    }
    lacis.barrier();
  }
}

/** Active messages to and fro: nanoseconds one way, for each round trip. */
long[] pingPong(Lacis lacis, RemoteCompletion handler, int rounds) {
  var nanos = new long[rounds];
  var message = Arena.ofAuto().allocate(JAVA_LONG);
  int peer = 1 - lacis.rank();
  var idle = lacis.newIdle();
  for (int i = 0; i < rounds; i++) {
    long start = System.nanoTime();
    if (lacis.rank() == 0) {
      post(lacis, peer, message, handler, idle);
    }
    expected++;
    while (arrived < expected) {
      idle.after(lacis.progress());
    }
    if (lacis.rank() == 1) {
      post(lacis, peer, message, handler, idle);
    }
    nanos[i] = (System.nanoTime() - start) / 2;
  }
  return nanos;
}

/** Rank 0 sends as fast as it can and waits for one answer at the end: messages per second. */
double stream(Lacis lacis, RemoteCompletion handler, int count) {
  var message = Arena.ofAuto().allocate(JAVA_LONG);
  var idle = lacis.newIdle();
  expected += lacis.rank() == 0 ? 1 : count;
  long start = System.nanoTime();
  if (lacis.rank() == 0) {
    for (int i = 0; i < count; i++) {
      message.set(JAVA_LONG, 0, i);
      post(lacis, 1, message, handler, idle);
    }
    while (arrived < expected) {
      idle.after(lacis.progress());
    }
  } else {
    while (arrived < expected) {
      idle.after(lacis.progress());
    }
    post(lacis, 0, message, handler, idle);
  }
  return count / ((System.nanoTime() - start) / 1e9);
}

/**
 * Rank 0 sends, a batch at a time, to receives that rank 1 has posted before: messages per second.
 * While one batch is on its way, the receives of the next are there already.
 */
double matched(Lacis lacis, RemoteCompletion handler, int batches) {
  var message = Arena.ofAuto().allocate(JAVA_LONG);
  var idle = lacis.newIdle();
  var done = lacis.newCounter();
  lacis.barrier();
  long start = System.nanoTime();
  for (int batch = 0; batch < batches; batch++) {
    if (lacis.rank() == 0) {
      expected++;
      while (arrived < expected) {
        idle.after(lacis.progress());
      }
      for (int i = 0; i < BATCH; i++) {
        while (lacis.send(1, message, i % TAGS, Completion.NONE).isRetry()) {
          idle.after(lacis.progress());
        }
      }
    } else {
      done.await((batch - 1L) * BATCH);
      for (int i = 0; i < BATCH; i++) {
        while (lacis.recv(0, message, i % TAGS, done).isRetry()) {
          idle.after(lacis.progress());
        }
      }
      post(lacis, 0, message, handler, idle);
    }
  }
  if (lacis.rank() == 1) {
    done.await((long) batches * BATCH);
  }
  lacis.barrier();
  return (double) BATCH * batches / ((System.nanoTime() - start) / 1e9);
}

/** Posts until there is room. */
void post(Lacis lacis, int rank, MemorySegment message, RemoteCompletion handler, Idle idle) {
  while (lacis.am(rank, message, 0, handler, Completion.NONE).isRetry()) {
    idle.after(lacis.progress());
  }
  idle.reset();
}

/** Lists of one part each. */
BufferList[] buffers(int count, int size) {
  var buffers = new BufferList[count];
  for (int i = 0; i < count; i++) {
    buffers[i] = BufferList.of(Arena.ofAuto().allocate(size, 4096).fill((byte) i));
  }
  return buffers;
}

/** The same memory, as its pages matter more than all else, in parts out of order. */
BufferList inParts(BufferList whole) {
  var parts = new MemorySegment[PARTS];
  long size = whole.part(0).byteSize() / PARTS;
  for (int i = 0; i < PARTS; i++) {
    parts[i] = whole.part(0).asSlice(i * 3 % PARTS * size, size);
  }
  return BufferList.of(parts);
}

/**
 * Bytes per second of messages of two kinds, in turn, and how many times the one the other is:
 * medians of the later rounds, as the first ones run while the code is compiled. The ratio is one
 * of rates in the same round, as the machine may be slower in the next.
 */
double[] compare(Lacis lacis, BufferList[] ones, BufferList[] others, int count) {
  var rates = new double[3][ROUNDS];
  for (int i = 0; i < 2 * ROUNDS; i++) {
    rates[0][i % ROUNDS] = bandwidth(lacis, ones, count);
    rates[1][i % ROUNDS] = bandwidth(lacis, others, count);
  }
  for (int round = 0; round < ROUNDS; round++) {
    rates[2][round] = rates[1][round] / rates[0][round];
  }
  return Arrays.stream(rates).mapToDouble(this::median).toArray();
}

double median(double[] values) {
  Arrays.sort(values);
  return values[values.length / 2];
}

/**
 * Rank 0 sends large messages out of a few buffers, or lists, in turn, to posted receives: bytes
 * per second. Many buffers are more than a cache holds.
 */
double bandwidth(Lacis lacis, BufferList[] buffers, int count) {
  var done = lacis.newCounter();
  lacis.barrier();
  long start = System.nanoTime();
  for (int i = 0; i < count; i++) {
    int which = i % buffers.length;
    done.await(i - buffers.length + 1);
    while (post(lacis, buffers[which], which, done).isRetry()) {
      lacis.progress();
    }
  }
  done.await(count);
  double seconds = (System.nanoTime() - start) / 1e9;
  lacis.barrier();
  return (double) count * total(buffers[0]) / seconds;
}

long total(BufferList list) {
  return list.count() * list.part(0).byteSize();
}

Post post(Lacis lacis, BufferList list, int tag, Completion done) {
  var posting = lacis.rank() == 0 ? lacis.send().to(1) : lacis.recv().from(0);
  return (list.count() == 1 ? posting.buffer(list.part(0)) : posting.buffers(list))
      .tag(tag)
      .post(done);
}

long at(long[] sorted, double share) {
  return sorted[(int) (share * (sorted.length - 1))];
}
