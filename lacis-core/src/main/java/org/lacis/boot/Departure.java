package org.lacis.boot;

import org.jspecify.annotations.Nullable;

/**
 * Whether this process, when it ends, does so in good order: with all its handles closed, and not
 * because its main thread has thrown. A shutdown hook cannot ask for the exit code.
 */
final class Departure {
  private int open;
  private boolean thrown;

  /** One handle more; answers how many are open. */
  synchronized int opened() {
    return ++open;
  }

  /** One handle less; answers how many are open. */
  synchronized int closed() {
    return --open;
  }

  /** From now on an exception that ends the main thread counts. It is reported as ever. */
  void watchMain() {
    Thread main = null;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("main")
          && (main == null || main.threadId() > thread.threadId())) {
        main = thread;
      }
    }
    if (main != null) {
      Thread.UncaughtExceptionHandler next = main.getUncaughtExceptionHandler();
      main.setUncaughtExceptionHandler(
          (thread, exception) -> {
            threw();
            next.uncaughtException(thread, exception);
          });
    }
  }

  private synchronized void threw() {
    thrown = true;
  }

  /** What is not in order now; null if all is. */
  synchronized @Nullable String disorder() {
    if (thrown) {
      return "its main thread has thrown an exception";
    }
    return open > 0 ? "it leaves with a runtime open" : null;
  }

  /** Whether a signal ends this process, asked in a shutdown hook: the JVM has a thread for it. */
  static boolean bySignal() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      String name = thread.getName();
      if (name.startsWith("SIG") && name.endsWith(" handler")) {
        return true;
      }
    }
    return false;
  }
}
