package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.ErrorKind;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.LacisException;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.Synchronizer;
import org.lacis.testkit.Witness.OfHandler;

/**
 * Runtimes as a whole: who they are, barriers, messages to oneself, progress threads, several at
 * once, their end.
 */
interface RuntimeLife extends RuntimeSuite {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  default void everyRankKnowsWhoItIs(int ranks) {
    try (Job job = open(ranks)) {
      for (int rank = 0; rank < ranks; rank++) {
        Lacis lacis = job.rank(rank);
        assertThat(lacis.rank()).isEqualTo(rank);
        assertThat(lacis.size()).isEqualTo(ranks);
        assertThat(lacis.network()).isNotBlank();
        assertThat(lacis.networkDetails()).isNotBlank();
        assertThat(lacis.options().ringCells()).isEqualTo(Job.OPTIONS.ringCells());
        assertThat(lacis.eagerLimit()).isEqualTo(Job.OPTIONS.pool().packetBytes());
        assertThat(lacis.injectLimit()).isBetween(8, lacis.eagerLimit());
        assertThat(lacis.toString()).contains(String.valueOf(rank)).contains(" " + ranks);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  default void nobodyLeavesABarrierBeforeAllHaveEntered(int ranks) {
    int rounds = 30;
    try (Job job = open(ranks)) {
      AtomicInteger entered = new AtomicInteger();
      job.together(
          rounds + " barriers of " + ranks + " ranks",
          lacis -> {
            for (int round = 1; round <= rounds; round++) {
              entered.incrementAndGet();
              lacis.barrier();
              assertThat(entered.get()).isGreaterThanOrEqualTo(round * ranks);
            }
            return lacis;
          });
      assertThat(entered.get()).isEqualTo(rounds * ranks);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  default void aRankTalksToItself(int ranks) {
    try (Job job = open(ranks)) {
      Lacis self = job.rank(ranks - 1);
      OfHandler target = Witness.handler();
      RemoteCompletion name = self.register(target.completion());
      for (int size : OperationCase.sizes(self)) {
        selfSend(job, self, size);
        var local = Talk.filled(size, size);
        Witness sent = Witness.handler();
        Post am =
            job.insist(
                "an active message", () -> self.am(self.rank(), local, 1, name, sent.completion()));
        job.await("an active message of " + size + " bytes", sent, am);
        job.until("an active message of " + size + " bytes", target::heard);
        Pattern.check("an active message", target.told().payload(), size);
        target.all().clear();
        selfTransfer(job, self, size, name, target);
      }
    }
  }

  private static void selfSend(Job job, Lacis self, int size) {
    for (boolean expected : new boolean[] {true, false}) {
      var buffer = Talk.memory(size);
      Witness received = Witness.handler();
      if (expected) {
        job.insist("a receive", () -> self.recv(self.rank(), buffer, 3, received.completion()));
      }
      Witness sent = Talk.send(job, self.rank(), self.rank(), 3, size, size);
      if (!expected) {
        job.progressOn();
        job.insist("a receive", () -> self.recv(self.rank(), buffer, 3, received.completion()));
      }
      job.until("a message to oneself", () -> received.heard() && sent.heard());
      Pattern.check("a message to oneself", buffer, size);
      assertThat(received.told().rank()).isEqualTo(self.rank());
    }
  }

  private static void selfTransfer(
      Job job, Lacis self, int size, RemoteCompletion name, OfHandler target) {
    var local = Talk.filled(size, size);
    try (Region region = self.allocate(size + 1)) {
      Witness put = Witness.handler();
      job.finish(
          "a put", put, () -> self.put(local, region.remote(), 1, 2, name, put.completion()));
      job.until("the signal of a put to oneself", target::heard);
      Pattern.check("a put to oneself", region.segment(), 1, size, size);
      target.all().clear();
      var back = Talk.memory(size);
      Witness got = Witness.handler();
      job.finish("a get", got, () -> self.get(back, region.remote(), 1, got.completion()));
      Pattern.check("a get from oneself", back, size);
    }
  }

  @Test
  default void aProgressThreadDoesAllByItself() {
    try (Job job = open(2, Job.OPTIONS.withProgressThread(true))) {
      Set<Thread> threads = ConcurrentHashMap.newKeySet();
      Counter answers = job.rank(0).newCounter();
      RemoteCompletion back = job.rank(0).register(answers);
      RemoteCompletion there =
          job.rank(1)
              .register(
                  (Handler)
                      status -> {
                        threads.add(Thread.currentThread());
                        job.rank(1)
                            .am()
                            .to(0)
                            .buffer(Talk.memory(8))
                            .target(back)
                            .allowRetry(false)
                            .post(Completion.NONE);
                      });
      int sent = 0;
      for (int size : OperationCase.sizes(job.rank(0))) {
        var message = Talk.memory(size);
        Await.until("room", () -> !job.rank(0).am(1, message, 0, there, Completion.NONE).isRetry());
        sent++;
      }
      int all = sent;
      Await.until("the answers, without any call to progress", () -> answers.count() == all);
      assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
      assertThat(threads).allMatch(Thread::isDaemon);
    }
  }

  @Test
  default void severalRuntimesLiveSideBySide() {
    try (Job one = open(2)) {
      Job two = open(2);
      for (int size : Talk.sizes(one.rank(0))) {
        Talk.send(one, 0, 1, 5, size, 1);
        Talk.send(two, 0, 1, 5, size, 2);
        Talk.receive(two, 1, 0, 5, size, 2);
        Talk.receive(one, 1, 0, 5, size, 1);
      }
      two.close();
      Talk.check(one, 0, 1);
    }
  }

  @Test
  default void threadsShareADevice() {
    int threads = 4;
    int messages = 100;
    try (Job job = open(2)) {
      List<Thread> all = new ArrayList<>();
      List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
      for (Lacis lacis : job.ranks()) {
        for (int t = 0; t < threads; t++) {
          int number = t;
          all.add(
              Thread.ofPlatform()
                  .daemon()
                  .uncaughtExceptionHandler((_, failure) -> failures.add(failure))
                  .start(() -> converse(lacis, number, messages)));
        }
      }
      Await.ended("all conversations", all.toArray(Thread[]::new));
      assertThat(failures).isEmpty();
    }
  }

  private static void converse(Lacis lacis, int number, int messages) {
    int peer = 1 - lacis.rank();
    Synchronizer both = lacis.newSynchronizer(2);
    for (int i = 0; i < messages; i++) {
      int tag = number * messages + i;
      int size = OperationCase.sizes(lacis).get(i % 9);
      var out = Talk.filled(size, tag + lacis.rank() * 1_000_000L);
      var in = Talk.memory(size);
      Await.until(
          "a receive",
          Job.LIMIT,
          lacis::progress,
          () -> !lacis.recv(peer, in, tag, both).isRetry());
      Await.until(
          "a send",
          Job.LIMIT,
          lacis::progress,
          () -> !lacis.send().to(peer).buffer(out).tag(tag).allowDone(false).post(both).isRetry());
      assertThat(both.await(Job.LIMIT)).as("message %d of thread %d", i, number).isTrue();
      Pattern.check("message " + i + " of " + number, in, tag + peer * 1_000_000L);
    }
  }

  @Test
  default void whatIsUnderWayFailsWhenTheRuntimeIsClosed() {
    try (Job job = open(2)) {
      Witness receive = Witness.handler();
      Witness send = Witness.handler();
      job.insist("a receive", () -> job.rank(0).recv(1, Talk.memory(8), 1, receive.completion()));
      Post answer =
          job.insist(
              "a send", () -> job.rank(0).send(1, Talk.memory(100_000), 2, send.completion()));
      assertThat(answer).isEqualTo(Post.POSTED);
      job.close(0);
      assertThat(receive.told().kind()).isEqualTo(ErrorKind.CLOSED);
      assertThat(send.told().kind()).isEqualTo(ErrorKind.CLOSED);
    }
  }

  @Test
  default void whoeverWaitsWhenTheRuntimeIsClosedIsTold() {
    try (Job job = open(2)) {
      Synchronizer never = job.rank(0).newSynchronizer();
      List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
      Thread waiting =
          Thread.ofPlatform()
              .daemon()
              .uncaughtExceptionHandler((_, failure) -> thrown.add(failure))
              .start(never::await);
      Thread virtual =
          Thread.ofVirtual()
              .uncaughtExceptionHandler((_, failure) -> thrown.add(failure))
              .start(() -> job.rank(0).newCounter().await(1));
      job.progressOn();
      job.close(0);
      Await.ended("those who waited", waiting, virtual);
      assertThat(thrown).hasSize(2).allMatch(failure -> failure instanceof LacisException);
      assertThat(thrown).allMatch(failure -> failure.toString().contains("closed"));
    }
  }

  @Test
  default void closingTwiceDoesNothing() {
    try (Job job = open(2)) {
      job.close(0);
      job.rank(0).close();
      assertThat(job.rank(0).toString()).contains("closed");
    }
  }

  @Test
  default void aRankThatClosesIsGoneForTheOthers() {
    try (Job job = open(3)) {
      Witness receive = Witness.handler();
      job.insist("a receive", () -> job.rank(1).recv(0, Talk.memory(8), 1, receive.completion()));
      // Messages that rank 0 has not received yet do not keep it from closing.
      Witness send = Talk.send(job, 1, 0, 9, 100_000, 1);
      job.until("the request", () -> job.rank(0).matchingEngine().waitingMessages() == 1);
      job.close(0);
      job.until("the end of the receive and the send", () -> receive.heard() && send.heard());
      assertThat(receive.told().kind()).isEqualTo(ErrorKind.PEER_GONE);
      assertThat(send.told().error()).isNotNull();
      assertThatThrownBy(() -> insistOn(job, 1, 0))
          .isInstanceOf(CommunicationException.class)
          .hasMessageContaining("rank 0");
      Talk.check(job, 1, 2);
    }
  }

  /** Sends until it is taken, which it should not be. */
  private static void insistOn(Job job, int from, int to) {
    for (int i = 0; i < 1000; i++) {
      job.rank(from).send(to, Talk.memory(8), 1, Completion.NONE);
      job.progress();
    }
  }
}
