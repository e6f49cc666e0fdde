package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import org.lacis.net.NetDevice;

/**
 * Something that is too long for the staging buffer, or has to wait for its turn: the data of a
 * put, the answer to a get, a long packet. Used again and again.
 */
final class Load {

  /** {@link Frames#PUT}, {@link Frames#DATA}, {@link Frames#ACK} or {@link Frames#PACKET}. */
  int kind;

  /** The number of the transfer at its origin. */
  int id;

  /** How it has ended, of an answer. */
  int result = NetDevice.OK;

  /** The origin's memory, of a put. */
  MemorySegment segment = MemorySegment.NULL;

  /** Where in it; of a packet, its address. */
  long offset;

  /** How many bytes there are. */
  long length;

  /** How many of them have been sent. */
  long sent;

  /** The target's registration, and where in it; of an answer, the own one. */
  long key;

  long keyOffset;

  /** What the target is told when all is done; nothing if the first is 0. */
  long h0;

  long h1;

  /** The answer to an atomic: what was found. */
  long word;

  /** Whether {@link #word} is what is sent. */
  boolean inline;
}
