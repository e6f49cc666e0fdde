package org.lacis.boot;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * This process as its launcher sees it: one connection, opened once and kept until the process
 * ends, because PMI-1 has one session per process. Handles share it.
 *
 * <p>PMI-1 starts in two steps. <em>Connected</em>, the launcher knows the process, and each
 * notices when the other is gone; {@link RankMain} does that before the program begins.
 * <em>Initialized</em>, the process takes part in fences; the first handle does that. What is
 * initialized is finalized as the JVM shuts down.
 */
final class PmiSession {
  /**
   * The name of the key-value space of a job that {@code lacis run} has started, before the job's
   * id.
   */
  static final String OWN_KVS = "lacis_";

  /** The line by which our own launcher asks what the threads are doing, and a rank tells it. */
  static final String STACKS = "lacis_stacks";

  static final String SECRET_KEY = "lacis-secret";
  private static final String JOB_KEY = "lacis-job";
  private static final Duration FIRST_FENCE = Duration.ofMinutes(2);
  private static final Map<String, PmiSession> OF_PROCESS = new HashMap<>();

  private final PmiEnv env;
  private final PmiClient client;
  private final PmiFence fence;
  private volatile boolean initialized;
  private int handles;
  private String kvs = "";
  private int maxValue;
  private String jobId = "";
  private byte[] secret = new byte[0];
  private boolean own;

  private PmiSession(PmiEnv env, PmiClient client) {
    this.env = env;
    this.client = client;
    this.fence = new PmiFence(this, client);
  }

  /** The one session of this process with this launcher: connected now, if it is not yet. */
  static PmiSession ofProcess(PmiEnv env) {
    synchronized (OF_PROCESS) {
      // Not with +, whose first use takes longer than all the rest of this method.
      String name = env.host().concat(":").concat(Integer.toString(env.port())).concat(env.id());
      PmiSession session = OF_PROCESS.get(name);
      if (session == null) {
        session = connect(env, new ProcessEnd(), PmiClient.ANSWER);
        OF_PROCESS.put(name, session);
        session.finalizeAtExit();
      }
      return session;
    }
  }

  /** A session of its own, with an ending and a limit for answers of the caller's choice. */
  static PmiSession connect(PmiEnv env, Ending ending, Duration limit) {
    PmiClient client = PmiClient.connect(env, ending, limit);
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
    if (size != env.size() || rank != env.rank()) {
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
    client.watch();
    return new PmiSession(env, client);
  }

  PmiEnv env() {
    return env;
  }

  /**
   * The classes that the launcher has compiled for this job, as one block. Only {@code lacis run}
   * answers this.
   */
  byte[] classes() {
    return client.block(PmiLine.of("lacis_classes"), "classes");
  }

  synchronized Boot handle() {
    if (!initialized) {
      initialize();
      initialized = true;
    }
    return new Pmi1Boot(this, handles++);
  }

  private void initialize() {
    PmiLine answer =
        client.request(
            PmiLine.of("init").with("pmi_version", 1).with("pmi_subversion", 1),
            "response_to_init");
    if (answer.number("rc") != 0) {
      throw client.fail("the launcher does not speak PMI-1.1: " + answer);
    }
    maxValue = client.request(PmiLine.of("get_maxes"), "maxes").number("vallen_max") - 1;
    if (maxValue < 64) {
      throw client.fail("the launcher allows values of " + (maxValue + 1) + " bytes only");
    }
    maxValue = Math.min(maxValue, PmiLine.MAX_LENGTH / 2);
    client.request(PmiLine.of("get_appnum"), "appnum");
    kvs = client.request(PmiLine.of("get_my_kvsname"), "my_kvsname").field("kvsname");
    own = kvs.startsWith(OWN_KVS) && JobFiles.isJobId(kvs.substring(OWN_KVS.length()));
    if (own) {
      jobId = kvs.substring(OWN_KVS.length());
    } else {
      agreeOnSecret();
    }
    secret = HexFormat.of().parseHex(get(SECRET_KEY));
  }

  /** Another launcher gives a job no secret: rank 0 draws one. */
  private void agreeOnSecret() {
    if (env.rank() == 0) {
      SecureRandom random = new SecureRandom();
      byte[] bytes = new byte[48];
      random.nextBytes(bytes);
      put(JOB_KEY, HexFormat.of().formatHex(bytes, 0, 16));
      put(SECRET_KEY, HexFormat.of().formatHex(bytes, 16, 48));
    }
    fence(-1, FIRST_FENCE);
    jobId = get(JOB_KEY);
    if (!JobFiles.isJobId(jobId)) {
      throw client.fail("rank 0 has put a job id that is none: " + PmiLine.quoted(jobId));
    }
  }

  String jobId() {
    return jobId;
  }

  byte[] secret() {
    return secret.clone();
  }

  boolean own() {
    return own;
  }

  int maxValue() {
    return maxValue;
  }

  void put(String key, String value) {
    PmiLine answer =
        client.request(
            PmiLine.of("put").with("kvsname", kvs).with("key", key).with("value", value),
            "put_result");
    if (answer.number("rc") != 0) {
      throw new BootException("the launcher refused to put " + key + ": " + answer.find("msg"));
    }
  }

  String get(String key) {
    PmiLine answer =
        client.request(PmiLine.of("get").with("kvsname", kvs).with("key", key), "get_result");
    if (answer.number("rc") != 0) {
      throw new BootException(
          "no rank has put the key " + key + " before the last fence (" + answer.find("msg") + ")");
    }
    return answer.field("value");
  }

  /** A fence of the handle with this ordinal. */
  void fence(int ordinal, Duration timeout) {
    fence.pass(ordinal, timeout);
  }

  /**
   * Asks the launcher to end the job, gives it time to do so, and ends this process if it did not.
   */
  void abort(int code) {
    client.abort(code);
  }

  /**
   * Says goodbye, unless the program never began to take part. The connection stays: it tells if
   * the launcher dies.
   */
  void finish() {
    if (initialized && !fence.isBusy()) {
      client.goodbye(own);
    }
  }

  /** Closes the connection: for tests, which have many sessions in a process. */
  void close() {
    client.close();
  }

  private void finalizeAtExit() {
    Thread hook =
        new Thread("lacis-finalize") {
          @Override
          public void run() {
            finish();
          }
        };
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down already: too late to say goodbye in an orderly way.
    }
  }
}
