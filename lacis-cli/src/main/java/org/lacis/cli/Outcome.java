package org.lacis.cli;

import java.util.BitSet;
import org.lacis.boot.Ranks;

/**
 * How a job has ended.
 *
 * @param code the exit code of the launcher
 * @param culprit the rank it is due to, or -1
 * @param message what to say about it; empty if there is nothing to say
 */
record Outcome(int code, int culprit, String message) {
  /** The exit code of a job that took too long, as of the timeout command. */
  static final int TIMEOUT = 124;

  /** The exit code if nobody reads the output any more: 128 + SIGPIPE. */
  static final int OUTPUT_CLOSED = 141;

  private static final String[] SIGNALS = {
    "", "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE",
    "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM"
  };

  static Outcome success() {
    return new Outcome(0, -1, "");
  }

  static Outcome failed(String who, int rank, int code) {
    String how = "ended with exit code " + code;
    int signal = code - 128;
    if (signal > 0 && signal < SIGNALS.length) {
      how = "was ended by " + SIGNALS[signal] + " (exit code " + code + ")";
    }
    return new Outcome(code, rank, who + " " + how);
  }

  /** Its exit code is that of success, but others may wait for it. */
  static Outcome unclosed(String who, int rank) {
    return new Outcome(1, rank, who + " ended with exit code 0 without closing its runtime");
  }

  static Outcome aborted(String who, int rank, int code) {
    return new Outcome(code, rank, who + " aborted the job with code " + code);
  }

  static Outcome misbehaved(String who, int rank, String why) {
    return new Outcome(1, rank, who + " confused the launcher: " + why);
  }

  static Outcome notStarted(String who, String why) {
    return new Outcome(1, -1, who + " could not be started: " + why);
  }

  /** Something is wrong with a host, not with a rank. */
  static Outcome hostFailed(String why) {
    return new Outcome(1, -1, why);
  }

  /**
   * The time is over.
   *
   * @param ended those that had ended, those that had failed among them
   */
  static Outcome timedOut(String limit, BitSet running, BitSet ended, BitSet failed) {
    BitSet well = (BitSet) ended.clone();
    well.andNot(failed);
    return new Outcome(
        TIMEOUT,
        -1,
        "timed out after "
            + limit
            + " with "
            + Ranks.named(running)
            + " still running"
            + (well.isEmpty() ? "" : "; " + Ranks.named(well) + " had ended with exit code 0")
            + (failed.isEmpty() ? "" : "; " + Ranks.named(failed) + " had failed"));
  }

  /** A rank is there, but another one takes it for dead. */
  static Outcome missed(String who, int rank, String by, String why) {
    return new Outcome(1, rank, who + " does not answer; " + by + " says: " + why);
  }

  /** The job went on without ranks that have failed, the first of them in this way. */
  static Outcome without(BitSet lost, Outcome first) {
    return new Outcome(first.code, -1, Ranks.named(lost) + " had failed; all others have ended");
  }

  /** The same, while the job goes on. */
  Outcome goingOn() {
    return new Outcome(code, culprit, message + "; the job goes on");
  }

  /** Nobody reads the output any more. */
  static Outcome outputClosed() {
    return new Outcome(OUTPUT_CLOSED, -1, "");
  }

  /** Output is lost. */
  static Outcome outputFailed(String stream, String why) {
    return new Outcome(1, -1, stream + " cannot be written: " + why);
  }

  /** Ranks wait in a fence for ranks that have ended. */
  static Outcome stuck(BitSet ended, BitSet opened, BitSet waiting) {
    BitSet never = (BitSet) ended.clone();
    never.andNot(opened);
    BitSet who = never.isEmpty() ? ended : never;
    boolean one = waiting.cardinality() == 1;
    return new Outcome(
        1,
        -1,
        Ranks.named(who)
            + (never.isEmpty() ? " ended while " : " ended without calling Lacis.open() while ")
            + Ranks.named(waiting)
            + (one ? " waits for " : " wait for ")
            + (who.cardinality() == 1 ? "it" : "them"));
  }
}
