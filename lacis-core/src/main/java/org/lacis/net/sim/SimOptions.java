package org.lacis.net.sim;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a {@link SimFabric} behaves. Immutable; start from {@link #defaults}.
 *
 * @param ranks how many ranks there are
 * @param seed where all chance comes from
 * @param cost what messages cost in virtual time
 * @param delay the most that chance adds to a message's way; messages of one device to one peer
 *     stay in order
 * @param reordering the most that chance adds to a message's way without keeping any order
 * @param busyProbability how often a post answers {@code BUSY} for no reason
 * @param fullProbability how often a post answers {@code FULL} for no reason
 * @param immediateProbability how often a put, get or atomic is carried out within the post, which
 *     then answers {@code OK}
 * @param injectLimit the most bytes an injected message carries
 * @param transferLimit the most bytes one put or get moves
 * @param pendingLimit how many puts, gets and atomics a device has under way before it answers
 *     {@code NO_MEMORY}
 * @param registrationLimit how many registrations a rank may have before registering answers 0
 */
public record SimOptions(
    int ranks,
    long seed,
    CostModel cost,
    Duration delay,
    Duration reordering,
    double busyProbability,
    double fullProbability,
    double immediateProbability,
    int injectLimit,
    long transferLimit,
    int pendingLimit,
    int registrationLimit) {

  private static final SimOptions DEFAULTS =
      new SimOptions(
          2,
          1,
          CostModel.CLUSTER,
          Duration.ZERO,
          Duration.ZERO,
          0,
          0,
          0,
          192,
          1L << 30,
          1024,
          1 << 16);

  /** Checks every value. */
  public SimOptions {
    require(ranks >= 1, "ranks", ranks, "at least 1");
    require(!delay.isNegative(), "delay", delay, "not negative");
    require(!reordering.isNegative(), "reordering", reordering, "not negative");
    require(
        busyProbability >= 0 && busyProbability < 1,
        "busyProbability",
        busyProbability,
        "in [0, 1)");
    require(
        fullProbability >= 0 && fullProbability < 1,
        "fullProbability",
        fullProbability,
        "in [0, 1)");
    require(
        immediateProbability >= 0 && immediateProbability <= 1,
        "immediateProbability",
        immediateProbability,
        "in [0, 1]");
    require(injectLimit >= 0, "injectLimit", injectLimit, "not negative");
    require(
        transferLimit >= 1 && transferLimit <= 1L << 30,
        "transferLimit",
        transferLimit,
        "in [1, 1 GiB]");
    require(pendingLimit >= 1, "pendingLimit", pendingLimit, "at least 1");
    require(registrationLimit >= 1, "registrationLimit", registrationLimit, "at least 1");
  }

  private static void require(boolean holds, String name, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + " but must be " + rule);
    }
  }

  /** Two ranks on {@link CostModel#CLUSTER}, in order, without faults. */
  public static SimOptions defaults() {
    return DEFAULTS;
  }

  /** The same with another number of ranks. */
  public SimOptions withRanks(int ranks) {
    return with(draft -> draft.ranks = ranks);
  }

  /** The same with another seed. */
  public SimOptions withSeed(long seed) {
    return with(draft -> draft.seed = seed);
  }

  /** The same with other costs. */
  public SimOptions withCost(CostModel cost) {
    return with(draft -> draft.cost = cost);
  }

  /** The same with random delays up to this, in order. */
  public SimOptions withDelay(Duration delay) {
    return with(draft -> draft.delay = delay);
  }

  /** The same with random delays up to this, out of order. */
  public SimOptions withReordering(Duration reordering) {
    return with(draft -> draft.reordering = reordering);
  }

  /** The same with posts that answer {@code BUSY} this often. */
  public SimOptions withBusyProbability(double busyProbability) {
    return with(draft -> draft.busyProbability = busyProbability);
  }

  /** The same with posts that answer {@code FULL} this often. */
  public SimOptions withFullProbability(double fullProbability) {
    return with(draft -> draft.fullProbability = fullProbability);
  }

  /** The same with puts and gets done within the post this often. */
  public SimOptions withImmediateProbability(double immediateProbability) {
    return with(draft -> draft.immediateProbability = immediateProbability);
  }

  /** The same with another limit of injected bytes. */
  public SimOptions withInjectLimit(int injectLimit) {
    return with(draft -> draft.injectLimit = injectLimit);
  }

  /** The same with another limit of bytes put or got. */
  public SimOptions withTransferLimit(long transferLimit) {
    return with(draft -> draft.transferLimit = transferLimit);
  }

  /** The same with another limit of puts and gets under way. */
  public SimOptions withPendingLimit(int pendingLimit) {
    return with(draft -> draft.pendingLimit = pendingLimit);
  }

  /** The same with another limit of registrations. */
  public SimOptions withRegistrationLimit(int registrationLimit) {
    return with(draft -> draft.registrationLimit = registrationLimit);
  }

  private SimOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
  }

  /** All values, to change some. */
  private static final class Draft {
    int ranks;
    long seed;
    CostModel cost;
    Duration delay;
    Duration reordering;
    double busyProbability;
    double fullProbability;
    double immediateProbability;
    int injectLimit;
    long transferLimit;
    int pendingLimit;
    int registrationLimit;

    Draft(SimOptions from) {
      ranks = from.ranks;
      seed = from.seed;
      cost = from.cost;
      delay = from.delay;
      reordering = from.reordering;
      busyProbability = from.busyProbability;
      fullProbability = from.fullProbability;
      immediateProbability = from.immediateProbability;
      injectLimit = from.injectLimit;
      transferLimit = from.transferLimit;
      pendingLimit = from.pendingLimit;
      registrationLimit = from.registrationLimit;
    }

    SimOptions done() {
      return new SimOptions(
          ranks,
          seed,
          cost,
          delay,
          reordering,
          busyProbability,
          fullProbability,
          immediateProbability,
          injectLimit,
          transferLimit,
          pendingLimit,
          registrationLimit);
    }
  }
}
