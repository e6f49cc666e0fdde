package org.lacis.net.ofi;

import org.lacis.net.NetException;

/**
 * Registrations of the memory that packets are in, for providers that want what they send to be
 * registered: in parts, each when the first packet in it is sent, as a registration takes the
 * memory of the whole part from the system. Under the device's lock.
 */
final class HeapDescriptors {

  private static final int SHIFT = 22;

  private final Endpoint endpoint;
  private final long start;
  private final long bytes;
  private final int packet;
  private final long[] descriptors;
  private final boolean[] made;

  /**
   * None yet.
   *
   * @param packet the most bytes that are sent from there
   */
  HeapDescriptors(Endpoint endpoint, long start, long bytes, int packet) {
    this.endpoint = endpoint;
    this.start = start;
    this.bytes = bytes;
    this.packet = packet;
    int parts = endpoint.provider().has(Libfabric.MR_LOCAL) ? (int) (bytes >> SHIFT) + 1 : 0;
    this.descriptors = new long[parts];
    this.made = new boolean[parts];
  }

  /** What goes with the send of a packet. */
  long descriptor(long address) {
    if (made.length == 0) {
      return 0;
    }
    // The part that the frame in front of the packet begins in.
    int part = (int) ((address - Frame.HEADER - start) >> SHIFT);
    if (!made[part]) {
      make(part);
    }
    return descriptors[part];
  }

  private void make(int part) {
    long from = (long) part << SHIFT;
    // Longer than the part: what begins at its end goes beyond.
    long length = Math.min(bytes - from, (1L << SHIFT) + Frame.HEADER + packet);
    long registration = endpoint.register(start + from, length, Libfabric.SEND);
    if (registration == 0) {
      throw new NetException("libfabric: cannot register " + length + " bytes for packets");
    }
    descriptors[part] = Endpoint.descriptor(registration);
    made[part] = true;
  }
}
