package org.lacis.match;

/** A block of two messages of one key, and receives for them. */
final class BlockStage {

  private static final long KEY = OrderedKeys.key(1, 2);

  private final MatchBlock block;

  /** An entry that knows its number. */
  private static final class Entry extends MatchEntry {
    final int number;

    Entry(long key, int number) {
      this.key = key;
      this.hash = OrderedKeys.hash(1, 2);
      this.number = number;
    }
  }

  /**
   * Posts receives, and begins the block.
   *
   * @param receives how many of that key; there is one more, of any
   */
  BlockStage(int receives, boolean earlyCheck, boolean overtaking) {
    var table = new ReceiveTable(1, receives + 1);
    var matcher = new OrderedMatcher(1, table, 3, overtaking);
    for (int i = 0; i < receives; i++) {
      matcher.insertReceive(new Entry(KEY, i + 1));
    }
    matcher.insertReceive(new Entry(OrderedKeys.key(3, 0, 0), receives + 1));
    block = new MatchBlock(matcher, earlyCheck, true);
    block.add(new Entry(KEY, 0));
    block.add(new Entry(KEY, 0));
    block.begin();
  }

  void match(int message) {
    block.match(message);
  }

  /** The numbers of the receives that the two have, as two digits. */
  int outcome() {
    var receives = new MatchEntry[MatchBlock.MAX];
    block.end(receives);
    return 10 * number(receives[0]) + number(receives[1]);
  }

  private static int number(MatchEntry receive) {
    return receive == null ? 0 : ((Entry) receive).number;
  }
}
