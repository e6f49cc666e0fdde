package org.lacis.net;

/**
 * Makes keys that nobody can guess, quickly and without allocating: SipHash-1-3 of a registration's
 * index and generation, under a secret drawn once per context. The lower 16 bits of a key are the
 * index.
 */
public final class KeySource {

  private final long k0;
  private final long k1;

  /** Made of two numbers that nobody can guess. */
  public KeySource(long k0, long k1) {
    this.k0 = k0;
    this.k1 = k1;
  }

  /** The registration a key belongs to, if it is a key at all. */
  public static int index(long key) {
    return (int) key & 0xffff;
  }

  /** The key of a generation of a registration; never 0. */
  public long key(int index, long generation) {
    long mixed = sip((generation << 16) | index) & ~0xffffL;
    return (mixed == 0 ? 0x1_0000 : mixed) | index;
  }

  private long sip(long word) {
    long v0 = k0 ^ 0x736f6d6570736575L;
    long v1 = k1 ^ 0x646f72616e646f6dL;
    long v2 = k0 ^ 0x6c7967656e657261L;
    long v3 = k1 ^ 0x7465646279746573L ^ word;
    for (int round = 0; round < 4; round++) {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32) + v3;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
      if (round == 0) {
        v0 ^= word;
        v2 ^= 0xff;
      }
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }
}
