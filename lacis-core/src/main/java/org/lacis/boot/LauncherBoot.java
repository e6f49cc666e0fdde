package org.lacis.boot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.lacis.settings.Settings;

/** A handle on the session of this process with its launcher. Its keys are its own. */
final class LauncherBoot implements Boot {
  private final LauncherSession session;
  private final Launcher launcher;
  private final int ordinal;
  private final String prefix;
  private final AtomicBoolean closed = new AtomicBoolean();

  LauncherBoot(LauncherSession session, int ordinal) {
    this.session = session;
    this.launcher = session.launcher();
    this.ordinal = ordinal;
    this.prefix = ordinal + "/";
  }

  @Override
  public int rank() {
    return launcher.rank();
  }

  @Override
  public int size() {
    return launcher.size();
  }

  @Override
  public String jobId() {
    return session.jobId();
  }

  @Override
  public byte[] secret() {
    return session.secret();
  }

  /** Our own launcher tells the ranks the names of their hosts if there are several. */
  @Override
  public boolean onOneHost() {
    return launcher.ownJob() != null && Settings.HOST.value().isEmpty();
  }

  @Override
  public void put(String key, String value) {
    check();
    String name = prefix + PmiValue.key(key);
    String encoded = PmiValue.encode(value);
    if (encoded.length() <= launcher.maxValue()) {
      launcher.put(name, encoded);
      return;
    }
    List<String> pieces = PmiValue.pieces(encoded, launcher.maxValue());
    for (int i = 0; i < pieces.size(); i++) {
      launcher.put(PmiValue.pieceKey(name, i), pieces.get(i));
    }
    launcher.put(name, PmiValue.pieceCount(pieces.size()));
  }

  @Override
  public void fence(Duration timeout) {
    check();
    session.fence(ordinal, timeout);
  }

  @Override
  public void requireAll() {
    launcher.requireAll();
  }

  @Override
  public String get(String key) {
    check();
    String name = prefix + PmiValue.key(key);
    String value = launcher.get(name);
    int pieces = PmiValue.pieceCount(name, value);
    if (pieces == 0) {
      return PmiValue.decode(key, value);
    }
    StringBuilder whole = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      whole.append(launcher.get(PmiValue.pieceKey(name, i)));
    }
    return PmiValue.decode(key, whole.toString());
  }

  @Override
  public void abort(int code, String message) {
    System.err.println("lacis: rank " + rank() + " aborts the job: " + message);
    launcher.abort(code);
  }

  @Override
  public void missed(int rank, Duration detection, String why) {
    launcher.missed(rank, detection, why);
  }

  @Override
  public String description() {
    return launcher.description();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      session.left();
    }
  }

  private void check() {
    if (closed.get()) {
      throw new IllegalStateException("this Boot is closed");
    }
  }
}
