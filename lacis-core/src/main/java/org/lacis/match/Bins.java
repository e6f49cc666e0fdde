package org.lacis.match;

/** Where the bins of the four indexes are, one index behind the other. */
final class Bins {

  private Bins() {}

  /** How many there are. */
  static int count(int bins) {
    return (OrderedKeys.CLASSES - 1) * bins + 1;
  }

  /**
   * The bin of receives or messages in an index.
   *
   * @param bits the logarithm of how many each index has, but for the last, which has one
   * @param open which index
   * @param key of a message, or of a receive of that index
   * @param hash of that key
   */
  static int bin(int bits, int open, long key, int hash) {
    int mask = (1 << bits) - 1;
    return switch (open) {
      case 0 -> (hash >>> OrderedKeys.HASH_BITS) & mask;
      case OrderedKeys.ANY_TAG -> (1 << bits) + (OrderedKeys.source(key) & mask);
      case OrderedKeys.ANY_SOURCE -> (2 << bits) + (hash & mask);
      default -> 3 << bits;
    };
  }
}
