import java.util.concurrent.CountDownLatch;
import org.lacis.Lacis;

/** Rank 0 waits for nothing, in three workers too; the others wait for rank 0. */
void main() throws Exception {
  try (Lacis lacis = Lacis.open()) {
    IO.println("ready " + lacis.rank() + " " + ProcessHandle.current().pid());
    if (lacis.rank() == 0) {
      for (int i = 0; i < 3; i++) {
        Thread.ofPlatform().daemon().name("worker-" + i).start(() -> forever());
      }
      forever();
    }
    lacis.barrier();
  }
}

static void forever() {
  try {
    new CountDownLatch(1).await();
  } catch (InterruptedException e) {
    throw new IllegalStateException(e);
  }
}
