package org.lacis.testkit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RarePollsTest {

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whoPollsRarelyMissesASilentPeerToo(String network) {
    RarePolls.check(() -> MixedJobs.named(network));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void whoPollsNothingOrHasClosedADeviceIsNotMissed(String network) {
    RarePolls.checkQuietOnes(() -> MixedJobs.named(network));
  }
}
