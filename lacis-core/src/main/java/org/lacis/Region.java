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
   * A part of it as a region of its own, for peers that are to reach no more than that: they are
   * refused everything else, whatever they ask for. ({@link RemoteRegion#slice} is a value that
   * whoever holds the whole makes, and only as good as its holder.) It ends when it is closed, or
   * this one is.
   *
   * @param offset where the part starts in this region, in bytes
   * @param length of the part, in bytes
   * @param rights what peers may do with the part: no more than with this region
   */
  Region slice(long offset, long length, Rights rights);

  /** What it is and how it is doing, for people to read. */
  Info info();

  /**
   * Ends the registration: operations of peers that come later fail with {@link
   * ErrorKind#NO_ACCESS}, and those that are at the memory just now are waited for, so that it may
   * be freed afterwards. (If one does not come to an end within seconds, because its process was
   * stopped or killed in the midst of it, that is logged.) Memory from {@link Lacis#allocate} is
   * given back. Closing twice does nothing.
   */
  @Override
  void close();
}
