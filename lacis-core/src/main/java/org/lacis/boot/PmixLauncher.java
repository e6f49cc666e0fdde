package org.lacis.boot;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A launcher that is asked through libpmix: mpirun of Open MPI, srun --mpi=pmix, prterun.
 *
 * <p>PMIx keeps the keys of each process apart. So each rank puts all it has to say as one value
 * per fence, and reads those of all others when the fence is over.
 */
final class PmixLauncher implements Launcher {
  static final String NAMESPACE = "PMIX_NAMESPACE";
  private static final String RANK = "PMIX_RANK";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Pmix pmix;
  private final Ending ending;
  private final int rank;
  private final StringBuilder pending = new StringBuilder();
  private final Map<String, String> values = new ConcurrentHashMap<>();
  private int size;
  private int fences;
  private boolean connected;
  private volatile boolean watching;
  private volatile String job = "";
  private volatile @Nullable String failure;

  private PmixLauncher(Pmix pmix, Ending ending, int rank) {
    this.pmix = pmix;
    this.ending = ending;
    this.rank = rank;
  }

  /** The launcher that the environment names. */
  static PmixLauncher of(Map<String, String> env, Ending ending) {
    String namespace = env.get(NAMESPACE);
    String rank = env.get(RANK);
    if (namespace == null || rank == null) {
      throw new BootException(
          "the environment has "
              + (namespace == null ? "no " : "")
              + NAMESPACE
              + " and "
              + (rank == null ? "no " : "")
              + RANK
              + ": a launcher with PMIx sets both");
    }
    int number = PmiEnv.number(RANK, rank, 0, PmiEnv.MAX_SIZE - 1);
    try {
      return new PmixLauncher(Pmix.load(), ending, number);
    } catch (BootException e) {
      throw new BootException(
          "a launcher with PMIx has started this process ("
              + NAMESPACE
              + "="
              + namespace
              + "), but "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public void begin() {
    check();
    if (connected) {
      return;
    }
    try {
      pmix.init();
      connected = true;
      watching = true;
      pmix.onLoss(this::lost);
      size = pmix.jobSize();
    } catch (BootException e) {
      throw fail(
          "the PMIx server of the launcher ("
              + NAMESPACE
              + ") cannot be talked to: "
              + e.getMessage()
              + "; is this the child of a rank? Then set LACIS_LAUNCHER=none for it");
    }
    if (rank >= size) {
      throw fail("the launcher says " + size + " ranks, the environment says " + RANK + "=" + rank);
    }
  }

  /** On a thread of the library, which must not wait for us. */
  private void lost() {
    if (watching) {
      watching = false;
      String why = "the connection to the launcher was lost";
      fail(why);
      start("lacis-launcher", () -> ending.launcherLost(rank, job, why));
    }
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public String description() {
    return "PMIx, " + pmix.version();
  }

  @Override
  public @Nullable String ownJob() {
    return null;
  }

  /** Whatever a value of the user's becomes when it is encoded. */
  @Override
  public int maxValue() {
    return 2 * Boot.MAX_VALUE;
  }

  @Override
  public void put(String key, String value) {
    check();
    synchronized (pending) {
      pending.append(key).append(' ').append(value).append('\n');
    }
  }

  @Override
  public String get(String key) {
    check();
    String value = values.get(key);
    if (value == null) {
      throw new BootException("no rank has put the key " + key + " before the last fence");
    }
    return value;
  }

  @Override
  public void fence(Duration timeout, long deadline) {
    check();
    String all;
    synchronized (pending) {
      all = pending.toString();
      pending.setLength(0);
    }
    String key = "lacis-" + fences++;
    pmix.put(key, all);
    if (!within(deadline - System.nanoTime(), pmix::fence)) {
      throw fail("rank " + rank + " waited " + timeout.toMillis() + " ms in a fence");
    }
    for (int other = 0; other < size; other++) {
      for (String line : pmix.get(other, key).lines().toList()) {
        int blank = line.indexOf(' ');
        values.put(line.substring(0, blank), line.substring(blank + 1));
      }
    }
  }

  /** Calls what may wait forever, on a thread of its own; false if it does not end in time. */
  private boolean within(long nanos, Runnable call) {
    CountDownLatch over = new CountDownLatch(1);
    BootException[] thrown = new BootException[1];
    start(
        "lacis-pmix",
        () -> {
          try {
            call.run();
          } catch (BootException e) {
            thrown[0] = e;
          } finally {
            over.countDown();
          }
        });
    try {
      if (!over.await(nanos, TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw fail("rank " + rank + " was interrupted while it waited for its launcher");
    }
    if (thrown[0] != null) {
      throw fail(String.valueOf(thrown[0].getMessage()));
    }
    return true;
  }

  private static void start(String name, Runnable call) {
    Thread.ofPlatform().name(name).daemon().start(call);
  }

  private void check() {
    if (failure != null) {
      throw new BootException("rank " + rank + " cannot talk to its launcher: " + failure);
    }
  }

  @Override
  public BootException fail(String why) {
    if (failure == null) {
      failure = why;
    }
    return new BootException(why);
  }

  @Override
  public void abort(int code) {
    watching = false;
    within(PATIENCE_NANOS, () -> pmix.abort(code, "rank " + rank + " aborts the job"));
    ending.exit(code);
  }

  @Override
  public void jobIs(String jobId) {
    job = jobId;
  }

  @Override
  public void goodbye() {
    watching = false;
    within(PATIENCE_NANOS, pmix::end);
  }

  @Override
  public byte[] classes() {
    throw new BootException("only lacis run sends the classes of a program");
  }

  @Override
  public void close() {
    goodbye();
  }
}
