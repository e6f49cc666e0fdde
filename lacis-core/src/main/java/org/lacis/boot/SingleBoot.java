package org.lacis.boot;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A job of one rank: a process that no launcher started. */
final class SingleBoot implements Boot {
  private final String jobId;
  private final byte[] secret = new byte[32];
  private final Map<String, String> put = new ConcurrentHashMap<>();
  private final Map<String, String> visible = new ConcurrentHashMap<>();

  SingleBoot() {
    SecureRandom random = new SecureRandom();
    byte[] id = new byte[16];
    random.nextBytes(id);
    random.nextBytes(secret);
    jobId = HexFormat.of().formatHex(id);
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public String jobId() {
    return jobId;
  }

  @Override
  public byte[] secret() {
    return secret.clone();
  }

  @Override
  public boolean onOneHost() {
    return true;
  }

  @Override
  public void put(String key, String value) {
    PmiValue.encode(value);
    put.put(PmiValue.key(key), value);
  }

  @Override
  public void fence(Duration timeout) {
    visible.putAll(put);
  }

  @Override
  public String get(String key) {
    String value = visible.get(PmiValue.key(key));
    if (value == null) {
      throw new BootException("no rank has put the key " + key + " before the last fence");
    }
    return value;
  }

  @Override
  public void abort(int code, String message) {
    System.err.println("lacis: aborts: " + message);
    ProcessEnd.exitNow(code);
  }

  @Override
  public void missed(int rank, Duration detection, String why) {}

  @Override
  public String description() {
    return "single process";
  }

  @Override
  public void close() {}
}
