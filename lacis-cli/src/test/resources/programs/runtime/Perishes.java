import java.lang.foreign.*;
import org.lacis.*;

/**
 * Rank 2 dies while the others wait for it: as they open the runtime ("open"), or make a device ("device"). In the latter case they
 * go on with each other.
 */
void main(String[] args) throws Exception {
  if (args[0].equals("open")) {
    try {
      if (System.getenv("PMI_RANK").equals("2")) {
        Thread.sleep(500);
        Runtime.getRuntime().halt(3);
      }
      Lacis.open().close();
    } catch (LacisException e) {
      tell(e.getMessage());
    }
    return;
  }
  try (var lacis = Lacis.open()) {
    lacis.barrier();
    if (lacis.rank() == 2) {
      Thread.sleep(500);
      Runtime.getRuntime().halt(3);
    }
    for (int i = 0; i < 2; i++) {
      try {
        lacis.newDevice();
      } catch (CommunicationException e) {
        tell(e.kind() + " " + e.rank() + ": " + e.getMessage());
      }
    }
    var heard = lacis.newSynchronizer();
    int peer = 1 - lacis.rank();
    lacis.recv(peer, MemorySegment.ofArray(new byte[8]), 0, heard);
    lacis.send().to(peer).buffer(MemorySegment.ofArray(new byte[8])).postBlocking(Completion.NONE);
    heard.await();
    tell("goes on with " + peer);
    Thread.sleep(2500); // longer than the launcher waits before it says that ranks wait in vain
  }
}

static void tell(String text) {
  IO.println("rank " + System.getenv("PMI_RANK") + ": " + text);
}
