import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.*;
import org.lacis.*;

/**
 * Rank 1 closes its runtime while the others have operations with it under way and post new ones: all of them say that rank 1 is gone.
 * A second runtime, still open, keeps the process there until all have seen it.
 */
void main() {
  try (var lacis = Lacis.open(); var other = Lacis.open()) {
    var inbox = lacis.newCompletionQueue();
    var mail = lacis.register(inbox);
    var status = Status.create();
    if (lacis.rank() == 1) {
      var region = lacis.allocate(4096);
      for (int peer = 0; peer < lacis.size(); peer++) {
        var bytes = MemorySegment.ofArray(region.remote().toBytes());
        lacis.am().to(peer).buffer(bytes).target(mail).allowRetry(false).post(Completion.NONE);
      }
    }
    inbox.take(status);
    var remote = RemoteRegion.fromBytes(status.payload().toArray(JAVA_BYTE));
    lacis.barrier();
    if (lacis.rank() == 1) {
      lacis.close();
    } else {
      underWay(lacis);
      refused(lacis, remote, mail);
      gone("barrier", lacis::barrier);
      gone("the next barrier", lacis::barrier);
      others(lacis);
      IO.println("rank " + lacis.rank() + " misses rank 1 and nobody else");
    }
    other.barrier();
  }
}

/** A receive, and a send that waits for a receive there. */
void underWay(Lacis lacis) {
  var received = lacis.newSynchronizer();
  gone(
      "receive",
      () -> {
        lacis.recv(1, Arena.ofAuto().allocate(8), 3, received);
        received.await();
      });
  var sent = lacis.newSynchronizer();
  var large = Arena.ofAuto().allocate(1 << 20);
  gone(
      "send",
      () -> {
        lacis.send().to(1).buffer(large).tag(4).allowRetry(false).post(sent);
        sent.await();
      });
}

/** Once it is known to be gone, posts are refused at the call. */
void refused(Lacis lacis, RemoteRegion remote, RemoteCompletion mail) {
  var small = Arena.ofAuto().allocate(8);
  var done = lacis.newSynchronizer();
  gone("send", () -> lacis.send(1, small, 0, done));
  gone("am", () -> lacis.am(1, small, 0, mail, done));
  gone("long am", () -> lacis.am(1, Arena.ofAuto().allocate(100_000), 0, mail, done));
  gone("receive", () -> lacis.recv(1, small, 0, done));
  gone("put", () -> lacis.put(small, remote, 0, done));
  gone("get", () -> lacis.get(small, remote, 0, done));
  gone("atomic", () -> lacis.atomic(AtomicOp.ADD, 1, remote, 0, done));
  gone("put with signal", () -> lacis.put(small, remote, 0, 0, mail, done));
  gone("backlog", () -> lacis.send().to(1).buffer(small).allowRetry(false).post(done));
}

void gone(String what, Runnable operation) {
  try {
    operation.run();
  } catch (CommunicationException e) {
    expect(e.kind() == ErrorKind.PEER_GONE && e.rank() == 1 && e.getMessage().contains("rank 1 "), what, e);
    return;
  }
  throw new AssertionError(what + " has succeeded though rank 1 is gone");
}

/** The others still talk with each other. */
void others(Lacis lacis) {
  var done = lacis.newCounter();
  int n = 0;
  for (int peer = 0; peer < lacis.size(); peer++) {
    if (peer != 1) {
      lacis.recv().from(peer).buffer(Arena.ofAuto().allocate(50_000)).tag(9).allowRetry(false).post(done);
      lacis.send().to(peer).buffer(Arena.ofAuto().allocate(50_000)).tag(9).allowDone(false).allowRetry(false).post(done);
      n += 2;
    }
  }
  done.await(n);
  if (done.failures() > 0) {
    throw new AssertionError(done.failures() + " operations between ranks that are there have failed");
  }
}

void expect(boolean holds, String what, CommunicationException e) {
  if (!holds) {
    throw new AssertionError(what + ": unexpected " + e.kind() + " of rank " + e.rank(), e);
  }
}
