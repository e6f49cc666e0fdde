package org.lacis.net.shm;

import org.lacis.net.KeySource;
import org.lacis.net.Memory;

/** The file of a rank that is alone, with its registrations and its returned packets. */
final class StressFile {

  private static final ShmFile FILE = create();
  static final ShmPeer PEER = ShmPeer.self(0, 0, FILE);
  static final Registrations REGISTRATIONS = new Registrations(FILE, new KeySource(1, 2));
  static final PacketReturns RETURNS = new PacketReturns(0, new ShmPeer[] {PEER});

  private StressFile() {}

  private static ShmFile create() {
    String name = "lacis-stress-" + ProcessHandle.current().pid();
    ShmFile file = ShmFile.create(ShmFile.directories(), name, ShmLayout.heapOffset(1), 1);
    file.unlink();
    return file;
  }

  /** Takes packets that were given back, and counts in each how often it was. */
  static void reclaim() {
    RETURNS.reclaim(payload -> Memory.getAndAddLong(payload, 1));
  }

  /**
   * Takes all packets that were given back. Threads that do this at the end of a race wait for each
   * other, so that none sees a packet before another has counted it.
   */
  static synchronized void reclaimAll() {
    reclaim();
  }
}
