package org.lacis.boot;

/** How this process ends when it has to. A test puts something milder in its place. */
interface Ending {
  /**
   * The launcher is gone: nobody would end this process, or clean up after it, if it did not do so
   * itself.
   *
   * @param job the id of its job; empty if it has none yet
   */
  void launcherLost(int rank, String job, String why);

  /** This process has ended its job, and now ends itself. */
  void exit(int code);
}
