import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.lacis.*;

/**
 * Traffic between all ranks, each with itself too, by every protocol: sends, active messages, puts and gets, with signal and without,
 * inside frames, through packets and without a copy; between native, shared and heap memory. Every byte is checked.
 */
final class Traffic {

  /** Where the other side's memory comes from. */
  private static final int KINDS = 3;

  private final Lacis lacis;
  private final int rank;
  private final int size;
  private final int[] lengths;
  private final int large;
  private final Counter done;
  private long expected;

  private final CompletionQueue mail;
  private final RemoteCompletion toMail;
  private final CompletionQueue signals;
  private final RemoteCompletion toSignals;
  private final Status status = Status.create();

  /** What messages are made of; the same on every rank. */
  private final MemorySegment noise;

  /** Areas for all ranks to write to, by kind of memory. */
  private final Region[] areas = new Region[KINDS];

  /** Areas for all ranks to read from, by kind of memory. */
  private final Region[] sources = new Region[KINDS];

  private final RemoteRegion[][] remoteAreas;
  private final RemoteRegion[][] remoteSources;

  /** Collective: every rank makes one, with the same length of large messages, in bytes. */
  Traffic(Lacis lacis, int large) {
    this.lacis = lacis;
    this.rank = lacis.rank();
    this.size = lacis.size();
    this.large = large;
    this.lengths = new int[] {0, 1, 8, lacis.injectLimit(), lacis.injectLimit() + 1, 1000, lacis.eagerLimit(), large};
    var random = new byte[Math.max(large, lacis.eagerLimit()) + (1 << 16)];
    new Random(12).nextBytes(random);
    this.noise = MemorySegment.ofArray(random);
    this.done = lacis.newCounter();
    this.mail = lacis.newCompletionQueue();
    this.toMail = lacis.register(mail);
    this.signals = lacis.newCompletionQueue();
    this.toSignals = lacis.register(signals);
    this.remoteAreas = new RemoteRegion[size][KINDS];
    this.remoteSources = new RemoteRegion[size][KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
      areas[kind] = region(kind, (long) size * large, Rights.READ_WRITE);
      sources[kind] = region(kind, large, Rights.READ);
    }
    exchangeRegions();
  }

  private Region region(int kind, long bytes, Rights rights) {
    return switch (kind) {
      case 0 -> lacis.allocate(bytes);
      case 1 -> lacis.register(Arena.ofAuto().allocate(bytes, 8), rights);
      default -> lacis.register(MemorySegment.ofArray(new byte[(int) bytes]), rights);
    };
  }

  private void exchangeRegions() {
    for (int peer = 0; peer < size; peer++) {
      for (int kind = 0; kind < KINDS; kind++) {
        tell(peer, kind, areas[kind]);
        tell(peer, KINDS + kind, sources[kind]);
      }
    }
    for (int i = 0; i < size * 2 * KINDS; i++) {
      mail.take(status);
      RemoteRegion remote = RemoteRegion.fromBytes(status.payload().toArray(JAVA_BYTE));
      check(remote.rank() == status.rank(), "a region of rank " + remote.rank() + " came from rank " + status.rank());
      (status.tag() < KINDS ? remoteAreas : remoteSources)[status.rank()][status.tag() % KINDS] = remote;
    }
    lacis.barrier();
  }

  private void tell(int peer, int tag, Region region) {
    posted(lacis.am().to(peer).buffer(MemorySegment.ofArray(region.remote().toBytes())).tag(tag).target(toMail));
  }

  /** Does so many rounds; a barrier ends each. The listener is told the number of each round before it begins. */
  void run(int rounds, IntConsumer listener) {
    for (int round = 0; round < rounds; round++) {
      listener.accept(round);
      sendAndReceive(round);
      activeMessages(round);
      for (int kind = 0; kind < KINDS; kind++) {
        puts(round, kind);
        gets(round, kind);
      }
      lacis.barrier();
    }
    check(lacis.device().backlog().length() == 0, "the backlog has " + lacis.device().backlog().length());
  }

  private void sendAndReceive(int round) {
    List<MemorySegment> buffers = new ArrayList<>();
    for (int peer = 0; peer < size; peer++) {
      for (int i = 0; i < lengths.length; i++) {
        // Half of the receives come late; longer than needed where possible.
        MemorySegment buffer = memory(lengths[i] + (i & 1), peer + i);
        buffers.add(buffer);
        if ((peer + i) % 2 == 0) {
          posted(lacis.recv().from(peer).buffer(buffer).tag(i));
        }
      }
    }
    for (int peer = 0; peer < size; peer++) {
      for (int i = 0; i < lengths.length; i++) {
        MemorySegment buffer = memory(lengths[i], peer + i + 1);
        fill(buffer, seed(rank, peer, round, i));
        posted(lacis.send().to(peer).buffer(buffer).tag(i));
      }
    }
    lacis.progress();
    for (int peer = 0; peer < size; peer++) {
      for (int i = 0; i < lengths.length; i++) {
        if ((peer + i) % 2 != 0) {
          posted(lacis.recv().from(peer).buffer(buffers.get(peer * lengths.length + i)).tag(i));
        }
      }
    }
    await();
    for (int peer = 0; peer < size; peer++) {
      for (int i = 0; i < lengths.length; i++) {
        verify("send", buffers.get(peer * lengths.length + i), 0, lengths[i], seed(peer, rank, round, i));
      }
    }
  }

  private void activeMessages(int round) {
    for (int peer = 0; peer < size; peer++) {
      for (int i = 0; i < lengths.length; i++) {
        MemorySegment buffer = memory(lengths[i], peer + i);
        fill(buffer, seed(rank, peer, round, i));
        posted(lacis.am().to(peer).buffer(buffer).tag(i).target(toMail));
      }
    }
    for (int n = 0; n < size * lengths.length; n++) {
      mail.take(status);
      int i = status.tag();
      check(status.length() == lengths[i], "a message of " + lengths[i] + " bytes has come as " + status.length());
      verify("am", status.buffer(), 0, lengths[i], seed(status.rank(), rank, round, i));
    }
    await();
  }

  /** Each rank writes its part of everybody's area: first without a signal and reads it back, then with one. */
  private void puts(int round, int kind) {
    for (int peer = 0; peer < size; peer++) {
      MemorySegment buffer = memory(large, round + peer);
      fill(buffer, ~seed(rank, peer, round, kind));
      posted(lacis.put().buffer(buffer).remote(remoteAreas[peer][kind], (long) rank * large));
    }
    await();
    MemorySegment[] copies = new MemorySegment[size];
    for (int peer = 0; peer < size; peer++) {
      copies[peer] = memory(large, round + peer + 1);
      posted(lacis.get().buffer(copies[peer]).remote(remoteAreas[peer][kind], (long) rank * large));
    }
    await();
    for (int peer = 0; peer < size; peer++) {
      verify("put and get", copies[peer], 0, large, ~seed(rank, peer, round, kind));
      MemorySegment buffer = memory(large, round + peer);
      fill(buffer, seed(rank, peer, round, kind));
      posted(lacis.put().buffer(buffer).remote(remoteAreas[peer][kind], (long) rank * large).tag(kind).target(toSignals));
    }
    for (int n = 0; n < size; n++) {
      signals.take(status);
      check(status.tag() == kind, "the signal of a put has tag " + status.tag());
      check(status.length() == large, "a put of " + large + " bytes is signalled as " + status.length());
      verify("put", areas[kind].segment(), (long) status.rank() * large, large, seed(status.rank(), rank, round, kind));
    }
    await();
  }

  /** Each rank reads everybody's source, and tells them so by the signal. */
  private void gets(int round, int kind) {
    fill(sources[kind].segment(), seed(rank, rank, round, 100 + kind));
    lacis.barrier();
    MemorySegment[] copies = new MemorySegment[size];
    for (int peer = 0; peer < size; peer++) {
      copies[peer] = memory(large, round + peer);
      posted(lacis.get().buffer(copies[peer]).remote(remoteSources[peer][kind], 0).tag(50 + kind).target(toSignals));
    }
    for (int n = 0; n < size; n++) {
      signals.take(status);
      check(status.tag() == 50 + kind, "the signal of a get has tag " + status.tag());
    }
    await();
    for (int peer = 0; peer < size; peer++) {
      verify("get", copies[peer], 0, large, seed(peer, peer, round, 100 + kind));
    }
    lacis.barrier();
  }

  /** Posts so that it is always signalled. */
  private void posted(Posting posting) {
    Post answer = posting.allowDone(false).allowRetry(false).post(done);
    check(answer == Post.POSTED, "a post that can only be POSTED has answered " + answer);
    expected++;
  }

  private void await() {
    done.await(expected);
    check(done.failures() == 0, done.failures() + " operations have failed");
  }

  /** Native memory or, for odd numbers, an array. */
  private static MemorySegment memory(int bytes, int number) {
    return number % 2 == 0 ? Arena.ofAuto().allocate(bytes) : MemorySegment.ofArray(new byte[bytes]);
  }

  private static int seed(int from, int to, int round, int i) {
    return ((from * 67 + to) * 71 + round) * 73 + i;
  }

  private void fill(MemorySegment memory, int seed) {
    MemorySegment.copy(noise, start(seed), memory, 0, memory.byteSize());
  }

  private void verify(String what, MemorySegment memory, long offset, long length, int seed) {
    long from = start(seed);
    long at = MemorySegment.mismatch(memory, offset, offset + length, noise, from, from + length);
    if (at >= 0) {
      throw new AssertionError("rank %d: %s of %d bytes: byte %d is wrong".formatted(rank, what, length, at));
    }
  }

  /** Every seed has its own part of the noise. */
  private static long start(int seed) {
    return (seed * 0x9E3779B9) >>> 16;
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new AssertionError(message);
    }
  }
}
