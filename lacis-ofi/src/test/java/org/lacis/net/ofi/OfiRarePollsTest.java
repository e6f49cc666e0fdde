package org.lacis.net.ofi;

import org.junit.jupiter.api.Test;
import org.lacis.testkit.RarePolls;

class OfiRarePollsTest {

  @Test
  void whoPollsRarelyMissesASilentPeerToo() {
    Providers.with("tcp", () -> RarePolls.check(OfiNetwork::new));
  }

  @Test
  void whoPollsNothingOrHasClosedADeviceIsNotMissed() {
    Providers.with("tcp", () -> RarePolls.checkQuietOnes(OfiNetwork::new));
  }
}
