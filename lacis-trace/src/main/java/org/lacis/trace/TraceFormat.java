package org.lacis.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A format of traces. Named as a service, it is found by {@link Traces}. */
public interface TraceFormat {

  /** What it is called. */
  String name();

  /**
   * Opens the trace in a folder, or the one that a file is part of. Of the files no more is read
   * than is needed to know what they are.
   *
   * @return empty if nothing there is of this format
   * @throws TraceException if it is, and cannot be read at all
   */
  Optional<Trace> open(Path path) throws IOException;
}
