package org.lacis.boot;

/** Ends this JVM: in good order if that works within two seconds, else at once. */
final class ProcessEnd implements Ending {
  /** The exit code of a rank whose launcher is gone. */
  static final int LAUNCHER_LOST = 70;

  private static final long GRACE_MILLIS = 2000;

  @Override
  public void launcherLost(int rank, String job, String why) {
    Thread cleaner =
        new Thread("lacis-last-will") {
          @Override
          public void run() {
            System.err.println(
                "lacis: rank " + rank + " ends with code " + LAUNCHER_LOST + ": " + why);
            JobProcesses.kill(job, rank);
            JobFiles.remove(job);
            System.exit(LAUNCHER_LOST);
          }
        };
    run(cleaner);
    JobFiles.remove(job);
    Runtime.getRuntime().halt(LAUNCHER_LOST);
  }

  @Override
  public void exit(int code) {
    exitNow(code);
  }

  /** Runs shutdown hooks for a limited time, then ends the process. Does not return. */
  static void exitNow(int code) {
    run(
        new Thread("lacis-exit") {
          @Override
          public void run() {
            System.exit(code);
          }
        });
    Runtime.getRuntime().halt(code);
  }

  private static void run(Thread thread) {
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(GRACE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // no more time for it, then
    }
  }
}
