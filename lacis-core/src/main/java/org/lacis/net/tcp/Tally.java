package org.lacis.net.tcp;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread at a time adds to, without a fence, and any thread reads. */
final class Tally {

  private final AtomicLong value = new AtomicLong();

  long get() {
    return value.getAcquire();
  }

  void add(long more) {
    value.setRelease(value.getPlain() + more);
  }
}
