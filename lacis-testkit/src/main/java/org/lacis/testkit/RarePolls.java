package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.lacis.net.NetDevice;
import org.lacis.net.Network;
import org.lacis.net.PeerEnd;

/** A rank that polls now and then, and a peer that gives no sign of life. */
public final class RarePolls {

  private static final Duration DETECTION = Duration.ofMillis(200);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final Duration QUIET_DETECTION = Duration.ofSeconds(1);
  private static final long QUIET_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Few: the time is to count, and not the polls. */
  private static final int POLLS = 48;

  private RarePolls() {}

  /**
   * Checks that the peer is missed after few polls.
   *
   * @param network what both ranks open
   */
  public static void check(Supplier<Network> network) {
    // Rank 1 lets others wait for an hour, so that it gives a sign of life every quarter of one.
    List<Duration> detection = List.of(DETECTION, Duration.ofHours(1));
    try (NetworkFabric fabric =
        LocalFabric.open(2, rank -> Altered.detection(network.get(), detection.get(rank)))) {
      NetDevice device = fabric.openDevices().getFirst();
      NetworkRecorder recorder = new NetworkRecorder(fabric.contexts().getFirst());
      for (int poll = 0; poll < POLLS && recorder.gone.isEmpty(); poll++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        device.poll(recorder, 16);
      }
      assertThat(recorder.ends).as("who is gone after few polls").containsEntry(1, PeerEnd.SILENT);
    }
  }

  /**
   * Checks that a rank which polls nothing for long is not missed, nor one that has closed a device
   * of which the peer goes on polling its own.
   *
   * @param network what both ranks open
   */
  public static void checkQuietOnes(Supplier<Network> network) {
    try (NetworkFabric fabric =
        LocalFabric.open(2, _ -> Altered.detection(network.get(), QUIET_DETECTION))) {
      NetDevice device = fabric.openDevices().getFirst();
      List<NetDevice> others = fabric.openDevices();
      others.getLast().close();
      NetworkRecorder recorder = new NetworkRecorder(fabric.contexts().getFirst());
      long start = System.nanoTime();
      while (System.nanoTime() - start < 3 * QUIET_DETECTION.toNanos()) {
        device.poll(recorder, 16);
        others.getFirst().poll(recorder, 16);
        LockSupport.parkNanos(QUIET_PAUSE_NANOS);
      }
      assertThat(recorder.gone).as("who is gone").isEmpty();
    }
  }
}
