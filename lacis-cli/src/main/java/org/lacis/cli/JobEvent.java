package org.lacis.cli;

/**
 * Something that has happened to a job.
 *
 * @param kind what
 * @param rank to which rank, or -1
 * @param code the exit code, where there is one; the rank that is missed
 * @param text more words about it, or none
 */
record JobEvent(Kind kind, int rank, int code, String text) {
  enum Kind {
    ENDED,
    ABORTED,
    MISBEHAVED,
    STUCK,
    FINISHED,
    HUNG_UP,
    MISSED,
    STACKS,
    REPORT,
    OUTPUT_FAILED,
    NOT_STARTED,
    HOST_FAILED
  }
}
