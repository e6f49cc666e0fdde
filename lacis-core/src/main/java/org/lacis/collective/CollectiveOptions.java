package org.lacis.collective;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.Device;
import org.lacis.MatchingEngine;

/**
 * What collectives use. Immutable; start from {@link #defaults}.
 *
 * @param device what carries the messages; null for the default device of the runtime
 * @param engine a matching engine for these collectives alone; null for one that they allocate
 * @param algorithms for each operation, by its class, the algorithm to use whatever the size
 */
public record CollectiveOptions(
    @Nullable Device device,
    @Nullable MatchingEngine engine,
    Map<Class<? extends Algorithm>, Algorithm> algorithms) {

  private static final CollectiveOptions DEFAULTS = new CollectiveOptions(null, null, Map.of());

  /** Checks and copies the algorithms. */
  public CollectiveOptions {
    algorithms = Map.copyOf(algorithms);
    algorithms.forEach(
        (kind, algorithm) -> {
          if (!kind.isInstance(algorithm)) {
            throw new IllegalArgumentException(
                algorithm + " is no algorithm for " + kind.getSimpleName());
          }
        });
  }

  /** The default device, a matching engine of their own, algorithms by size. */
  public static CollectiveOptions defaults() {
    return DEFAULTS;
  }

  /** The same on another device: threads on different devices do not meet. */
  public CollectiveOptions withDevice(Device device) {
    return new CollectiveOptions(device, engine, algorithms);
  }

  /**
   * The same with a matching engine you have allocated. It is for these collectives alone, and
   * closed with them.
   */
  public CollectiveOptions withMatching(MatchingEngine engine) {
    return new CollectiveOptions(device, engine, algorithms);
  }

  /**
   * The same with an algorithm that is used whatever the size. Every member has to name the same.
   *
   * @param algorithm such as {@link Algorithm.Allreduce#RING}
   */
  public <A extends Enum<A> & Algorithm> CollectiveOptions withAlgorithm(A algorithm) {
    var all = new HashMap<>(algorithms);
    all.put(algorithm.getDeclaringClass(), algorithm);
    return new CollectiveOptions(device, engine, all);
  }
}
