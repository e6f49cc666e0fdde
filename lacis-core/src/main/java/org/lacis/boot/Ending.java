package org.lacis.boot;

/** How this process ends when it has to. A test puts something milder in its place. */
interface Ending {
  /**
   * The launcher is gone: nobody would end this process, or clean up after it, if it did not do so
   * itself.
   */
  void launcherLost(PmiEnv env, String why);

  /** This process has ended its job, and now ends itself. */
  void exit(int code);
}
