package org.lacis;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Logs failures of operations with {@link Completion#NONE}. Of those that are alike, of one kind
 * and with one rank, only the first, tenth, hundredth and so on: a rank that dies may end a hundred
 * thousand operations at once.
 */
final class UnheardFailures {

  private record Alike(ErrorKind kind, int rank) {}

  private final System.Logger log;
  private final ConcurrentHashMap<Alike, Long> failures = new ConcurrentHashMap<>();

  UnheardFailures(System.Logger log) {
    this.log = log;
  }

  void log(CommunicationException error) {
    long n = failures.merge(new Alike(error.kind(), error.rank()), 1L, Long::sum);
    if (n == 1) {
      log.log(System.Logger.Level.WARNING, "an operation nobody waits for has failed", error);
    } else if (isPowerOfTen(n)) {
      log.log(
          System.Logger.Level.WARNING,
          n + " operations nobody waits for have failed like this: " + error.getMessage());
    }
  }

  private static boolean isPowerOfTen(long n) {
    long rest = n;
    while (rest % 10 == 0) {
      rest /= 10;
    }
    return rest == 1;
  }
}
