package org.lacis.net.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.lacis.net.Memory;
import org.lacis.net.NetException;

/**
 * What this rank knows of one rank, itself included: its file, mapped here, and how to reach the
 * rest of its memory.
 */
final class ShmPeer {

  final int rank;

  /** The number by which the whole job knows it: for messages. */
  final int jobRank;

  /** Where its file is in this process. */
  final long address;

  /** The length of its file. */
  final long length;

  /** Where its table of registrations is in this process. */
  final long table;

  /** Its process. */
  final int pid;

  /** When its process started, in ms since 1970; 0 if it does not know. */
  final long started;

  /** Where its file is in its own process. */
  final long ownAddress;

  /** A random word in its header. */
  final long token;

  /** Keeps the mapping. */
  private final ShmFile file;

  /** Whether process_vm_readv and process_vm_writev reach it; set once while the context opens. */
  boolean vm;

  private ShmPeer(int rank, int jobRank, ShmFile file) {
    this.rank = rank;
    this.jobRank = jobRank;
    this.file = file;
    this.address = file.address();
    this.length = file.length();
    this.table = address + ShmLayout.TABLE;
    this.pid = (int) Memory.getLong(address + ShmLayout.HEADER_PID);
    this.started = Memory.getLong(address + ShmLayout.HEADER_STARTED);
    this.ownAddress = Memory.getLong(address + ShmLayout.HEADER_ADDRESS);
    this.token = Memory.getLong(address + ShmLayout.HEADER_TOKEN);
  }

  /** The rank this process is itself. */
  static ShmPeer self(int rank, int jobRank, ShmFile file) {
    return new ShmPeer(rank, jobRank, file);
  }

  /**
   * Maps the file of another rank.
   *
   * @throws NetException if it is not there, or not what it should be
   */
  static ShmPeer open(int rank, int jobRank, int size, Path path) {
    ShmFile file;
    try {
      file = ShmFile.open(path);
    } catch (IOException e) {
      throw new NetException(
          "cannot map the shared file of rank "
              + jobRank
              + ", "
              + path
              + ": do all ranks run on this machine, as the same user?",
          e);
    }
    check(rank, jobRank, size, path, file);
    return new ShmPeer(rank, jobRank, file);
  }

  private static void check(int rank, int jobRank, int size, Path path, ShmFile file) {
    long base = file.address();
    if (file.length() < ShmLayout.heapOffset(size)
        || Memory.getLong(base + ShmLayout.HEADER_MAGIC) != ShmLayout.MAGIC
        || Memory.getLong(base + ShmLayout.HEADER_VERSION) != ShmLayout.VERSION
        || Memory.getLong(base + ShmLayout.HEADER_RANK) != rank
        || Memory.getLong(base + ShmLayout.HEADER_SIZE) != size
        || Memory.getLong(base + ShmLayout.HEADER_LENGTH) != file.length()) {
      throw new NetException(
          path
              + " is not the shared file, version "
              + ShmLayout.VERSION
              + ", of rank "
              + jobRank
              + ", number "
              + rank
              + " of "
              + size
              + " on this machine: do all ranks run the same version of Lacis?");
    }
  }

  /** Writes the header of this rank's own file. */
  static void writeHeader(ShmFile file, int rank, int size, long token) {
    long base = file.address();
    ProcessHandle process = ProcessHandle.current();
    Memory.putLong(base + ShmLayout.HEADER_MAGIC, ShmLayout.MAGIC);
    Memory.putLong(base + ShmLayout.HEADER_VERSION, ShmLayout.VERSION);
    Memory.putLong(base + ShmLayout.HEADER_RANK, rank);
    Memory.putLong(base + ShmLayout.HEADER_SIZE, size);
    Memory.putLong(base + ShmLayout.HEADER_PID, process.pid());
    Memory.putLong(base + ShmLayout.HEADER_STARTED, startMillis(process));
    Memory.putLong(base + ShmLayout.HEADER_TOKEN, token);
    Memory.putLong(base + ShmLayout.HEADER_ADDRESS, base);
    Memory.putLong(base + ShmLayout.HEADER_HEAP, ShmLayout.heapOffset(size));
    Memory.putLong(base + ShmLayout.HEADER_LENGTH, file.length());
    Memory.putLongRelease(base + ShmLayout.HEADER_STATE, ShmLayout.STATE_OPEN);
  }

  /** When a process started, in ms since 1970; 0 if that is not known. */
  static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(java.time.Instant::toEpochMilli).orElse(0L);
  }

  /** Tells everyone that this rank has ended its context: nothing more comes from it. */
  void closeRelease() {
    Memory.putLongRelease(address + ShmLayout.HEADER_STATE, ShmLayout.STATE_CLOSED);
  }

  /** Whether that rank has ended its context. */
  boolean closedAcquire() {
    return Memory.getLongAcquire(address + ShmLayout.HEADER_STATE) == ShmLayout.STATE_CLOSED;
  }

  /** Whether memory of its process, by its address there, is in its file. */
  boolean contains(long addressThere, long bytes) {
    long offset = addressThere - ownAddress;
    return offset >= 0 && offset <= length - bytes;
  }

  /** Gives a sign of life of this rank. */
  void beatRelease() {
    Memory.putLongRelease(
        address + ShmLayout.HEADER_BEATS, Memory.getLong(address + ShmLayout.HEADER_BEATS) + 1);
  }

  /** How many signs of life that rank has given. */
  long beatsAcquire() {
    return Memory.getLongAcquire(address + ShmLayout.HEADER_BEATS);
  }

  /** Tells another rank that this one has given it up, in case it is still there. */
  void giveUpRelease(int other) {
    Memory.putLongRelease(givenUp(other), 1);
  }

  /** Whether that rank has given another one up. */
  boolean hasGivenUpAcquire(int other) {
    return Memory.getLongAcquire(givenUp(other)) != 0;
  }

  private long givenUp(int other) {
    return address + PacketReturns.stackOffset(other) + ShmLayout.STACK_GIVEN_UP;
  }

  /** A part of its file, which stays mapped for as long as the answer is reachable. */
  MemorySegment view(long offset, long bytes) {
    return file.view(offset, bytes);
  }
}
