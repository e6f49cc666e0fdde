package org.lacis.trace.replay;

import java.util.ArrayList;
import java.util.List;

/** Some of what a rank did, as far as matching is concerned, in its order. */
final class Steps {
  /** Sends a message: peer, tag, communicator. */
  static final int SEND = 0;

  /** Posts a receive: peer, tag, communicator; its number is how many came before. */
  static final int POST = 1;

  /** A receive is complete: its number, and whom and what it got; ANY if that is not known. */
  static final int DONE = 2;

  /** A receive was cancelled, or was one from nobody: its number, and whether it was the latter. */
  static final int GONE = 3;

  /** A message was found that nobody has received yet: source, tag, communicator. */
  static final int PROBED = 4;

  /** Makes a communicator or a group: the number of what is made, among those of this object. */
  static final int MAKE = 5;

  /** Sends to nobody, or receives from nobody, and the recorder tells: whether it receives. */
  static final int NOBODY = 6;

  static final int ANY = -1;

  private static final int WIDTH = 4;

  final List<Making> makings = new ArrayList<>();
  private final int[] values;

  /** When the call was entered; of DONE, GONE and PROBED, when it returned. In nanoseconds. */
  private final long[] times;

  private int size;

  Steps(int room) {
    values = new int[room * WIDTH];
    times = new long[room];
  }

  void add(int kind, int a, int b, int c, long time) {
    int at = size * WIDTH;
    values[at] = kind;
    values[at + 1] = a;
    values[at + 2] = b;
    values[at + 3] = c;
    times[size++] = time;
  }

  boolean isFull() {
    return size == times.length;
  }

  int size() {
    return size;
  }

  int kind(int step) {
    return values[step * WIDTH];
  }

  int a(int step) {
    return values[step * WIDTH + 1];
  }

  int b(int step) {
    return values[step * WIDTH + 2];
  }

  int c(int step) {
    return values[step * WIDTH + 3];
  }

  long time(int step) {
    return times[step];
  }
}
