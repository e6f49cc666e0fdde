package org.lacis.net.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.lacis.net.NetException;
import org.lacis.net.Network;

class SimExchangeTest {

  @Test
  void everyRankGetsTheValuesOfAll() throws ExecutionException, InterruptedException {
    SimFabric fabric = SimFabric.create(SimOptions.defaults().withRanks(4));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String[]>> answers = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        Network.Exchange exchange = fabric.exchange(rank);
        answers.add(threads.submit(() -> exchange.allGather("name", "v" + exchange.rank())));
      }
      for (Future<String[]> answer : answers) {
        assertThat(answer.get()).containsExactly("v0", "v1", "v2", "v3");
      }
    }
  }

  @Test
  void aJobHasOneNameThatNoOtherHas() {
    SimFabric fabric = SimFabric.create(SimOptions.defaults());
    assertThat(fabric.exchange(0).jobId())
        .isEqualTo(fabric.exchange(1).jobId())
        .matches("[a-z0-9]+");
    assertThat(SimFabric.create(SimOptions.defaults()).exchange(0).jobId())
        .isNotEqualTo(fabric.exchange(0).jobId());
  }

  @Test
  void aNameIsUsedOnce() {
    SimFabric fabric = SimFabric.create(SimOptions.defaults().withRanks(1));
    fabric.exchange(0).allGather("once", "");
    assertThatThrownBy(() -> fabric.exchange(0).allGather("once", ""))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("'once'");
  }
}
