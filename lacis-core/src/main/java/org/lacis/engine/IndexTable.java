package org.lacis.engine;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What peers name by number: completion objects and matching engines; and the messages that came
 * for a number before it was given out. Reading takes no lock: the array is replaced when it grows.
 *
 * @param <T> what it holds
 */
final class IndexTable<T> {

  private volatile @Nullable Object[] slots = new Object[16];
  private int count;
  private final Map<Integer, ArrayDeque<Operation>> parked = new HashMap<>();

  /** The object, or null if that number was not given out so far. */
  @SuppressWarnings("unchecked")
  @Nullable T get(int index) {
    @Nullable Object[] s = slots;
    return index < s.length ? (@Nullable T) s[index] : null;
  }

  /** The number the next object gets. */
  synchronized int nextIndex() {
    return count;
  }

  /** Adds an object; the number it gets. */
  synchronized int add(T value) {
    @Nullable Object[] s = count == slots.length ? Arrays.copyOf(slots, 2 * count) : slots;
    s[count] = value;
    // A volatile store, also of the same array: publishes the slot to readers.
    slots = s;
    return count++;
  }

  /** Replaces the object of a number that was given out. */
  synchronized void replace(int index, T value) {
    if (index >= count) {
      throw new IllegalArgumentException(
          "nothing is registered as number " + index + "; there are " + count);
    }
    @Nullable Object[] s = slots;
    s[index] = value;
    slots = s;
  }

  /**
   * Keeps a message until its number is given out.
   *
   * @return false if that has just happened
   */
  synchronized boolean park(int index, Operation message) {
    if (index < count) {
      return false;
    }
    parked.computeIfAbsent(index, i -> new ArrayDeque<>()).add(message);
    return true;
  }

  /** The next message that waited for this number, or null. */
  synchronized @Nullable Operation unpark(int index) {
    ArrayDeque<Operation> waiting = parked.get(index);
    if (waiting == null) {
      return null;
    }
    Operation next = waiting.poll();
    if (next == null) {
      parked.remove(index);
    }
    return next;
  }

  /** The objects, in the order of their numbers. */
  @SuppressWarnings("unchecked")
  synchronized Iterable<T> all() {
    return (Iterable<T>) Arrays.asList(Arrays.copyOf(slots, count));
  }
}
