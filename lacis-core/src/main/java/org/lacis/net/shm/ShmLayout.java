package org.lacis.net.shm;

/**
 * What the file of a rank looks like, byte for byte. All numbers are little-endian. Peers map the
 * whole file.
 *
 * <pre>
 * FILE                                             HEADER (written by the owner before anyone maps the file)
 * 0      ┌──────────────────────────────────┐      0   magic "LACISSHM"
 *        │ header, one page                 │      8   version
 * 4096   ├──────────────────────────────────┤      16  rank of the owner
 *        │ registrations: 65,536 × 64 bytes │      24  number of ranks
 *        ├──────────────────────────────────┤      32  process id of the owner
 *        │ return stacks: ranks × 128 bytes │      40  when that process started, ms since 1970; 0 if unknown
 *        ├──────────────────────────────────┤      48  token: random, read back through process_vm_readv
 *        │ heap: rings, slots, packets,     │      56  address of this file in the owner's process
 *        │ user memory; from a page border  │      64  where the heap starts
 *        └──────────────────────────────────┘      72  length of the file
 *                                                  128 state: 1 open, 2 closed
 *                                                  256 signs of life: counted up four times in the detection time
 *
 * REGISTRATION (by the owner)                      RETURN STACK (c: for rank c)
 * 0   key; 0 if not in use                         0   offset in this file of the last packet rank c gave back, or 0
 * 8   base: offset in this file | address |            (pushed by rank c, taken by the owner)
 *     offset in a Java object, by kind             64  1 if the owner has given rank c up     (by the owner)
 * 16  length in bytes                              PACKET (64 bytes in front of the payload)
 * 24  kind (byte 0), rights (byte 1)               0   offset of the packet given back before this one, or 0
 * 32  generation            (owner only)           8   "SENT" in the upper half and a stamp while it is out
 * 40  next free registration (owner only)          SLOT (of the requester; for transfers the target carries out)
 * 48  accesses under way    (by whoever accesses)  0   0 under way, 4 taken back        (by the requester)
 *                                                      3 at it, 1 done, 2 refused          (by the target)
 *                                                  128 32 KiB of data
 * RING (in the heap of the destination)
 * 0    head: position of the consumer; -1 closed   JOINT SLOT (of the requester; for copies both do; by both)
 *      (by the consumer)                           0   which copy (upper half), units taken from the back
 * 128  1 when no more will be written                  (16 bits), from the front (16 bits)
 *      (by the producer)                           128 units that are done
 * 256  cells, by the producer, of 64, 128 or       136 0, or the code of a failure
 *      256 bytes                                   256 64 ranges, by the requester: its address, length,
 *                                                      the target's key, offset there; 8 bytes each
 *
 * CELL  0         8        16       24                                     64
 *       ┌─────────┬────────┬────────┬───────────────────────────────────────┐
 *       │ control │ h0     │ h1     │ payload of up to 40 bytes             │  INJECT
 *       │ control │ h0     │ h1     │ offset of the packet │ length │       │  PACKET (offset in the file of the source)
 *       │ control │ key    │ offset │ length │ offset of the slot │         │  WRITE, READ: please copy from, to my slot
 *       │ control │ key    │ offset │ operation │ slot │ operand │ expected │  ATOMIC: please change the word; what was, to my slot
 *       │ control │ ranges │ 0      │ which │ slot │ 0          │ length      │  HELP: please copy the ranges of my slot with me
 *       │ control │                                                         │  NOTHING
 *       └─────────┴────────┴────────┴───────────────────────────────────────┘
 *       control: lap of the ring, from 1 (upper half) │ kind (8 bits) │ no meaning (8) │ length of the payload (16)
 * </pre>
 *
 * <p>Longer cells have a longer payload, of up to 104 or 232 bytes.
 *
 * <p>A cell is there for its reader once its lap is the reader's: nothing has to be cleared. Words
 * that different processes write are 128 bytes apart.
 */
final class ShmLayout {

  static final long MAGIC = 0x4d4853534943414cL;
  static final long VERSION = 2;
  static final int PAGE = 4096;

  /**
   * The distance of words that different threads write: two cache lines, as the prefetcher fetches
   * pairs.
   */
  static final int APART = 128;

  static final int HEADER_MAGIC = 0;
  static final int HEADER_VERSION = 8;
  static final int HEADER_RANK = 16;
  static final int HEADER_SIZE = 24;
  static final int HEADER_PID = 32;
  static final int HEADER_STARTED = 40;
  static final int HEADER_TOKEN = 48;
  static final int HEADER_ADDRESS = 56;
  static final int HEADER_HEAP = 64;
  static final int HEADER_LENGTH = 72;
  static final int HEADER_STATE = 128;
  static final int HEADER_BEATS = 256;
  static final long STATE_OPEN = 1;
  static final long STATE_CLOSED = 2;

  static final int TABLE = PAGE;
  static final int TABLE_ENTRIES = 1 << 16;
  static final int ENTRY_SHIFT = 6;
  static final int ENTRY_KEY = 0;
  static final int ENTRY_BASE = 8;
  static final int ENTRY_LENGTH = 16;
  static final int ENTRY_KIND = 24;
  static final int ENTRY_GENERATION = 32;
  static final int ENTRY_NEXT = 40;
  static final int ENTRY_USERS = 48;

  static final int STACKS = TABLE + (TABLE_ENTRIES << ENTRY_SHIFT);
  static final int STACK_GIVEN_UP = 64;

  static final int RING_HEAD = 0;
  static final int RING_ENDED = APART;
  static final int RING_CELLS = 2 * APART;
  static final long HEAD_CLOSED = -1;

  static final int CELL_SPARE = 2;
  static final int CELL_H0 = 8;
  static final int CELL_H1 = 16;
  static final int CELL_PAYLOAD = 24;
  static final int CELL_PACKET = CELL_PAYLOAD;
  static final int CELL_PACKET_LENGTH = CELL_PAYLOAD + 8;
  static final int CELL_COPY_LENGTH = CELL_PAYLOAD;
  static final int CELL_SLOT = CELL_PAYLOAD + 8;
  static final int CELL_OPERATION = CELL_PAYLOAD;
  static final int CELL_OPERAND = CELL_PAYLOAD + 16;
  static final int CELL_EXPECTED = CELL_PAYLOAD + 24;

  static final int NOTHING = 0;
  static final int INJECT = 1;
  static final int PACKET = 2;
  static final int WRITE = 3;
  static final int READ = 4;
  static final int ATOMIC = 5;
  static final int HELP = 6;

  static final long JOINT_PUT = 1L << 32;
  static final int JOINT_TAKEN = 0;
  static final int JOINT_DONE = APART;
  static final int JOINT_RESULT = APART + 8;
  static final int JOINT_RANGES = 2 * APART;
  static final int JOINT_MAX_RANGES = 64;
  static final int RANGE_ADDRESS = 0;
  static final int RANGE_LENGTH = 8;
  static final int RANGE_KEY = 16;
  static final int RANGE_KEY_OFFSET = 24;
  static final int RANGE_BYTES = 32;
  static final int JOINT_BYTES = JOINT_RANGES + JOINT_MAX_RANGES * RANGE_BYTES;

  static final int PACKET_NEXT = 0;
  static final int PACKET_STATE = 8;

  static final int SLOT_STATE = 0;
  static final int SLOT_DATA = APART;
  static final int SLOT_CAPACITY = 32 * 1024;
  static final int SLOT_BYTES = SLOT_DATA + SLOT_CAPACITY;
  static final long SLOT_UNDER_WAY = 0;
  static final long SLOT_DONE = 1;
  static final long SLOT_REFUSED = 2;

  /** The target is at it. */
  static final long SLOT_SERVED = 3;

  /** The requester does it itself; the target has not seen that yet. */
  static final long SLOT_TAKEN_BACK = 4;

  private ShmLayout() {}

  /** Where the heap starts in the file of a rank. */
  static long heapOffset(int ranks) {
    return roundUp(STACKS + (long) ranks * APART, PAGE);
  }

  /** The control word of the message at a position of a ring with {@code 1 << shift} cells. */
  static long control(long position, int shift, int kind, int length) {
    return (((position >>> shift) + 1) << 32) | ((long) kind << 24) | length;
  }

  /**
   * Whether a control word is that of the message at a position, and not of the one a lap before.
   */
  static boolean arrived(long control, long position, int shift) {
    return (int) (control >>> 32) == (int) (position >>> shift) + 1;
  }

  static int kind(long control) {
    return (int) control >>> 24;
  }

  static int payloadLength(long control) {
    return (int) control & 0xffff;
  }

  /** The next multiple of a power of two. */
  static long roundUp(long value, long powerOfTwo) {
    return (value + powerOfTwo - 1) & -powerOfTwo;
  }
}
