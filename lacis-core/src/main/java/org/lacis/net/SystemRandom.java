package org.lacis.net;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Numbers that nobody can guess, straight from the system: {@link SecureRandom} is as good, but
 * looks for its providers first, which takes longer than all else a context does when it opens.
 */
public final class SystemRandom {

  private static final String DEVICE = "/dev/urandom";

  private SystemRandom() {}

  /** Draws as many numbers. */
  public static long[] longs(int count) {
    byte[] bytes = new byte[count * Long.BYTES];
    if (!read(bytes)) {
      new SecureRandom().nextBytes(bytes);
    }
    long[] numbers = new long[count];
    ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
    return numbers;
  }

  private static boolean read(byte[] bytes) {
    try (InputStream in = new FileInputStream(DEVICE)) {
      return in.readNBytes(bytes, 0, bytes.length) == bytes.length;
    } catch (IOException e) {
      return false; // a system without it
    }
  }
}
