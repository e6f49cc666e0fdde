import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.*;
import java.util.*;
import java.util.stream.*;
import org.lacis.*;
import org.lacis.collective.*;

/**
 * All ranks exchange long messages, puts and gets without a pause, and the last one is killed amid that. What is complete has to be
 * right, what fails has to name it, and the others go on with each other. They say that they are ready when all are in the middle of it.
 */
static final int LONG = 300_000;

static final int ROUNDS_BEFORE = 20;
static final int ROUNDS_AFTER = 20;

Lacis lacis;
MemorySegment noise;
boolean lost;

void main() {
  try (var opened = Lacis.open()) {
    lacis = opened;
    int size = lacis.size();
    int victim = size - 1;
    lacis.onPeerFailure(failure -> IO.println("missed %d %s %d".formatted(failure.rank(), failure.reason(), System.currentTimeMillis())));
    byte[] random = new byte[LONG + (1 << 16)];
    new Random(7).nextBytes(random);
    noise = MemorySegment.ofArray(random);
    var all = Collectives.of(lacis);
    var regions = all.exchange(lacis.register(Arena.ofAuto().allocate((long) size * LONG, 8), Rights.READ_WRITE));
    all.barrier();
    int after = 0;
    boolean end = false;
    for (int round = 0; !end; round++) {
      if (round == ROUNDS_BEFORE) {
        IO.println("ready " + lacis.rank() + " " + ProcessHandle.current().pid());
      }
      after += lost ? 1 : 0;
      end = exchange(round, regions, victim, after >= ROUNDS_AFTER);
    }
    // Another may still put to this rank, or get from it.
    Collectives.of(lacis, Group.of(IntStream.range(0, victim).toArray())).barrier();
    IO.println("rank " + lacis.rank() + " goes on");
  }
}

/** One of everything with each peer that is left; true if all of these have said that they have enough. */
boolean exchange(int round, RemoteRegion[] regions, int victim, boolean enough) {
  int rank = lacis.rank();
  Map<Integer, MemorySegment> received = new TreeMap<>();
  Map<Integer, MemorySegment> read = new TreeMap<>();
  List<Runnable> ends = new ArrayList<>();
  for (int peer = 0; peer < lacis.size(); peer++) {
    if (peer == rank || (lost && peer == victim)) {
      continue;
    }
    int to = peer;
    var in = Arena.ofAuto().allocate(LONG);
    var out = memory(rank, round);
    out.set(JAVA_BYTE, 0, (byte) (enough ? 1 : 0));
    var back = Arena.ofAuto().allocate(LONG);
    ends.add(ending(to, victim, done -> lacis.recv(to, in, round, done), () -> received.put(to, in)));
    ends.add(ending(to, victim, done -> lacis.send(to, out, round, done), () -> {}));
    ends.add(
        ending(
            to,
            victim,
            done -> lacis.put(memory(rank, round), regions[to], (long) rank * LONG, done),
            () ->
                ending(to, victim, done -> lacis.get(back, regions[to], (long) rank * LONG, done), () -> read.put(to, back))
                    .run()));
  }
  ends.forEach(Runnable::run);
  read.forEach((peer, data) -> verify("get back", peer, data, 0, memory(rank, round)));
  received.forEach((peer, data) -> verify("receive", peer, data, 1, memory(peer, round)));
  received.remove(lost ? victim : -1);
  return enough && received.values().stream().allMatch(data -> data.get(JAVA_BYTE, 0) == 1);
}

interface Poster {
  Post post(Completion done);
}

/** Posts something; answers what waits for its end, which is success, or the loss of the victim. */
Runnable ending(int peer, int victim, Poster poster, Runnable success) {
  var done = lacis.newSynchronizer();
  Post answer;
  try {
    var idle = lacis.newIdle();
    answer = poster.post(done);
    while (answer.isRetry()) {
      idle.after(lacis.progress());
      answer = poster.post(done);
    }
  } catch (CommunicationException e) {
    fails(peer, victim, e);
    return () -> {};
  }
  Post last = answer;
  return () -> {
    try {
      done.await(last);
    } catch (CommunicationException e) {
      fails(peer, victim, e);
      return;
    }
    success.run();
  };
}

void fails(int peer, int victim, CommunicationException e) {
  if (peer != victim || e.kind() != ErrorKind.PEER_GONE || e.rank() != victim) {
    throw e;
  }
  lost = true;
}

/** What a rank sends in a round. */
MemorySegment memory(int from, int round) {
  var memory = Arena.ofAuto().allocate(LONG);
  MemorySegment.copy(noise, ((from * 67 + round) * 0x9E3779B9) >>> 16, memory, 0, LONG);
  return memory;
}

void verify(String what, int peer, MemorySegment data, long from, MemorySegment expected) {
  long at = MemorySegment.mismatch(data, from, LONG, expected, from, LONG);
  if (at >= 0) {
    throw new IllegalStateException("%s, rank %d: byte %d is wrong".formatted(what, peer, from + at));
  }
}
