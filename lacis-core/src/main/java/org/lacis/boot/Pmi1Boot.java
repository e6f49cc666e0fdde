package org.lacis.boot;

import java.time.Duration;
import java.util.List;

/**
 * A handle on the session of this process with a launcher that speaks PMI-1. Its keys are its own.
 */
final class Pmi1Boot implements Boot {
  private final PmiSession session;
  private final int ordinal;
  private final String prefix;
  private volatile boolean closed;

  Pmi1Boot(PmiSession session, int ordinal) {
    this.session = session;
    this.ordinal = ordinal;
    this.prefix = ordinal + "/";
  }

  @Override
  public int rank() {
    return session.env().rank();
  }

  @Override
  public int size() {
    return session.env().size();
  }

  @Override
  public String jobId() {
    return session.jobId();
  }

  @Override
  public byte[] secret() {
    return session.secret();
  }

  @Override
  public void put(String key, String value) {
    check();
    String name = prefix + PmiValue.key(key);
    String encoded = PmiValue.encode(value);
    if (encoded.length() <= session.maxValue()) {
      session.put(name, encoded);
      return;
    }
    List<String> pieces = PmiValue.pieces(encoded, session.maxValue());
    for (int i = 0; i < pieces.size(); i++) {
      session.put(PmiValue.pieceKey(name, i), pieces.get(i));
    }
    session.put(name, PmiValue.pieceCount(pieces.size()));
  }

  @Override
  public void fence(Duration timeout) {
    check();
    session.fence(ordinal, timeout);
  }

  @Override
  public String get(String key) {
    check();
    String name = prefix + PmiValue.key(key);
    String value = session.get(name);
    int pieces = PmiValue.pieceCount(name, value);
    if (pieces == 0) {
      return PmiValue.decode(key, value);
    }
    StringBuilder whole = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      whole.append(session.get(PmiValue.pieceKey(name, i)));
    }
    return PmiValue.decode(key, whole.toString());
  }

  @Override
  public void abort(int code, String message) {
    System.err.println("lacis: rank " + rank() + " aborts the job: " + message);
    session.abort(code);
  }

  @Override
  public String description() {
    return session.own() ? "lacis launcher, PMI-1" : "PMI-1 at " + session.env().address();
  }

  @Override
  public void close() {
    closed = true;
  }

  private void check() {
    if (closed) {
      throw new IllegalStateException("this Boot is closed");
    }
  }
}
