package org.lacis.net.shm;

import java.util.Locale;
import org.lacis.net.NetException;
import org.lacis.settings.Settings;

/**
 * Which ways of moving bulk data may be used. Chosen by {@link Settings#SHM_BULK}, for tests and
 * measurements.
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

  /** Whether memory in a shared file is copied by the initiator, through its mapping. */
  final boolean mapped;

  /** Whether the kernel may be asked to copy. */
  final boolean vm;

  BulkMode(boolean mapped, boolean vm) {
    this.mapped = mapped;
    this.vm = vm;
  }

  /** What the settings say. */
  static BulkMode current() {
    try {
      return valueOf(Settings.SHM_BULK.value().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new NetException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
