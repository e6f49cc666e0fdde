package org.lacis.trace;

import java.io.IOException;
import java.nio.file.Path;

/** What one rank did. Several threads may read it at once. */
public interface RankTrace {

  /** The rank. */
  int rank();

  /** The file it is in. */
  Path file();

  /**
   * Reads it from the start.
   *
   * @throws TraceException where the file is damaged, after everything before that was handed out
   */
  void read(CallSink sink) throws IOException;
}
