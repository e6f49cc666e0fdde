package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lacis.LacisOptions;
import org.lacis.PeerFailure;
import org.lacis.net.Network;

/** Two ranks with a line between them that is long, or breaks, with or without coming back. */
class TcpRelayTest {

  private static final Duration DETECTION = Duration.ofSeconds(2);

  private @Nullable Relay relay;
  private final List<PeerFailure> failures = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    if (relay != null) {
      relay.close();
    }
  }

  /** What rank 0 sees of the bootstrap: the relay's address as that of rank 1. */
  private record Detour(Network.Exchange real, TcpRelayTest test) implements Network.Exchange {
    @Override
    public int rank() {
      return real.rank();
    }

    @Override
    public int size() {
      return real.size();
    }

    @Override
    public String jobId() {
      return real.jobId();
    }

    @Override
    public byte[] secret() {
      return real.secret();
    }

    @Override
    public String[] allGather(String name, String value) {
      String[] values = real.allGather(name, value);
      if (name.equals("tcp-doors")) {
        String[] parts = values[1].split("\\+");
        Relay made = new Relay(Integer.parseInt(parts[1]));
        test.relay = made;
        parts[1] = Integer.toString(made.port());
        values[1] = String.join("+", parts);
      }
      return values;
    }
  }

  private Job open() {
    List<Network.Exchange> exchanges = LocalExchange.of(2);
    LacisOptions options = Job.OPTIONS.withDetection(DETECTION);
    Network tcp = TcpJobs.network();
    Job job =
        Job.open(
            List.of(
                options.withNetwork(tcp, new Detour(exchanges.get(0), this)),
                options.withNetwork(tcp, exchanges.get(1))));
    job.rank(0).onPeerFailure(failures::add);
    return job;
  }

  private Relay relay() {
    return Objects.requireNonNull(relay);
  }

  @Test
  void aLongLineIsNoFailure() {
    try (Job job = open()) {
      relay().delay(50);
      Talk.check(job, 0, 1);
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void aLineThatComesBackInTimeCostsNothing() {
    try (Job job = open()) {
      relay().hold(true);
      Witness sent = Talk.send(job, 0, 1, 7, 100_000, 1);
      long begin = System.nanoTime();
      Await.until(
          "a third of the detection time",
          () -> {
            job.progress();
            return System.nanoTime() - begin > DETECTION.toNanos() / 3;
          });
      relay().hold(false);
      Talk.receive(job, 1, 0, 7, 100_000, 1);
      job.until("the end of the send", sent::heard);
      Talk.check(job, 0, 1);
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void aLineThatBreaksWithoutAWordIsMissed() {
    try (Job job = open()) {
      job.leaveUnfinished();
      var received = Witness.handler();
      job.rank(0).recv(1, Talk.memory(8), 3, received.completion());
      relay().hold(true);
      long begin = System.nanoTime();
      job.until("the failure of the receive", received::heard);
      System.out.printf(
          "faults: a held line, tcp, detection %d ms: missed after %.2f s%n",
          DETECTION.toMillis(), (System.nanoTime() - begin) / 1e9);
      assertThat(received.told().error()).hasMessageContaining("rank 1 is gone: nothing was heard");
      assertThat(failures)
          .extracting(PeerFailure::reason)
          .containsExactly(PeerFailure.Reason.SILENT);
    }
  }
}
