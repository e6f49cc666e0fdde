package org.lacis.trace.replay;

/** Some of what happens at a rank, in its order, to be played with every engine. */
final class Events {
  static final int POST = 0;
  static final int ARRIVE = 1;
  static final int CANCEL = 2;

  private static final int WIDTH = 6;

  private final Ints values = new Ints();

  /**
   * Adds one.
   *
   * @param peer the sender's rank in the world; ANY if a receive leaves it open
   */
  void add(int kind, int number, Key key, int peer) {
    values.add(kind);
    values.add(number);
    values.add(key.comm());
    values.add(key.source());
    values.add(key.tag());
    values.add(peer);
  }

  int size() {
    return values.size() / WIDTH;
  }

  void clear() {
    values.clear();
  }

  int kind(int event) {
    return values.get(event * WIDTH);
  }

  /** Of the receive or the message. */
  int number(int event) {
    return values.get(event * WIDTH + 1);
  }

  int comm(int event) {
    return values.get(event * WIDTH + 2);
  }

  int source(int event) {
    return values.get(event * WIDTH + 3);
  }

  int tag(int event) {
    return values.get(event * WIDTH + 4);
  }

  int peer(int event) {
    return values.get(event * WIDTH + 5);
  }
}
