import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.*;
import org.lacis.*;

/** Two runtimes in each process, opened in the same order, used at the same time by two threads; they do not know each other. */
void main() throws Exception {
  try (var first = Lacis.open();
      var second = Lacis.open(LacisOptions.defaults().withRingCells(64))) {
    var failure = new Throwable[2];
    Thread[] threads = {
      Thread.ofPlatform().start(() -> use(first, 70_000, failure, 0)), Thread.ofPlatform().start(() -> use(second, 90_000, failure, 1))
    };
    for (var thread : threads) {
      thread.join();
    }
    for (var one : failure) {
      if (one != null) {
        throw new AssertionError(one);
      }
    }
    keysOfOneMeanNothingToTheOther(first, second);
    first.barrier();
    second.barrier();
    first.close();
    second.barrier(); // the other one goes on
    IO.println("rank " + second.rank() + " had two runtimes");
    second.barrier();
  }
}

void use(Lacis lacis, int large, Throwable[] failure, int slot) {
  try {
    new Traffic(lacis, large).run(5, _ -> {});
  } catch (Throwable e) {
    failure[slot] = e;
  }
}

/** A region of one runtime is refused by the other, at the call or by the completion. */
void keysOfOneMeanNothingToTheOther(Lacis first, Lacis second) {
  var inbox = first.newCompletionQueue();
  var mail = first.register(inbox);
  int peer = (first.rank() + 1) % first.size();
  try (var region = first.allocate(64); var status = Status.create()) {
    first.am().to(peer).buffer(MemorySegment.ofArray(region.remote().toBytes())).target(mail).allowRetry(false).post(Completion.NONE);
    inbox.take(status);
    var remote = RemoteRegion.fromBytes(status.payload().toArray(JAVA_BYTE));
    var done = second.newSynchronizer();
    String answer;
    try {
      answer = second.put(Arena.ofAuto().allocate(8), remote, 0, done).toString();
      if (answer.equals("POSTED")) {
        done.await();
      }
    } catch (IllegalArgumentException | CommunicationException e) {
      answer = null;
    }
    if (answer != null) {
      throw new AssertionError("a region of another runtime was written to: " + answer);
    }
    first.barrier();
  }
}
