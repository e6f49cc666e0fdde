package org.lacis.trace;

import java.io.IOException;
import java.nio.file.Path;

/** A trace file is damaged, cut off, or not what its name says: which, where, and why. */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient Path file;
  private final long offset;
  private final String reason;

  /** About a file or folder as a whole. */
  public TraceException(Path file, String reason) {
    super("%s: %s".formatted(file, reason));
    this.file = file;
    this.offset = 0;
    this.reason = reason;
  }

  /**
   * About a place in a file.
   *
   * @param offset in bytes from the start of the file; of what is in it, if it is compressed
   */
  public TraceException(Path file, long offset, String reason) {
    super("%s: at byte %,d: %s".formatted(file, offset, reason));
    this.file = file;
    this.offset = offset;
    this.reason = reason;
  }

  /** The file. */
  public Path file() {
    return file;
  }

  /** Where in the file, in bytes from its start; of what is in it, if it is compressed. */
  public long offset() {
    return offset;
  }

  /** What is wrong there. */
  public String reason() {
    return reason;
  }
}
