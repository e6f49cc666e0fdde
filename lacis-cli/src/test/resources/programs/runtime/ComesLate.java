import java.lang.foreign.*;
import org.lacis.*;

/** Rank 1 makes its second device after a time in which others would miss it there. */
void main(String[] args) throws Exception {
  try (var lacis = Lacis.open()) {
    lacis.barrier();
    if (lacis.rank() == 1) {
      Thread.sleep(Long.parseLong(args[0]));
    }
    var device = lacis.newDevice();
    var heard = lacis.newSynchronizer();
    int peer = 1 - lacis.rank();
    device.recv().from(peer).buffer(MemorySegment.ofArray(new byte[8])).postBlocking(heard);
    device.send().to(peer).buffer(MemorySegment.ofArray(new byte[8])).postBlocking(Completion.NONE);
    heard.await();
    IO.println("rank " + lacis.rank() + " has heard of the other");
    lacis.barrier();
  }
}
