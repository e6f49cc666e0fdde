package org.lacis.cli;

/**
 * What a frame between the launcher and a {@link HostAgent} says; the table is in the wire format.
 */
enum FrameKind {
  HELLO(1, 256),
  JOB(2, 1 << 16),
  START(3, 1 << 22),
  FAILED(4, 1 << 16),
  EXITED(5, 4),
  OPEN(6, 0),
  DATA(7, 1 << 15),
  END(8, 0),
  GRANT(9, 4),
  STOP(10, 0),
  STOPPED(11, 0),
  KILL(12, 0);

  private static final FrameKind[] ALL = values();

  private final int code;
  private final int limit;

  FrameKind(int code, int limit) {
    this.code = code;
    this.limit = limit;
  }

  /** Its number in a frame. */
  int code() {
    return code;
  }

  /** The longest payload, in bytes. */
  int limit() {
    return limit;
  }

  /** The kind with a number. */
  static FrameKind of(int code) throws FrameException {
    if (code < 1 || code > ALL.length) {
      throw new FrameException("a frame of kind " + code);
    }
    return ALL[code - 1];
  }
}
