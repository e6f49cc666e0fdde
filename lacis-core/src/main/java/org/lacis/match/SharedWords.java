package org.lacis.match;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.lacis.net.Patience;

/**
 * Words that threads share while they match a block. All that one thread can see of another goes
 * through these methods, so that a test can take the place of the scheduler.
 */
class SharedWords {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Briefly: a thread that is waited for has begun, and needs its core. */
  private static final int SPINS = 200;

  final long[] words;

  SharedWords(int count) {
    words = new long[count];
  }

  /** Reads what no other thread writes now. */
  final long plain(int index) {
    return words[index];
  }

  /** Writes what no other thread reads now. */
  final void plain(int index, long value) {
    words[index] = value;
  }

  long getAcquire(int index) {
    return (long) WORDS.getAcquire(words, index);
  }

  void setRelease(int index, long value) {
    WORDS.setRelease(words, index, value);
  }

  boolean compareAndSet(int index, long expected, long value) {
    return WORDS.compareAndSet(words, index, expected, value);
  }

  /** Sets bits; what was written before is seen by who finds them set. */
  void set(int index, long bits) {
    WORDS.getAndBitwiseOr(words, index, bits);
  }

  /** Waits until all these bits are set. */
  void await(int index, long bits) {
    for (int looks = 1, slept = 0; (getAcquire(index) & bits) != bits; looks++) {
      if (Patience.step(looks, SPINS)) {
        LockSupport.parkNanos(this, Patience.sleepNanos(slept++));
      }
    }
  }
}
