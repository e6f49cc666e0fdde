package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.Device;
import org.lacis.Idle;
import org.lacis.Lacis;

/** Who waits keeps no core from others when there are fewer cores than threads. */
class CrowdTest {

  private static final int RANKS = 2;

  @Test
  void loopsGiveWaySoonerWhileThereAreMoreDevicesThanCores() {
    int cores = Runtime.getRuntime().availableProcessors();
    assumeTrue(cores >= RANKS, "with fewer cores than ranks they do so anyway");
    try (Job job = ShmJobs.open(RANKS, Job.OPTIONS)) {
      Lacis here = job.rank(0);
      int alone = looksBeforeSleep(here.newIdle());
      List<Device> added = new ArrayList<>();
      for (int devices = 2; RANKS * (devices - 1) <= cores; devices++) {
        added.addAll(job.newDevices());
      }
      assertThat(looksBeforeSleep(here.newIdle())).isLessThan(alone);
      added.forEach(Device::close);
      assertThat(looksBeforeSleep(here.newIdle())).isEqualTo(alone);
    }
  }

  private static int looksBeforeSleep(Idle idle) {
    int looks = 1;
    while (!idle.step(0)) {
      looks++;
    }
    return looks;
  }
}
