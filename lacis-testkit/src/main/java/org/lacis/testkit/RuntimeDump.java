package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Device;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.LacisException;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.Post;
import org.lacis.QueueOptions;
import org.lacis.RemoteCompletion;
import org.lacis.Status;
import org.lacis.collective.Collectives;

/** What a dump says about a runtime with something under way. */
interface RuntimeDump extends RuntimeSuite {

  int LONG = 100_000;

  @Test
  default void anIdleRuntimeHasLittleToTell() {
    try (Job job = open(2, Job.OPTIONS.withName("halo"))) {
      assertThat(job.rank(1).dump())
          .startsWith("Lacis[halo, rank 1 of 2, " + job.rank(1).network() + "]\n")
          .contains("Device[default of rank 1]: 0 under way, 0 in the backlog\n")
          .contains("PacketPool[default", "0 of 256 packets in use\n")
          .doesNotContain("threads", "receives", "gone", "cannot");
    }
  }

  @Test
  default void receivesWithoutAMessageAreTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Lacis lacis = job.rank(0);
      var engine = job.newMatchingEngines(MatchingOptions.defaults().withBuckets(16)).getFirst();
      var reply = lacis.newSynchronizer("reply", 1);
      MemorySegment buffer = Talk.memory(100);
      job.insist("a receive", () -> lacis.recv(1, buffer, 7, reply));
      job.insist(
          "a receive",
          () ->
              lacis
                  .recv()
                  .from(1)
                  .anyLength()
                  .matching(MatchingPolicy.RANK_ONLY)
                  .matching(engine)
                  .post((Handler) Status::close));
      assertThat(lacis.dump())
          .contains("MatchingEngine[default]: 1 receives and 0 messages have not met\n")
          .contains(
              "    recv from rank 1, tag 7, up to 100 bytes, signals Synchronizer[reply, 0 of 1],"
                  + " for 0.")
          .contains("MatchingEngine[#1]: 1 receives and 0 messages have not met\n")
          .contains("    recv from rank 1, any tag, any length, signals a handler, for ");
    }
  }

  @Test
  default void messagesWithoutAReceiveAreTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Talk.send(job, 0, 1, 8, 5, 1);
      job.insist(
          "a send",
          () -> job.rank(0).send(1, Talk.memory(LONG), 9, job.rank(0).newCounter("sent")));
      job.until("two messages", () -> job.rank(1).matchingEngine().waitingMessages() == 2);
      assertThat(job.rank(1).dump())
          .contains("MatchingEngine[default]: 0 receives and 2 messages have not met\n")
          .contains("    message from rank 0, tag 8, 5 bytes, for ")
          .contains("    request to fetch a message from rank 0, tag 9, 100000 bytes, for ");
      assertThat(job.rank(0).dump())
          .contains("Device[default of rank 0]: 1 under way")
          .contains(
              "    send to rank 1, tag 9, 100000 bytes, signals Counter[sent, 0], waits for its"
                  + " receiver, for ");
    }
  }

  @Test
  default void messagesForWhatIsNotThereYetAreTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      RemoteCompletion early = job.rank(0).register(Completion.NONE);
      job.insist("an am", () -> job.rank(0).am(1, Talk.memory(8), 3, early, Completion.NONE));
      job.until("an early message", () -> job.rank(1).device().counters().early() == 1);
      assertThat(job.rank(1).dump())
          .contains("messages for what this rank has not made or registered yet:\n")
          .contains("  active message from rank 0, tag 3, 8 bytes, for completion 0, for ");
    }
  }

  @Test
  default void theBacklogIsToldTheOldestFirstAndNotAllOfIt() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Lacis here = job.rank(0);
      RemoteCompletion target = here.register(Completion.NONE);
      job.rank(1).register(Completion.NONE);
      MemorySegment message = Talk.memory(8);
      Talk.flood(() -> here.am(1, message, 0, target, Completion.NONE));
      for (int posted = 0; posted < 25; ) {
        Post answer =
            here.am().to(1).buffer(message).target(target).allowRetry(false).post(Completion.NONE);
        posted += answer.isPosted() ? 1 : 0;
      }
      assertThat(here.dump())
          .contains("0 under way, 25 in the backlog\n")
          .contains("    am to rank 1, tag 0, 8 bytes, signals nobody, for ")
          .contains("    and 15 more\n")
          .containsPattern("counters: .*retry queue \\d+");
    }
  }

  @Test
  default void threadsThatWaitAreTold() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      var reply = lacis.newSynchronizer("reply", 1);
      var inbox = lacis.newCompletionQueue();
      var count = lacis.newCounter("letters");
      check(job, "reader", reply::await, "reader waits for Synchronizer[reply, 0 of 1], for ");
      check(job, "taker", () -> take(inbox), "taker waits for something in CompletionQueue[#0");
      check(job, "v", () -> count.await(3), "v waits for Counter[letters, 0] to reach 3, for ");
      check(job, "b", lacis::barrier, "b waits for barrier 1: rank 1 has not come to round 0");
    }
  }

  private static void take(CompletionQueue queue) {
    try (var status = Status.create()) {
      queue.take(status);
    }
  }

  /** A thread that waits until it is interrupted. */
  private static void check(Job job, String name, Runnable wait, String line) {
    AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
    Runnable caught =
        () -> {
          try {
            wait.run();
          } catch (Throwable e) {
            end.set(e);
          }
        };
    Thread thread =
        name.equals("v")
            ? Thread.ofVirtual().name(name).start(caught)
            : Thread.ofPlatform().daemon().name(name).start(caught);
    Await.until("a line " + line, () -> job.rank(0).dump().contains(line));
    thread.interrupt();
    Await.until("the end of " + name, () -> end.get() != null);
    assertThat(end.get()).isInstanceOf(LacisException.class);
    assertThat(job.rank(0).dump()).doesNotContain(line);
  }

  @Test
  default void fencesAreTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Lacis lacis = job.rank(0);
      job.insist("a send", () -> lacis.send(1, Talk.memory(LONG), 9, Completion.NONE));
      check(job, "f", lacis::fence, "f waits for a fence: at most 1 of the operations before it");
    }
  }

  @Test
  default void roomThatIsWaitedForIsTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Lacis lacis = job.rank(0);
      RemoteCompletion target = lacis.register(Completion.NONE);
      MemorySegment message = Talk.memory(8);
      Talk.flood(() -> lacis.am(1, message, 0, target, Completion.NONE));
      check(
          job,
          "p",
          () -> {
            for (; ; ) {
              lacis.am().to(1).buffer(message).target(target).postBlocking(Completion.NONE);
            }
          },
          "p waits for room for am to rank 1, tag 0, target 0, at first RETRY_");
    }
  }

  @Test
  default void graphsUnderWayAreTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Lacis lacis = job.rank(0);
      var graph = lacis.newGraph("exchange");
      MemorySegment buffer = Talk.memory(8);
      graph.call("first", () -> {});
      var in = graph.post("in", done -> lacis.recv(1, buffer, 0, done));
      graph.call("last", () -> {}).after(in);
      assertThat(lacis.dump()).doesNotContain("exchange");
      graph.start();
      assertThat(lacis.dump())
          .contains("graphs and collectives under way:\n")
          .contains("  exchange: run 1 is under way, 1 of 3 nodes have ended; under way: in, for ")
          .contains("signals node in of graph exchange, for ");
    }
  }

  @Test
  default void collectivesUnderWayAreTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Collectives here = job.together("collectives", Collectives::of).getFirst();
      here.newBarrier().start();
      assertThat(job.rank(0).dump())
          .contains("graphs and collectives under way:\n  barrier: run 1 is under way, ")
          .containsPattern("nodes have ended; under way: .*receive from 1")
          .contains("MatchingEngine[collectives of 2 members]: ")
          .contains("signals a step of barrier, ")
          .doesNotContain("that another member has failed");
    }
  }

  @Test
  default void receivesThatAreMeantToWaitAreNotTold() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Collectives here = job.together("collectives", Collectives::of).getFirst();
      assertThat(here.toString()).contains("member 0");
      assertThat(job.rank(0).dump()).doesNotContain("MatchingEngine");
    }
  }

  @Test
  default void aFullQueueIsToldWithWhomItHoldsUp() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      Lacis here = job.rank(0);
      Lacis there = job.rank(1);
      CompletionQueue inbox = there.newCompletionQueue("inbox", QueueOptions.bounded(2));
      there.register(inbox);
      RemoteCompletion target = here.register(Completion.NONE);
      for (int i = 0; i < 3; i++) {
        job.insist("an am", () -> here.am(1, Talk.memory(8), 0, target, Completion.NONE));
      }
      job.until(
          "a line about the queue",
          () ->
              there
                  .dump()
                  .contains(
                      "CompletionQueue[inbox, 2 of 2] is full, completion 0: behind it wait"
                          + " messages of rank 0 on Device[default of rank 1]\n"));
      assertThat(here.dump()).doesNotContain("is full");
      try (var status = Status.create()) {
        assertThat(inbox.pop(status)).isTrue();
      }
      assertThat(there.dump()).doesNotContain("is full");
    }
  }

  @Test
  default void aDeviceThatNobodyCaresForIsTold() {
    try (Job job = open(1)) {
      Lacis lacis = job.rank(0);
      String line = "  nobody has made progress on it for ";
      Await.until("a line about the device", () -> lacis.dump().contains(line));
      Await.until(
          "its end",
          () -> {
            // The clock is read now and then only.
            for (int i = 0; i < 1000; i++) {
              lacis.progress();
            }
            return !lacis.dump().contains(line);
          });
    }
  }

  @Test
  default void ranksThatAreGoneAreTold() {
    try (Job job = open(3)) {
      job.close(2);
      job.until("the end of rank 2", () -> job.rank(0).dump().contains("\ngone: rank 2\n"));
    }
  }

  @Test
  default void aClosedRuntimeCanStillBeAsked() {
    try (Job job = open(1)) {
      job.close(0);
      assertThat(job.rank(0).dump()).contains(", closed]\n").doesNotContain("cannot");
    }
  }

  /** Operations come and go, a device is made and closed, while another thread looks. */
  @Test
  default void itCanBeAskedWhileOthersPost() throws InterruptedException {
    try (Job job = open(1)) {
      Lacis lacis = job.rank(0);
      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      Thread looker =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      while (!over.get()) {
                        assertThat(lacis.dump()).doesNotContain("cannot be shown");
                      }
                    } catch (Throwable e) {
                      failure.set(e);
                    }
                  });
      for (int round = 0; round < 20; round++) {
        for (int size : Talk.sizes(lacis)) {
          Witness sent = Talk.send(job, 0, 0, round, size, round);
          Talk.receive(job, 0, 0, round, size, round);
          job.until("the end of a send", sent::heard);
        }
        Device device = lacis.newDevice();
        device.recv(0, Talk.memory(8), 100, Completion.NONE);
        device.close();
      }
      over.set(true);
      looker.join();
      assertThat(failure.get()).isNull();
    }
  }
}
