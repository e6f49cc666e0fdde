package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.lacis.Device;
import org.lacis.Graph;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.MatchingOptions;
import org.lacis.Region;
import org.lacis.Status;

/** Handlers that start the next of many things, each of which is complete at once. */
interface RuntimeChains extends RuntimeSuite {

  int LINKS = 3000;

  @Test
  default void aHandlerReceivesAllMessagesThatWait() {
    for (MatchingOptions kind : List.of(MatchingOptions.defaults(), MatchingOptions.ordered())) {
      try (Job job = open(2, Job.OPTIONS.withMatching(kind))) {
        Lacis lacis = job.rank(1);
        for (int i = 0; i < LINKS; i++) {
          Talk.send(job, 0, 1, 7, 8, i);
        }
        job.until("all to wait", () -> lacis.matchingEngine().waitingMessages() == LINKS);
        var chain =
            new Chain() {
              @Override
              void next() {
                lacis.recv().from(0).tag(7).buffer(Talk.memory(8)).allowRetry(false).post(this);
              }
            };
        chain.next();
        job.until("all to be received", () -> chain.links.get() == LINKS);
        assertThat(lacis.matchingEngine().waitingMessages()).isZero();
      }
    }
  }

  @Test
  default void aHandlerPutsAgain() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(8)) {
      Lacis lacis = job.rank(0);
      var chain =
          new Chain() {
            @Override
            void next() {
              lacis
                  .put()
                  .buffer(Talk.memory(8))
                  .remote(region.remote(), 0)
                  .allowDone(false)
                  .allowRetry(false)
                  .post(this);
            }
          };
      chain.next();
      job.until("all puts", () -> chain.links.get() == LINKS);
      lacis.fence();
    }
  }

  @Test
  default void aGraphIsStartedAgainWhereItEnds() {
    try (Job job = open(1)) {
      AtomicInteger runs = new AtomicInteger();
      try (Graph graph = job.rank(0).newGraph("again")) {
        graph.call(runs::incrementAndGet);
        var chain =
            new Chain() {
              @Override
              void next() {
                graph.start(this);
              }
            };
        chain.next();
        job.until("all runs", () -> chain.links.get() == LINKS);
        assertThat(runs.get()).isEqualTo(LINKS);
      }
    }
  }

  @Test
  default void whatIsToBeToldIsToldWhenADeviceIsClosed() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(8)) {
      Device device = job.together("a device", Lacis::newDevice).getFirst();
      AtomicInteger posted = new AtomicInteger();
      AtomicInteger told = new AtomicInteger();
      AtomicBoolean closing = new AtomicBoolean();
      Handler[] again = new Handler[1];
      Runnable post =
          () -> {
            posted.incrementAndGet();
            device
                .put()
                .buffer(Talk.memory(8))
                .remote(region.remote(), 0)
                .allowDone(false)
                .allowRetry(false)
                .post(again[0]);
          };
      again[0] =
          _ -> {
            told.incrementAndGet();
            if (!closing.get()) {
              post.run();
            }
          };
      post.run();
      closing.set(true);
      device.close();
      assertThat(told.get()).isEqualTo(posted.get());
    }
  }

  /** Goes on until there are enough links. */
  abstract class Chain implements Handler {
    final AtomicInteger links = new AtomicInteger();

    abstract void next();

    @Override
    public void signal(Status status) {
      assertThat(status.failed()).isFalse();
      if (links.incrementAndGet() < LINKS) {
        next();
      }
    }
  }
}
