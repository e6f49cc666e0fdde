package org.lacis;

import java.lang.foreign.MemorySegment;

/** Memory of this rank that peers may read or write, while it is open. */
public interface Region extends AutoCloseable {

  /** The memory. */
  MemorySegment segment();

  /**
   * What a peer needs to reach it: send it there, as {@link RemoteRegion#toBytes bytes} for
   * instance.
   */
  RemoteRegion remote();

  /**
   * Ends the registration: operations of peers that come later fail with {@link
   * ErrorKind#NO_ACCESS}. The program sees to it that none is under way. Memory from {@link
   * Lacis#allocate} is given back. Closing twice does nothing.
   */
  @Override
  void close();
}
