// A ring: every rank writes into the memory of the next one, which learns of it without asking.
//
//   lacis run -n 4 examples/PutWithSignal.java

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.*;
import org.lacis.*;

void main() {
  try (var lacis = Lacis.open();
      var memory = lacis.allocate(1024)) {
    int before = (lacis.rank() + lacis.size() - 1) % lacis.size();
    var addresses = lacis.newCompletionQueue();
    var toAddresses = lacis.register(addresses);
    var arrivals = lacis.newCompletionQueue();
    var toArrivals = lacis.register(arrivals);
    var status = Status.create();

    // The one before needs to know where to write: tell it.
    var address = MemorySegment.ofArray(memory.remote().toBytes());
    lacis.am().to(before).buffer(address).target(toAddresses).postBlocking(Completion.NONE);
    addresses.take(status);
    var target = RemoteRegion.fromBytes(status.payload().toArray(JAVA_BYTE));

    var value = Arena.ofAuto().allocate(JAVA_LONG);
    value.set(JAVA_LONG, 0, 100L * lacis.rank());
    var written = lacis.newSynchronizer();
    var put = lacis.put().buffer(value).remote(target, 64).tag(1).target(toArrivals);
    written.await(put.postBlocking(written));

    arrivals.take(status); // signalled after the data is there
    long found = memory.segment().get(JAVA_LONG, 64);
    IO.println("rank " + lacis.rank() + " finds " + found + " from rank " + status.rank());
    lacis.barrier();
  }
}
