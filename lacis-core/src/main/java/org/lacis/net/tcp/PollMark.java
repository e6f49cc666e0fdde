package org.lacis.net.tcp;

/**
 * Whether a device is being polled: what waits to be sent then goes when the poll ends, and nobody
 * has to be woken for it.
 */
final class PollMark {

  private volatile boolean polling;

  boolean isSet() {
    return polling;
  }

  void set(boolean now) {
    polling = now;
  }
}
