package org.lacis.boot;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * This process as its launcher sees it: one connection, opened once and kept until the process
 * ends, because launchers know one session per process. Handles share it.
 *
 * <p>It starts in two steps. <em>Connected</em>, the launcher knows the process, and each notices
 * when the other is gone; {@link RankMain} does that before the program begins. <em>Begun</em>, the
 * process takes part in fences; the first handle does that. What has begun says goodbye as the JVM
 * shuts down.
 */
final class LauncherSession {
  /** How long to wait for the other ranks if nothing else is said. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  static final String SECRET_KEY = "lacis-secret";
  private static final String JOB_KEY = "lacis-job";
  private static @Nullable LauncherSession ofProcess;

  private final Launcher launcher;
  private final SessionFence fence;
  private final Departure departure = new Departure();
  private volatile boolean begun;
  private int handles;
  private String jobId = "";
  private byte[] secret = new byte[0];

  LauncherSession(Launcher launcher) {
    this.launcher = launcher;
    this.fence = new SessionFence(launcher);
  }

  /** The one session of this process; null if it has no launcher. Connected now, if not yet. */
  static synchronized @Nullable LauncherSession ofProcess(Map<String, String> env) {
    if (ofProcess == null) {
      Launcher launcher = Launchers.connect(env);
      if (launcher != null) {
        ofProcess = new LauncherSession(launcher);
        ofProcess.finishAtExit();
      }
    }
    return ofProcess;
  }

  Launcher launcher() {
    return launcher;
  }

  Boot handle() {
    return handle(PATIENCE);
  }

  synchronized Boot handle(Duration timeout) {
    if (!begun) {
      begin(timeout);
      begun = true;
    }
    launcher.handles(departure.opened());
    return new LauncherBoot(this, handles++);
  }

  private void begin(Duration timeout) {
    launcher.begin();
    String own = launcher.ownJob();
    JobFiles.removeOld();
    if (own == null) {
      departure.watchMain();
      agreeOnSecret(timeout);
    } else {
      jobId = own;
    }
    try {
      secret = HexFormat.of().parseHex(launcher.get(SECRET_KEY));
    } catch (IllegalArgumentException e) {
      throw launcher.fail("what it tells as the secret of the job is not hexadecimal");
    }
  }

  /** Another launcher gives a job no secret: rank 0 draws one. */
  private void agreeOnSecret(Duration timeout) {
    if (launcher.rank() == 0) {
      SecureRandom random = new SecureRandom();
      byte[] bytes = new byte[48];
      random.nextBytes(bytes);
      launcher.put(JOB_KEY, HexFormat.of().formatHex(bytes, 0, 16));
      launcher.put(SECRET_KEY, HexFormat.of().formatHex(bytes, 16, 48));
    }
    fence(-1, timeout);
    jobId = launcher.get(JOB_KEY);
    if (!JobFiles.isJobId(jobId)) {
      throw launcher.fail("rank 0 has put a job id that is none: " + PmiLine.quoted(jobId));
    }
    launcher.jobIs(jobId);
  }

  String jobId() {
    return jobId;
  }

  byte[] secret() {
    return secret.clone();
  }

  /** A fence of the handle with this ordinal. */
  void fence(int ordinal, Duration timeout) {
    fence.pass(ordinal, timeout);
  }

  /** A handle is closed. */
  synchronized void left() {
    launcher.handles(departure.closed());
  }

  /**
   * Says goodbye, unless the program never began to take part, or fails: launchers other than ours
   * end a job only if one of its processes ends without, and do not always say why.
   */
  void finish() {
    String disorder = launcher.ownJob() == null ? departure.disorder() : null;
    if (disorder != null) {
      if (PeerLoss.noticed()) {
        PeerLoss.giveWay(); // the other one is to be blamed, and ended with
      } else if (!Departure.bySignal()) {
        System.err.println("lacis: rank " + launcher.rank() + " ends the job: " + disorder);
      }
    } else if (begun && !fence.isBusy()) {
      launcher.goodbye();
    }
  }

  /** Ends the connection: for tests. */
  void close() {
    launcher.close();
  }

  private void finishAtExit() {
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
