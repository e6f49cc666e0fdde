package org.lacis;

/** What peers may do with a region. */
public enum Rights {
  /** They may get from it. */
  READ,
  /** They may put into it. */
  WRITE,
  /** They may do both. */
  READ_WRITE;

  /** Whether getting is allowed. */
  public boolean allowsGet() {
    return this != WRITE;
  }

  /** Whether putting is allowed. */
  public boolean allowsPut() {
    return this != READ;
  }

  /** Whether all that the other rights allow is allowed. */
  public boolean includes(Rights other) {
    return this == READ_WRITE || this == other;
  }
}
