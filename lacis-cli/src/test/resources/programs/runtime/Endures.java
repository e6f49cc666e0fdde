import java.io.*;
import java.lang.foreign.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
import org.lacis.*;
import org.lacis.collective.*;

/**
 * Something happens to the last rank, from outside, after all have said that they are ready. By then the others have one of everything
 * under way with it. They wait until each has ended, find that it is refused from then on, and go on among themselves. The argument
 * says what the last rank does meanwhile: "sleep", or "poll".
 */
static final int LONG = 300_000;

void main(String[] args) throws Exception {
  try (var lacis = Lacis.open()) {
    int victim = lacis.size() - 1;
    Set<Integer> lost = new ConcurrentSkipListSet<>();
    lacis.onPeerFailure(
        failure -> {
          lost.add(failure.rank());
          IO.println("missed %d %s %d".formatted(failure.rank(), failure.reason(), System.currentTimeMillis()));
        });
    var all = Collectives.of(lacis);
    var regions = all.exchange(lacis.register(memory(0), Rights.READ_WRITE));
    all.barrier();
    if (lacis.rank() == victim) {
      ready(lacis);
      stay(lacis, args[0]);
    }
    long sockets = sockets();
    Map<String, Runnable> ends = new LinkedHashMap<>();
    ends.put("receive", posted(lacis, done -> lacis.recv(victim, memory(0), 1, done)));
    ends.put("send", posted(lacis, done -> lacis.send(victim, memory(1), 2, done)));
    ends.put("put", posted(lacis, done -> lacis.put(memory(2), regions[victim], 0, done)));
    ends.put("get", posted(lacis, done -> lacis.get(memory(0), regions[victim], 0, done)));
    ends.put("atomic", posted(lacis, done -> lacis.atomic(AtomicOp.ADD, 1, regions[victim], 0, done)));
    var sum = all.newAllreduce(memory(3).asSlice(0, 64), Reduction.SUM_LONG);
    sum.start();
    ends.put("collective", sum::await);
    ready(lacis);
    ends.forEach((what, end) -> ends(lacis, what, victim, end));
    refused(victim, () -> lacis.send(victim, memory(0), 2, Completion.NONE));
    refused(victim, lacis::barrier);
    var idle = lacis.newIdle();
    while (lost.isEmpty()) {
      idle.after(lacis.progress());
    }
    goOn(lacis, victim);
    if (lost.size() > 1 || sockets() > sockets) {
      throw new IllegalStateException("lost " + lost + ", sockets " + sockets + ", then " + sockets());
    }
    IO.println("rank " + lacis.rank() + " goes on");
  }
}

/** Memory with a pattern. */
MemorySegment memory(int seed) {
  var memory = Arena.ofAuto().allocate(LONG, 8);
  for (int i = 0; i < LONG; i++) {
    memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + seed));
  }
  return memory;
}

interface Poster {
  Post post(Completion done);
}

/** Posts something; answers what waits for its end. */
Runnable posted(Lacis lacis, Poster poster) {
  var done = lacis.newSynchronizer();
  var idle = lacis.newIdle();
  Post answer = poster.post(done);
  while (answer.isRetry()) {
    idle.after(lacis.progress());
    answer = poster.post(done);
  }
  Post last = answer;
  return () -> done.await(last);
}

/** An operation completes, or fails with an error that names the victim. */
void ends(Lacis lacis, String what, int victim, Runnable end) {
  try {
    end.run();
    IO.println("rank " + lacis.rank() + ": " + what + " is complete");
  } catch (CommunicationException e) {
    check(e, victim);
  }
}

void refused(int victim, Runnable call) {
  try {
    call.run();
  } catch (CommunicationException e) {
    check(e, victim);
    return;
  }
  throw new IllegalStateException("not refused");
}

void check(CommunicationException e, int victim) {
  if (e.kind() != ErrorKind.PEER_GONE || e.rank() != victim || !e.getMessage().contains("rank " + victim)) {
    throw e;
  }
}

/** Those that are left exchange checked data. */
void goOn(Lacis lacis, int victim) {
  var team = Collectives.of(lacis, Group.of(IntStream.range(0, victim).toArray()));
  int next = (lacis.rank() + 1) % victim;
  int last = (lacis.rank() + victim - 1) % victim;
  for (int round = 0; round < 20; round++) {
    var buffer = Arena.ofAuto().allocate(LONG);
    var received = posted(lacis, done -> lacis.recv(last, buffer, 9, done));
    int seed = 100 * lacis.rank() + round;
    var sent = posted(lacis, done -> lacis.send(next, memory(seed), 9, done));
    received.run();
    sent.run();
    if (buffer.mismatch(memory(100 * last + round)) >= 0) {
      throw new IllegalStateException("wrong data from rank " + last);
    }
  }
  team.barrier();
}

void ready(Lacis lacis) {
  IO.println("ready " + lacis.rank() + " " + ProcessHandle.current().pid());
}

void stay(Lacis lacis, String how) throws InterruptedException {
  var idle = lacis.newIdle();
  while (how.equals("poll")) {
    idle.after(lacis.progress());
  }
  Thread.sleep(600_000);
}

long sockets() throws IOException {
  long count = 0;
  for (File file : new File("/proc/self/fd").listFiles()) {
    try {
      count += Files.readSymbolicLink(file.toPath()).toString().startsWith("socket:") ? 1 : 0;
    } catch (IOException e) {
      // closed meanwhile
    }
  }
  return count;
}
