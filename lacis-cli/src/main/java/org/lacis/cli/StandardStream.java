package org.lacis.cli;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process writes to, and what it means if that cannot be done any more. */
enum StandardStream {
  OUT("standard output", FileDescriptor.out, "/dev/fd/1"),
  ERR("standard error", FileDescriptor.err, "/dev/fd/2");

  private static final int TYPE = 0170000;
  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private final String words;
  private final FileDescriptor descriptor;
  private final Path path;

  StandardStream(String words, FileDescriptor descriptor, String path) {
    this.words = words;
    this.descriptor = descriptor;
    this.path = Path.of(path);
  }

  FileDescriptor descriptor() {
    return descriptor;
  }

  /**
   * It cannot be written. If it leads to another program, that has ended, as {@code head} does when
   * it has seen enough: nothing needs to be said. Else something is lost that was to be kept.
   */
  Outcome failed(String why) {
    return leadsToProgram() ? Outcome.outputClosed() : Outcome.outputFailed(words, why);
  }

  private boolean leadsToProgram() {
    try {
      int type = (Integer) Files.getAttribute(path, "unix:mode") & TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
