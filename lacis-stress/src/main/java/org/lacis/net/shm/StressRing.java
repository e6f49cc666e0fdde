package org.lacis.net.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.lacis.net.Memory;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** A ring with both ends. Its messages are small numbers, which fill a cell to its last byte. */
final class StressRing implements NetSink {

  /** What is read for a message whose parts do not belong together. */
  static final int TORN = -1;

  /** More claims in a row than a ring needs to be biased to a thread. */
  private static final int CLAIMS = 300;

  private static final int NUMBERS = 20;

  /** All that fits into a cell of one line. */
  private static final int BYTES = 40;

  /** So that the writer asks for cells that come next. */
  private static final int ALWAYS_FAR = -1;

  private static final int LONGS = BYTES / Long.BYTES;
  private static final MemorySegment PAYLOADS = MemorySegment.ofArray(payloads());

  final RingProducer writer;
  private final MemorySegment memory;
  private final RingConsumer reader;
  private final int[] read = new int[NUMBERS];
  private int count;

  StressRing(int cells) {
    RingShape shape = RingShape.of(cells, BYTES);
    memory = Arena.ofAuto().allocate(shape.bytes(), ShmLayout.APART);
    writer = new RingProducer(memory.address(), shape, ALWAYS_FAR);
    reader =
        new RingConsumer(
            StressFile.PEER,
            memory.address(),
            shape,
            StressFile.REGISTRATIONS,
            new JointHelper(
                new JointRanges(StressFile.PEER, StressFile.REGISTRATIONS, true), new VmDesks()));
  }

  private static long[] payloads() {
    long[] longs = new long[NUMBERS * LONGS];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = i / LONGS;
    }
    return longs;
  }

  /** Writes a number once; a code of the network. */
  int tryWrite(int number) {
    int answer = writer.inject(number, -number, PAYLOADS, (long) number * BYTES, BYTES);
    Reference.reachabilityFence(memory);
    return answer;
  }

  /** Writes a number, again if another thread is at it; whether there was room. */
  boolean write(int number) {
    int answer = tryWrite(number);
    while (answer == NetDevice.BUSY) {
      Thread.onSpinWait();
      answer = tryWrite(number);
    }
    return answer == NetDevice.OK;
  }

  /** Biases the ring, which must be new, to the calling thread. */
  void own() {
    for (int i = 0; i < CLAIMS; i++) {
      writer.publishNothing(writer.claim());
      reader.poll(this, 1);
    }
    Reference.reachabilityFence(memory);
  }

  /** Reads at most so many; the numbers that came, as digits. */
  int read(int limit) {
    int before = count;
    reader.poll(this, limit);
    Reference.reachabilityFence(memory);
    int digits = 0;
    for (int i = before; i < count; i++) {
      if (read[i] == TORN) {
        return TORN;
      }
      digits = 10 * digits + read[i];
    }
    return digits;
  }

  /** Reads all there is. */
  int readAll() {
    return read(Integer.MAX_VALUE);
  }

  /** How many were read. */
  int count() {
    return count;
  }

  /** What was read in that place. */
  int number(int place) {
    return read[place];
  }

  @Override
  public boolean message(int source, long h0, long h1, long address, int length, long lease) {
    boolean whole = h1 == -h0 && length == BYTES;
    for (int i = 0; i < length; i += Long.BYTES) {
      whole &= Memory.getLong(address + i) == h0;
    }
    read[count++] = whole ? (int) h0 : TORN;
    return true;
  }

  @Override
  public void completed(long cookie, int result) {
    throw new AssertionError("nothing was put or got");
  }

  @Override
  public void peerGone(int peer, PeerEnd how) {
    throw new AssertionError("nobody has gone");
  }
}
