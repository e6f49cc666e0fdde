package org.lacis.testkit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.sim.CostModel;
import org.lacis.net.sim.SimFabric;
import org.lacis.net.sim.SimOptions;

class SimNetworkContractTest {

  private static final SimOptions OPTIONS = SimOptions.defaults();
  private static final Duration WINDOW = Duration.of(20, ChronoUnit.MICROS);

  /** All ranks opened by one thread, one after the other: the simulated network needs no more. */
  private record InTurn(List<NetContext> contexts) implements NetworkFabric {

    static InTurn open(SimOptions options) {
      SimFabric fabric = SimFabric.create(options.withSeed(Seeds.seed()));
      return new InTurn(
          IntStream.range(0, options.ranks())
              .mapToObj(rank -> fabric.network(rank).open(LocalFabric.setup(fabric.exchange(rank))))
              .toList());
    }

    @Override
    public List<NetDevice> openDevices() {
      return contexts.stream().map(NetContext::openDevice).toList();
    }

    @Override
    public void close() {
      contexts.forEach(NetContext::close);
    }
  }

  @Nested
  class InOrder extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return InTurn.open(OPTIONS.withRanks(ranks));
    }
  }

  @Nested
  class WithoutTime extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return InTurn.open(
          OPTIONS.withRanks(ranks).withCost(CostModel.FREE).withImmediateProbability(1));
    }
  }

  @Nested
  class Reordering extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return InTurn.open(
          OPTIONS.withRanks(ranks).withReordering(WINDOW).withImmediateProbability(0.3));
    }
  }

  @Nested
  class WithDelaysAndRefusals extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      return InTurn.open(
          OPTIONS
              .withRanks(ranks)
              .withDelay(WINDOW)
              .withReordering(WINDOW)
              .withBusyProbability(0.2)
              .withFullProbability(0.2)
              .withImmediateProbability(0.5)
              .withPendingLimit(8)
              .withRegistrationLimit(200));
    }
  }

  @Nested
  class OpenedByAThreadEach extends NetworkContract {
    @Override
    public NetworkFabric open(int ranks) {
      SimFabric fabric = SimFabric.create(OPTIONS.withRanks(ranks).withReordering(WINDOW));
      return LocalFabric.open(ranks, fabric::network);
    }
  }
}
