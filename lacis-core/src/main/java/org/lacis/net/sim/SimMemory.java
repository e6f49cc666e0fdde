package org.lacis.net.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory all ranks of a fabric have allocated, by address. It is freed once no one can reach
 * it.
 */
final class SimMemory {

  /** A piece of it. */
  static final class Block {
    private final int rank;
    private final MemorySegment segment;

    /** How many packets within it the network has. */
    int packets;

    private boolean orphan;

    Block(int rank, MemorySegment segment) {
      this.rank = rank;
      this.segment = segment;
    }
  }

  private final TreeMap<Long, Block> blocks = new TreeMap<>();

  long allocate(int rank, long bytes, long alignment) {
    MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, bytes), alignment);
    blocks.put(segment.address(), new Block(rank, segment));
    return segment.address();
  }

  void free(int rank, long address, long bytes) {
    Block block = blocks.get(address);
    if (block == null || block.rank != rank || block.segment.byteSize() != Math.max(1, bytes)) {
      throw new IllegalArgumentException(
          "rank "
              + rank
              + " did not allocate "
              + bytes
              + " bytes at 0x"
              + Long.toHexString(address));
    }
    if (block.packets > 0) {
      throw new IllegalStateException(
          "rank "
              + rank
              + " frees 0x"
              + Long.toHexString(address)
              + " while the network has "
              + block.packets
              + " packets there");
    }
    blocks.remove(address);
  }

  /** The block a range lies in, or null. */
  @Nullable Block find(long address, long length) {
    Map.Entry<Long, Block> entry = blocks.floorEntry(address);
    if (entry == null
        || length < 0
        || address - entry.getKey() > entry.getValue().segment.byteSize() - length) {
      return null;
    }
    return entry.getValue();
  }

  /** The same, if it is this rank's. */
  @Nullable Block find(int rank, long address, long length) {
    Block block = find(address, length);
    return block != null && block.rank == rank ? block : null;
  }

  /** A segment over a range that keeps it from being freed. */
  MemorySegment view(long address, long length) {
    Block block = find(address, length);
    if (block == null) {
      throw new IllegalArgumentException(
          "no memory of this fabric: " + length + " bytes at 0x" + Long.toHexString(address));
    }
    return block.segment.asSlice(address - block.segment.address(), length);
  }

  /** A rank has gone: its blocks go as soon as no peer has a packet in them. */
  void abandon(int rank) {
    blocks
        .values()
        .removeIf(
            block -> {
              block.orphan |= block.rank == rank;
              return block.orphan && block.packets == 0;
            });
  }

  /** A packet is no longer the network's. */
  void packetBack(Block block) {
    block.packets--;
    if (block.orphan && block.packets == 0) {
      blocks.remove(block.segment.address());
    }
  }
}
