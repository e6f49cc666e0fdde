package org.lacis.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.lacis.Region;
import org.lacis.RemoteRegion;

/**
 * The collectives of {@link Collectives} that wait until they are done, making progress meanwhile.
 * What they take is told there, with the objects they build.
 */
public abstract sealed class BlockingCollectives implements AutoCloseable permits Collectives {

  final Members members;

  BlockingCollectives(Members members) {
    this.members = members;
  }

  /** Starts a collective and waits for it. */
  abstract void run(Call call);

  /** Waits until every member is here; see {@link Collectives#newBarrier}. */
  public void barrier() {
    run(Call.barrier(members));
  }

  /**
   * Copies the buffer of the root to that of every member; see {@link Collectives#newBroadcast}.
   */
  public void broadcast(MemorySegment buffer, int root) {
    run(Call.broadcast(members, buffer, root));
  }

  /** Combines the data of all members at the root; see {@link Collectives#newReduce}. */
  public void reduce(MemorySegment in, MemorySegment out, Reduction reduction, int root) {
    run(Call.reduce(members, in, out, reduction, root));
  }

  /**
   * Combines the buffers of all members, at all members; see {@link
   * Collectives#newAllreduce(MemorySegment, Reduction)}.
   */
  public void allreduce(MemorySegment buffer, Reduction reduction) {
    run(Call.allreduce(members, buffer, buffer, reduction));
  }

  /**
   * Combines the data of all members, at all members; see {@link
   * Collectives#newAllreduce(MemorySegment, MemorySegment, Reduction)}.
   */
  public void allreduce(MemorySegment in, MemorySegment out, Reduction reduction) {
    run(Call.allreduce(members, in, out, reduction));
  }

  /**
   * Collects a block of every member at the root; see {@link Collectives#newGather(MemorySegment,
   * MemorySegment, int)}.
   */
  public void gather(MemorySegment in, MemorySegment out, int root) {
    run(Call.gather(members, in, out, null, root));
  }

  /**
   * Collects a block of every member, of any length, at the root; see {@link
   * Collectives#newGather(MemorySegment, MemorySegment, Blocks, int)}.
   */
  public void gather(MemorySegment in, MemorySegment out, Blocks blocks, int root) {
    run(Call.gather(members, in, out, blocks, root));
  }

  /**
   * Deals out blocks of the root; see {@link Collectives#newScatter(MemorySegment, MemorySegment,
   * int)}.
   */
  public void scatter(MemorySegment in, MemorySegment out, int root) {
    run(Call.scatter(members, in, null, out, root));
  }

  /**
   * Deals out blocks of the root, of any length; see {@link Collectives#newScatter(MemorySegment,
   * Blocks, MemorySegment, int)}.
   */
  public void scatter(MemorySegment in, Blocks blocks, MemorySegment out, int root) {
    run(Call.scatter(members, in, blocks, out, root));
  }

  /**
   * Collects a block of every member at every member; see {@link
   * Collectives#newAllgather(MemorySegment, MemorySegment)}.
   */
  public void allgather(MemorySegment in, MemorySegment out) {
    run(Call.allgather(members, in, out, null));
  }

  /**
   * Collects a block of every member, of any length, at every member; see {@link
   * Collectives#newAllgather(MemorySegment, MemorySegment, Blocks)}.
   */
  public void allgather(MemorySegment in, MemorySegment out, Blocks blocks) {
    run(Call.allgather(members, in, out, blocks));
  }

  /**
   * Tells everybody a region of every member: so they can reach each other's memory.
   *
   * @param region the one of this member
   * @return those of all, in the order of the members
   */
  public RemoteRegion[] exchange(Region region) {
    MemorySegment all = Arena.ofAuto().allocate((long) RemoteRegion.BYTES * members.size);
    MemorySegment own =
        all.asSlice((long) RemoteRegion.BYTES * Math.max(members.me, 0), RemoteRegion.BYTES);
    region.remote().writeTo(own, 0);
    allgather(own, all);
    RemoteRegion[] regions = new RemoteRegion[members.size];
    Arrays.setAll(regions, i -> RemoteRegion.from(all, (long) RemoteRegion.BYTES * i));
    return regions;
  }

  /**
   * Gives every member a block of every other; see {@link Collectives#newAlltoall(MemorySegment,
   * MemorySegment)}.
   */
  public void alltoall(MemorySegment in, MemorySegment out) {
    run(Call.alltoall(members, in, out));
  }

  /**
   * Gives every member a block of every other, of any length; see {@link
   * Collectives#newAlltoall(MemorySegment, Blocks, MemorySegment, Blocks)}.
   */
  public void alltoall(MemorySegment in, Blocks sent, MemorySegment out, Blocks received) {
    run(Call.alltoall(members, in, sent, out, received));
  }

  /**
   * Combines the data of all members, and gives each a block of the result; see {@link
   * Collectives#newReduceScatter(MemorySegment, MemorySegment, Reduction)}.
   */
  public void reduceScatter(MemorySegment in, MemorySegment out, Reduction reduction) {
    run(Call.reduceScatter(members, in, null, out, reduction));
  }

  /**
   * Combines the data of all members, and gives each a block of the result, of any length; see
   * {@link Collectives#newReduceScatter(MemorySegment, Blocks, MemorySegment, Reduction)}.
   */
  public void reduceScatter(
      MemorySegment in, Blocks blocks, MemorySegment out, Reduction reduction) {
    run(Call.reduceScatter(members, in, blocks, out, reduction));
  }

  /** Combines the data of the members up to each; see {@link Collectives#newScan}. */
  public void scan(MemorySegment in, MemorySegment out, Reduction reduction) {
    run(Call.scan(members, in, out, reduction, false));
  }

  /** Combines the data of the members before each; see {@link Collectives#newExclusiveScan}. */
  public void exclusiveScan(MemorySegment in, MemorySegment out, Reduction reduction) {
    run(Call.scan(members, in, out, reduction, true));
  }
}
