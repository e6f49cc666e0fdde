package org.lacis.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a launcher does for a process it has started, whatever protocol it speaks: one per process,
 * shared by all handles. Keys and values are printable ASCII without blanks, {@code =} and {@code
 * ;}.
 */
interface Launcher {
  int rank();

  int size();

  /** One phrase for people, such as "PMI-2 on descriptor 6". */
  String description();

  /**
   * Begins to take part: ranks that have begun are expected in fences. Called once, before what
   * follows.
   */
  void begin();

  /** The id of the job if our own launcher gave it one, together with a secret. */
  @Nullable String ownJob();

  /** The longest value, in characters. */
  int maxValue();

  void put(String key, String value);

  /**
   * What any rank has put before the last fence.
   *
   * @throws BootException if there is no such key
   */
  String get(String key);

  /**
   * Waits until all ranks are in a fence.
   *
   * @throws BootException past the deadline, a value of {@link System#nanoTime}; nothing works
   *     afterwards
   */
  void fence(Duration timeout, long deadline);

  /** As {@link Boot#requireAll}. */
  default void requireAll() {}

  /** Makes everything fail from now on, and answers an exception that says why. */
  BootException fail(String why);

  /** Tells the launcher to end the job, and ends this process. */
  void abort(int code);

  /** As {@link Boot#missed}. */
  default void missed(int rank, Duration detection, String why) {}

  /** Tells our own launcher how many handles this process has open. */
  default void handles(int open) {}

  /** The id that the ranks have agreed on: its files go if this process has to end. */
  void jobIs(String jobId);

  /**
   * Says that this process leaves in good order. A process that ends without has failed, and with
   * it the job.
   */
  void goodbye();

  /** The classes that the launcher has compiled. Only {@code lacis run} has any. */
  byte[] classes();

  /** Ends the connection: for tests, which have many in a process. */
  void close();
}
