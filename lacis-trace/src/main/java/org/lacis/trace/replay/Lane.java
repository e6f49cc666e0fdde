package org.lacis.trace.replay;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Messages of one sender to one rank that have not arrived, in their order. Of many, those in the
 * middle are in a file.
 */
final class Lane {
  /** Numbers of a message: when it arrives; its number and communicator; its source and tag. */
  private static final int WIDTH = 3;

  private static final int FIRST_ROOM = 4 * WIDTH;

  /** Numbers of a block, usually. */
  static final int BLOCK = 1024 * WIDTH;

  private final int block;
  final int sender;
  private final Spill spill;
  private long[] head = new long[FIRST_ROOM];
  private int from;
  private int to;
  private final Deque<Integer> middle = new ArrayDeque<>();
  private long[] tail = {};
  private int tailSize;

  /** When the last message arrives: none overtakes it. */
  private long last = Long.MIN_VALUE;

  Lane(int sender, Spill spill) {
    this.sender = sender;
    this.spill = spill;
    block = spill.length();
  }

  boolean isEmpty() {
    return from == to;
  }

  /** Adds a message, and answers when it arrives: not before the one before it. */
  long add(long arrival, int number, int comm, int source, int tag) throws IOException {
    last = Math.max(last, arrival);
    if (tailSize > 0 || !middle.isEmpty() || to == block) {
      tail = withRoom(tail, tailSize);
      set(tail, tailSize, number, comm, source, tag);
      tailSize += WIDTH;
      if (tailSize == block) {
        middle.add(spill.write(tail));
        tailSize = 0;
      }
    } else {
      head = withRoom(head, to);
      set(head, to, number, comm, source, tag);
      to += WIDTH;
    }
    return last;
  }

  private long[] withRoom(long[] numbers, int used) {
    return used < numbers.length
        ? numbers
        : Arrays.copyOf(numbers, Math.clamp(2L * used, FIRST_ROOM, block));
  }

  private void set(long[] numbers, int at, int number, int comm, int source, int tag) {
    numbers[at] = last;
    numbers[at + 1] = pair(number, comm);
    numbers[at + 2] = pair(source, tag);
  }

  private static long pair(int high, int low) {
    return (long) high << 32 | (low & 0xffffffffL);
  }

  // ---- of the first message; there must be one

  long arrival() {
    return head[from];
  }

  int number() {
    return (int) (head[from + 1] >> 32);
  }

  int comm() {
    return (int) head[from + 1];
  }

  int source() {
    return (int) (head[from + 2] >> 32);
  }

  int tag() {
    return (int) head[from + 2];
  }

  void remove() throws IOException {
    from += WIDTH;
    if (from < to) {
      return;
    }
    from = 0;
    to = 0;
    if (!middle.isEmpty()) {
      head = withLength(head);
      spill.read(middle.remove(), head);
      to = block;
    } else if (tailSize > 0) {
      long[] empty = head;
      head = tail;
      to = tailSize;
      tail = empty;
      tailSize = 0;
    }
  }

  private long[] withLength(long[] numbers) {
    return numbers.length == block ? numbers : new long[block];
  }
}
