package org.lacis.cli;

import java.io.IOException;

/** Bytes that are not what the launcher and a {@link HostAgent} say to each other. */
final class FrameException extends IOException {
  private static final long serialVersionUID = 1L;

  FrameException(String what) {
    super(what);
  }
}
