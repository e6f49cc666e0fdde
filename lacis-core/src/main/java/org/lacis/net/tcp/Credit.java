package org.lacis.net.tcp;

/** What the peer has taken and released since the beginning; written by the polling thread. */
final class Credit implements Decoder.Credits {

  private volatile long taken;
  private volatile long released;

  @Override
  public boolean credit(long takenNow, long releasedNow) {
    if (takenNow < taken || releasedNow < released) {
      return false;
    }
    taken = takenNow;
    released = releasedNow;
    return true;
  }

  /** Messages. */
  long taken() {
    return taken;
  }

  /** Bytes of packets. */
  long released() {
    return released;
  }
}
