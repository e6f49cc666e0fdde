package org.lacis;

/** What {@link Poster#atomic} does to a word of a region, with an operand. */
public enum AtomicOp {
  /** Adds it; the sum wraps around. */
  ADD,
  /** Writes it. */
  SWAP,
  /** Keeps the bits that it has too. */
  AND,
  /** Sets the bits that it has. */
  OR,
  /** Flips the bits that it has. */
  XOR
}
