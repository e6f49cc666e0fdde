package org.lacis.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Objects to be used again and again, taken and given by many threads. They are made when they are
 * first needed, and kept for as long as the pool.
 *
 * <p>What is passed around inside is their numbers, in a {@link LongPool}: a reference stored in an
 * old array costs the collector a barrier, a number does not.
 *
 * @param <T> what is in it
 */
public final class ObjectPool<T extends ObjectPool.Member> {

  /** What can be in a pool. */
  public interface Member {

    /** The number it was made with. */
    int poolNumber();
  }

  private final LongPool free;
  private final IntFunction<T> maker;
  private final @Nullable Object[] members;
  private final AtomicInteger made = new AtomicInteger();

  /**
   * A pool without objects.
   *
   * @param capacity the most objects it ever makes
   * @param maker makes an object that keeps the number it is given
   */
  public ObjectPool(int capacity, IntFunction<T> maker) {
    free = new LongPool(capacity);
    members = new Object[capacity + 1];
    this.maker = maker;
  }

  /** An object nobody else has, as it was left by its last user; null if all are in use. */
  public @Nullable T take() {
    long number = free.take();
    return number != 0 ? member((int) number) : make();
  }

  // Whoever gave the number back was handed the object by its maker, by whatever way: the plain
  // store below happened before.
  @SuppressWarnings("unchecked")
  private @Nullable T member(int number) {
    return (T) members[number];
  }

  private @Nullable T make() {
    int capacity = members.length - 1;
    int before = made.getAndUpdate(n -> Math.min(n + 1, capacity));
    if (before == capacity) {
      return null;
    }
    int number = before + 1;
    T member = maker.apply(number);
    members[number] = member;
    return member;
  }

  /** Gives an object back; the caller lets go of it. */
  public void give(T member) {
    free.give(member.poolNumber());
  }

  /** Objects made so far. */
  public int made() {
    return made.get();
  }

  /** Objects in use; a snapshot. */
  public int inUse() {
    return made() - free.size();
  }
}
