package org.lacis.cli;

import java.io.IOException;

/** Takes what ranks write to one of their output streams. Safe for use by several threads. */
interface RankOutput {
  /** Takes what a rank has written. May block, and so slow the rank down. */
  void write(int rank, byte[] bytes, int length) throws IOException;

  /** A rank will write no more. */
  void end(int rank);
}
