package org.lacis.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A launcher that speaks PMI-1 or PMI-2: our own (PMI-1), Hydra and Slurm. Which of the two is
 * spoken is agreed on as the process begins to take part.
 */
final class PmiLauncher implements Launcher {
  /**
   * The name of the key-value space of a job that {@code lacis run} has started, before the job's
   * id.
   */
  static final String OWN_KVS = "lacis_";

  /** The line by which our own launcher asks what the threads are doing, and a rank tells it. */
  static final String STACKS = "lacis_stacks";

  /** The line by which a rank tells our own launcher that it takes another one for dead. */
  static final String MISSED = "lacis_missed";

  /** The line by which a rank tells our own launcher how many handles it has open. */
  static final String OPEN = "lacis_open";

  /** The line by which our own launcher tells that a rank has failed, and that the job goes on. */
  static final String LOST = "lacis_lost";

  /** PMI-2 does not tell its limit, which is 1024 with all that speak it. */
  private static final int PMI2_MAX_VALUE = 1000;

  private static final String NOBODYS_KEY = "lacis-nobody";
  private static final long LEAST_NANOS = 100_000_000;

  private final PmiEnv env;
  private final PmiClient client;
  private final int size;
  private final boolean offersTwo;
  private PmiVersion version = PmiVersion.ONE;
  private String job = "";
  private int maxValue;
  private @Nullable String ownJob;

  private PmiLauncher(PmiEnv env, int size, PmiClient client, boolean offersTwo) {
    this.env = env;
    this.size = size;
    this.client = client;
    this.offersTwo = offersTwo;
  }

  /**
   * Connects to the launcher.
   *
   * @param newest the newest version to ask for
   * @param ending how this process ends if the launcher is gone
   * @param limit how long it may take to answer
   */
  static PmiLauncher connect(PmiEnv env, PmiVersion newest, Ending ending, Duration limit) {
    PmiClient client = PmiClient.connect(env, ending, limit);
    int size = env.fd() < 0 ? introduce(env, client) : env.size();
    client.watch();
    return new PmiLauncher(env, size, client, newest == PmiVersion.TWO);
  }

  /**
   * Who connects to a port has to say who it is, and is told of how many; a descriptor was made for
   * this process.
   */
  private static int introduce(PmiEnv env, PmiClient client) {
    client.write(PmiLine.of("initack").with("pmiid", env.id()));
    try {
      client.next("initack");
    } catch (BootException e) {
      throw new BootException(
          "the launcher at "
              + env.address()
              + " does not accept this process as rank "
              + env.rank()
              + ": is it the child of a rank? Then remove PMI_PORT from its environment. ("
              + e.getMessage()
              + ")",
          e);
    }
    int size = client.next("set").number("size");
    int rank = client.next("set").number("rank");
    client.next("set"); // debug, of no use here
    checkPlace(env, client, rank, size);
    return size;
  }

  private static void checkPlace(PmiEnv env, PmiClient client, int rank, int size) {
    if (size < 1 || (env.size() != 0 && size != env.size()) || rank != env.rank()) {
      throw client.fail(
          "the launcher says rank "
              + rank
              + " of "
              + size
              + ", the environment says "
              + env.rank()
              + " of "
              + env.size());
    }
  }

  @Override
  public void begin() {
    if (offersTwo && init(2, 0)) {
      version = PmiVersion.TWO;
      beginTwo();
    } else if (init(1, 1)) {
      beginOne();
    } else {
      throw client.fail("the launcher speaks neither PMI-1.1 nor PMI-2.0");
    }
  }

  private boolean init(int major, int minor) {
    PmiLine answer =
        client.request(
            PmiLine.of("init").with("pmi_version", major).with("pmi_subversion", minor),
            "response_to_init");
    return answer.number("rc") == 0 && answer.number("pmi_version") == major;
  }

  private void beginOne() {
    maxValue = client.request(PmiLine.of("get_maxes"), "maxes").number("vallen_max") - 1;
    if (maxValue < 64) {
      throw client.fail("the launcher allows values of " + (maxValue + 1) + " bytes only");
    }
    maxValue = Math.min(maxValue, PmiLine.MAX_LENGTH / 2);
    client.request(PmiLine.of("get_appnum"), "appnum");
    job = client.request(PmiLine.of("get_my_kvsname"), "my_kvsname").field("kvsname");
    if (job.startsWith(OWN_KVS) && JobFiles.isJobId(job.substring(OWN_KVS.length()))) {
      ownJob = job.substring(OWN_KVS.length());
    }
  }

  private void beginTwo() {
    PmiLine answer =
        client.request(
            PmiLine.of("fullinit")
                .with("pmijobid", env.launcherJob())
                .with("pmirank", env.rank())
                .with("threaded", "TRUE"),
            "fullinit-response");
    if (answer.number("rc") != 0) {
      throw client.fail("the launcher refuses to begin with PMI-2: " + answer);
    }
    checkPlace(env, client, answer.number("rank"), answer.number("size"));
    job = client.request(PmiLine.of("job-getid"), "job-getid-response").field("jobid");
    maxValue = PMI2_MAX_VALUE;
  }

  @Override
  public int rank() {
    return env.rank();
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public String description() {
    return ownJob != null
        ? "lacis launcher, PMI-1"
        : (version == PmiVersion.ONE ? "PMI-1 " : "PMI-2 ") + env.way();
  }

  @Override
  public @Nullable String ownJob() {
    return ownJob;
  }

  @Override
  public int maxValue() {
    return maxValue;
  }

  @Override
  public void put(String key, String value) {
    PmiLine answer = client.request(version.put(job, key, value), version.putAnswer);
    if (answer.number("rc") != 0) {
      throw new BootException("the launcher refused to put " + key + ": " + answer.find("msg"));
    }
  }

  @Override
  public String get(String key) {
    PmiLine answer = client.request(version.get(job, key), version.getAnswer);
    String value = version.found(answer);
    if (value == null) {
      throw new BootException(
          "no rank has put the key " + key + " before the last fence (" + answer.find("msg") + ")");
    }
    return value;
  }

  @Override
  public void missed(int rank, Duration detection, String why) {
    if (ownJob != null) {
      client.tell(
          PmiLine.of(MISSED)
              .with("rank", rank)
              .with("millis", (int) Math.min(Integer.MAX_VALUE, detection.toMillis()))
              .with("why", PmiValue.encode(why)));
    }
  }

  @Override
  public void handles(int open) {
    if (ownJob != null) {
      client.tell(PmiLine.of(OPEN).with("count", open));
    }
  }

  @Override
  public void fence(Duration timeout, long deadline) {
    client.write(version.fence());
    boolean over = client.awaitFence(deadline - System.nanoTime());
    if (over && version == PmiVersion.TWO) {
      over = awaitAll(deadline);
    }
    if (!over) {
      String missing =
          ownJob != null
              ? client.request(PmiLine.of("lacis_missing"), "missing").find("ranks")
              : null;
      if (ownJob == null || !client.awaitFence(0)) {
        throw late(timeout, missing);
      }
    }
  }

  @Override
  public void requireAll() {
    client.requireAll();
  }

  /**
   * Hydra ends a fence of PMI-2 for each rank as it comes, and has a get wait instead: if there is
   * no such key, until all ranks have come.
   */
  private boolean awaitAll(long deadline) {
    long nanos = Math.max(LEAST_NANOS, deadline - System.nanoTime());
    return client.request(version.get(job, NOBODYS_KEY), version.getAnswer, nanos) != null;
  }

  private BootException late(Duration timeout, @Nullable String missing) {
    return client.fail(
        "rank "
            + env.rank()
            + " waited "
            + timeout.toMillis()
            + " ms in a fence"
            + (missing == null || missing.isEmpty()
                ? ""
                : " for ranks that have not come: " + missing));
  }

  @Override
  public BootException fail(String why) {
    return client.fail(why);
  }

  @Override
  public void abort(int code) {
    client.abort(version.abort(code), code);
  }

  @Override
  public void jobIs(String jobId) {
    client.jobIs(jobId);
  }

  /** The connection to our own launcher stays: it tells if the launcher dies. */
  @Override
  public void goodbye() {
    client.goodbye(ownJob != null);
  }

  @Override
  public byte[] classes() {
    return client.block(PmiLine.of("lacis_classes"), "classes");
  }

  @Override
  public void close() {
    client.close();
  }
}
