package org.lacis.net.shm;

import java.util.Arrays;
import java.util.Locale;
import org.lacis.net.NetException;

/**
 * Which ways of moving bulk data may be used. Chosen by the system property {@value #PROPERTY}, for
 * tests and measurements.
 */
enum BulkMode {
  /** All of them: the quickest that reaches the memory. */
  AUTO(true, true),

  /** Shared memory by plain copies, everything else by the target. */
  MAPPED(true, false),

  /** Native memory, shared or not, by process_vm_readv and process_vm_writev. */
  VM(false, true),

  /** Everything by the target. */
  PIPELINE(false, false);

  /** The name of the system property. */
  static final String PROPERTY = "lacis.shm.bulk";

  /** Whether memory in a shared file is copied by the initiator, through its mapping. */
  final boolean mapped;

  /** Whether the kernel may be asked to copy. */
  final boolean vm;

  BulkMode(boolean mapped, boolean vm) {
    this.mapped = mapped;
    this.vm = vm;
  }

  /** What the system property says; {@link #AUTO} if it is not set. */
  static BulkMode current() {
    String value = System.getProperty(PROPERTY, "auto");
    for (BulkMode mode : values()) {
      if (mode.toString().equals(value)) {
        return mode;
      }
    }
    throw new NetException(
        PROPERTY + " is " + value + ", but must be one of " + Arrays.toString(values()));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
