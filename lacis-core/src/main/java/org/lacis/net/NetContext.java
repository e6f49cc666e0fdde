package org.lacis.net;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A network, opened by one rank: its memory, its registrations and its devices. All methods may be
 * called by any thread.
 */
public interface NetContext extends AutoCloseable {

  /** May be read by the peer. */
  int READ = 1;

  /** May be written by the peer. */
  int WRITE = 2;

  /** This process, from 0. */
  int rank();

  /** How many processes there are. */
  int size();

  /** How many of them share this machine, this one included, as far as the network knows. */
  default int neighbours() {
    return size();
  }

  /** How many cores those may run on, all together, as far as the network knows. */
  default int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The most bytes {@link NetDevice#inject} carries. */
  int injectLimit();

  /** The most bytes one put or get moves. */
  long transferLimit();

  /** What is used to move bulk data and why, for people to read. */
  String description();

  /** Opens a device. Collective: the k-th device of one rank talks with the k-th of every other. */
  NetDevice openDevice();

  /**
   * Sets memory aside that peers reach in the quickest way, registered or not. It is zeroed.
   *
   * @param bytes how much
   * @param alignment a power of two, at most 4096
   * @return its address, or 0 if there is not so much left
   */
  long allocate(long bytes, long alignment);

  /**
   * Gives back what {@link #allocate} gave.
   *
   * @param address what it answered
   * @param bytes what was asked for
   */
  void free(long address, long bytes);

  /**
   * Lets peers read or write a range, by key. Cheap: also used for each zero-copy send. Allocates
   * nothing.
   *
   * @param segment native, mapped or heap memory
   * @param offset where the range starts in it
   * @param length its length in bytes
   * @param rights {@link #READ}, {@link #WRITE} or both
   * @return an unguessable key, never 0; or 0 if the table is full for now
   */
  long register(MemorySegment segment, long offset, long length, int rights);

  /**
   * Ends a registration: later accesses by peers fail with {@link NetDevice#NO_ACCESS}. Those that
   * have begun may go on for a moment, see {@link #inUse}.
   *
   * @return whether the key was registered
   */
  boolean deregister(long key);

  /**
   * Whether a peer is still at an access that it began before this key was deregistered: until it
   * is not, the memory must not be freed. It soon is not, unless the peer's process was stopped, or
   * killed, just then.
   *
   * @param key that was deregistered
   */
  boolean inUse(long key);

  /**
   * Finds memory that a peer has registered in this process, to be read and written without the
   * peer and without a device.
   *
   * @param peer whose it is; this rank, too
   * @param key what {@link #register} answered there
   * @param offset where in the registered range
   * @param length how much, in bytes
   * @param rights what is to be done with it
   * @return null if it is not mapped here, or the key does not allow it
   */
  default @Nullable NetMapping map(int peer, long key, long offset, long length, int rights) {
    return null;
  }

  /**
   * Ends the lease on a payload that {@link NetSink#message} handed out. Any thread, any order.
   *
   * @param lease what came with the message
   */
  void release(long lease);

  /**
   * Collects packets that were sent and are free again. Any thread; concurrent calls share the
   * packets out among themselves. Some networks learn that a packet is free only while the device
   * it was sent by is polled.
   *
   * @param taker called with the address that was given to {@link NetDevice#sendPacket}
   * @return how many there were
   */
  int reclaim(PacketTaker taker);

  /**
   * After how many packets it pays to {@link #reclaim}, so that free ones are used again while they
   * are in caches: a power of two, and more than 1 where looking for them takes cache lines from
   * peers.
   */
  default int reclaimEvery() {
    return 1;
  }

  /** Whether {@link #view} knows this address. */
  boolean contains(long address);

  /**
   * A segment over a payload that {@link NetSink#message} handed out, or over memory from {@link
   * #allocate}, that keeps the memory mapped for as long as the segment is reachable.
   *
   * @param address where it starts
   * @param length in bytes
   */
  MemorySegment view(long address, long length);

  /**
   * Treats a peer as dead from now on, since it is known from elsewhere that it is. Does not wait:
   * the next polls end everything with it, and tell {@link NetSink#peerGone} that it has
   * {@linkplain PeerEnd#DIED died}, unless it has gone before.
   *
   * @param peer its rank
   */
  void giveUp(int peer);

  /**
   * Ends everything. Devices are closed first. What peers do afterwards with this rank fails on
   * their side.
   *
   * @throws NetException if something could not be given back
   */
  @Override
  void close();

  /** Receives packets that are free again. */
  @FunctionalInterface
  interface PacketTaker {
    /** The packet at this address may be used again. */
    void take(long address);
  }

  /**
   * Bytes in front of every packet's payload that belong to the network while it has the packet.
   */
  int PACKET_HEADER = 64;
}
