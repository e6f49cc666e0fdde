package org.lacis.trace;

import java.io.IOException;

/** Takes the calls of a trace, in the order they were made. */
@FunctionalInterface
public interface CallSink {

  /**
   * Takes one.
   *
   * @param call the reader's; it is another call after this method has returned
   */
  void call(Call call) throws IOException;
}
