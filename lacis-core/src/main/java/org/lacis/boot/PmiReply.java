package org.lacis.boot;

import org.jspecify.annotations.Nullable;

/**
 * A line from the launcher, and the block of bytes behind it if there is one; neither if no more
 * will come.
 */
final class PmiReply {
  final @Nullable PmiLine line;
  final byte @Nullable [] block;

  PmiReply(@Nullable PmiLine line, byte @Nullable [] block) {
    this.line = line;
    this.block = block;
  }
}
