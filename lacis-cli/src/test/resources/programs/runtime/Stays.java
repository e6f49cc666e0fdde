import java.lang.foreign.*;
import org.lacis.*;

/**
 * Ranks that wait for what never comes, so that something can be done to them. Arguments: how the ranks wait, and perhaps another way for
 * the last one.
 */
void main(String[] args) throws Exception {
  try (var lacis = Lacis.open()) {
    lacis.barrier();
    IO.println(
        "ready " + lacis.rank() + " " + ProcessHandle.current().pid() + " job " + System.getenv("LACIS_JOB"));
    boolean last = lacis.rank() == lacis.size() - 1;
    stay(lacis, last && args.length > 1 ? args[1] : args[0]);
  }
}

void stay(Lacis lacis, String how) throws Exception {
  int peer = lacis.rank() == lacis.size() - 1 ? 0 : lacis.size() - 1;
  switch (how) {
    case "spin" -> {
      while (true) {
        lacis.progress();
      }
    }
    case "idle" -> {
      var idle = lacis.newIdle();
      while (true) {
        idle.after(lacis.progress());
      }
    }
    case "await" -> receive(lacis, peer);
    case "virtual" -> {
      var failure = new Throwable[1];
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  receive(lacis, peer);
                } catch (Throwable e) {
                  failure[0] = e;
                }
              })
          .join();
      throw new IllegalStateException("the virtual thread is back", failure[0]);
    }
    case "take" -> lacis.newCompletionQueue().take(Status.create());
    case "barrier" -> lacis.barrier();
    case "sleep" -> Thread.sleep(600_000);
    case "exit" -> {
      Thread.sleep(300); // the others wait by now
      System.exit(3);
    }
    default -> throw new IllegalArgumentException(how);
  }
}

void receive(Lacis lacis, int peer) {
  var done = lacis.newSynchronizer();
  lacis.recv(peer, Arena.ofAuto().allocate(8), 0, done);
  done.await();
}
