package org.lacis.testkit;

import java.util.random.RandomGenerator;

/** Everything at once, at random, against a model of what must come of it. */
public interface NetworkMix extends NetworkSuite {

  /** Random posts, refusals and polls. */
  @ByRanks
  default void aRandomMixOfEverythingLeavesNothingBehind(int ranks, RandomGenerator random) {
    try (var rig = new NetworkRig(open(ranks))) {
      var model = new NetworkModel(rig, random);
      for (int step = 0; step < 6000; step++) {
        model.step();
      }
      model.finish();
    }
  }
}
