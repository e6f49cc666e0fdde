package org.lacis.net.tcp;

import java.lang.foreign.MemorySegment;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;

/** The way from a device to one rank and back. Arguments have been checked. */
interface Link {

  /** As {@link NetDevice#inject}. */
  int inject(long h0, long h1, MemorySegment payload, long offset, int length);

  /** As {@link NetDevice#mark}. */
  int mark(long h0, long h1);

  /** As {@link NetDevice#sendPacket}. */
  int packet(long h0, long h1, long address, int length);

  /**
   * As {@link NetDevice#put}, {@link NetDevice#get} and {@link NetDevice#atomic}.
   *
   * @param kind {@link Frames#PUT}, {@link Frames#GET} or {@link Frames#ATOMIC}
   * @param operation of an atomic, and so with its operands
   */
  int transfer(
      int kind,
      MemorySegment local,
      long offset,
      long length,
      long key,
      long keyOffset,
      int operation,
      long operand,
      long expected,
      long h0,
      long h1,
      long cookie);

  /** Delivers what has come; answers how much it was. */
  int poll(NetSink sink, int limit);

  /**
   * Sends what waits, at the end of a poll of all links.
   *
   * @return whether data of a long frame has moved, in either direction
   */
  boolean flush();

  /** Ends it: posts are answered {@link NetDevice#BUSY} from now on. */
  void close();
}
