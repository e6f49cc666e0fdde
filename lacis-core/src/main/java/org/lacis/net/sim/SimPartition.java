package org.lacis.net.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/**
 * Two groups of ranks that cannot reach each other for a while. What crosses is held up, not lost.
 */
public final class SimPartition {

  private final SimFabric fabric;
  private final BitSet left;
  private final BitSet right;
  private final List<Runnable> held = new ArrayList<>();

  SimPartition(SimFabric fabric, Collection<Integer> left, Collection<Integer> right) {
    this.fabric = fabric;
    this.left = bits(left);
    this.right = bits(right);
    if (this.left.intersects(this.right)) {
      throw new IllegalArgumentException(
          "a rank is on both sides of the partition: " + left + " and " + right);
    }
  }

  private BitSet bits(Collection<Integer> ranks) {
    BitSet bits = new BitSet();
    for (int rank : ranks) {
      bits.set(fabric.checkRank(rank));
    }
    return bits;
  }

  /** Ends the partition: what was held up arrives now. Any thread; a second call does nothing. */
  public void heal() {
    fabric.heal(this);
  }

  boolean separates(int from, int to) {
    return (left.get(from) && right.get(to)) || (right.get(from) && left.get(to));
  }

  void hold(Runnable resume) {
    held.add(resume);
  }

  void letGo() {
    held.forEach(Runnable::run);
    held.clear();
  }
}
