package org.lacis.boot;

import java.time.Duration;
import java.util.Map;

/**
 * Who am I, and a way to exchange small values with the other ranks of the job before there is a
 * network.
 *
 * <p>Every {@link #find} gives a handle of its own: one for each runtime opened. The handles of a
 * process share one connection to the launcher, but never see each other's keys: the first handle
 * of a rank belongs with the first of every other rank, the second with the second, and so on. So
 * all ranks must find (and fence) in the same order. A fence that meets the fence of another handle
 * is noticed and throws, on at least one rank.
 *
 * <p>Handles are safe for use by several threads. Every wait has a limit.
 */
public interface Boot extends AutoCloseable {
  /** The longest key, in characters. */
  int MAX_KEY = 40;

  /** The longest value, in bytes of UTF-8. */
  int MAX_VALUE = 1 << 20;

  /** The number of this process in its job, from 0. */
  int rank();

  /** The number of processes in the job. */
  int size();

  /**
   * An id of the job that nobody outside can guess: 32 hexadecimal digits, the same on all ranks,
   * safe in file names. The launcher removes files named {@code lacis-<id>...} in the folders for
   * shared memory and temporary files.
   */
  String jobId();

  /** A secret of 32 bytes, the same on all ranks; the caller gets a copy. */
  byte[] secret();

  /**
   * Gives a value to the other ranks, who see it after the next fence. Values are any text of up to
   * {@value #MAX_VALUE} bytes; keys are 1 to {@value #MAX_KEY} letters, digits and characters of
   * {@code ._-}.
   */
  void put(String key, String value);

  /**
   * Waits until all ranks have called this; after it, all values put before it are visible.
   *
   * @throws BootException if that takes longer than the timeout; the message names the ranks that
   *     are missing where the launcher knows them. The job's ranks can then no longer meet, and
   *     later fences fail at once. So they do, and this one, as soon as the launcher tells that a
   *     rank has failed
   */
  void fence(Duration timeout);

  /**
   * Throws a {@link BootException} if the launcher has told that a rank has failed: no fence can be
   * passed any more. Does not wait.
   */
  default void requireAll() {}

  /**
   * The value any rank has put under this key before the last fence.
   *
   * @throws BootException if there is none
   */
  String get(String key);

  /**
   * Ends the whole job with this exit code, after writing the message to standard error. Does not
   * return.
   */
  void abort(int code, String message);

  /**
   * Tells the launcher, if that is {@code lacis run}, that this rank takes another one for dead: it
   * ends the one that is to blame, or the job. Does not wait for an answer.
   *
   * @param rank the other one
   * @param detection how long it would take that one to miss this one, if both are cut off
   * @param why what is known of it, for people to read
   */
  void missed(int rank, Duration detection, String why);

  /** Whether it is known that all ranks are on one host; if not, they may be or not. */
  boolean onOneHost();

  /** One phrase for logs and {@code lacis info}, such as "lacis launcher, PMI-1". */
  String description();

  /**
   * Gives up this handle. The connection to the launcher stays until the process ends. Idempotent.
   */
  @Override
  void close();

  /**
   * Finds the launcher that started this process and connects to it, or answers a job of one rank
   * if there is none.
   *
   * @param env the environment of the process
   * @throws BootException if there is a launcher but it cannot be reached or does not speak its
   *     protocol
   */
  static Boot find(Map<String, String> env) {
    return find(env, LauncherSession.PATIENCE);
  }

  /**
   * The same, with a limit for the one thing that waits for the other ranks: with a launcher other
   * than {@code lacis run} they first have to agree on a secret.
   */
  static Boot find(Map<String, String> env, Duration timeout) {
    LauncherSession session = LauncherSession.ofProcess(env);
    return session == null ? new SingleBoot() : session.handle(timeout);
  }
}
