// Work is handed out by a counter that all ranks share: whoever is free takes the next piece, and
// nobody sits at the counter. (Over shm its owner need not even make progress: it is memory that
// all map. Over tcp and ofi its progress does it, in the barrier at the latest.)
//
//   lacis run -n 4 examples/Atomics.java

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;

static final int PIECES = 10_000;

void main() {
  try (var lacis = Lacis.open();
      var memory = lacis.allocate(16)) {
    var mail = lacis.newCompletionQueue();
    var toMail = lacis.register(mail);
    var status = Status.create();

    // Rank 0 has the counter, and the sum beside it: it tells everybody where.
    if (lacis.rank() == 0) {
      var address = MemorySegment.ofArray(memory.remote().toBytes());
      for (int peer = 0; peer < lacis.size(); peer++) {
        lacis.am().to(peer).buffer(address).target(toMail).postBlocking(Completion.NONE);
      }
    }
    mail.take(status);
    var shared = RemoteRegion.fromBytes(status.payload().toArray(JAVA_BYTE));

    var ticket = Arena.ofAuto().allocate(JAVA_LONG);
    var done = lacis.newSynchronizer();
    long sum = 0;
    while (true) {
      var next = lacis.atomic().apply(AtomicOp.ADD, 1).remote(shared, 0).fetched(ticket);
      done.await(next.postBlocking(done)); // nothing to wait for if it is done
      long piece = ticket.get(JAVA_LONG, 0);
      if (piece >= PIECES) {
        break;
      }
      sum += piece; // the work
    }
    var add = lacis.atomic().apply(AtomicOp.ADD, sum).remote(shared, 8);
    done.await(add.postBlocking(done));
    lacis.barrier();
    if (lacis.rank() == 0) {
      IO.println(PIECES + " pieces, sum " + memory.segment().get(JAVA_LONG, 8));
    }
  }
}
