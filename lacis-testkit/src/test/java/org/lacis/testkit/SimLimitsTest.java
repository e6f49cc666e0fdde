package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Device;
import org.lacis.Lacis;
import org.lacis.LacisException;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.Rights;
import org.lacis.net.sim.SimOptions;

/**
 * Networks with little room: what does not fit at all is refused, what does not fit now is tried
 * again.
 */
class SimLimitsTest {

  private static final int TRANSFER = 50_000;

  @Test
  void moreThanTheNetworkMovesAtOnceIsRefused() {
    SimOptions sim = SimOptions.defaults().withTransferLimit(TRANSFER);
    try (Job job = SimJobs.open(2, Job.OPTIONS, sim)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion target = job.rank(1).register(Completion.NONE);
      MemorySegment large = Talk.memory(TRANSFER + 1);
      Object[] words = {"buffer", TRANSFER + 1, "at most " + TRANSFER};
      Refusal refusal = new Refusal(job);
      try (Region region = job.rank(1).allocate(2 * TRANSFER)) {
        refusal.ofArgument(() -> lacis.send(1, large, 0, Completion.NONE), words);
        refusal.ofArgument(() -> lacis.am(1, large, 0, target, Completion.NONE), words);
        refusal.ofArgument(() -> lacis.put(large, region.remote(), 0, Completion.NONE), words);
        refusal.ofArgument(() -> lacis.get(large, region.remote(), 0, Completion.NONE), words);
        refusal.ofArgument(
            () -> lacis.send().to(1).buffer(large).allowRetry(false).post(Completion.NONE), words);
      }
      Talk.send(job, 0, 1, 5, TRANSFER, 5);
      Talk.receive(job, 1, 0, 5, TRANSFER, 5);
    }
  }

  @Test
  void aLockThatIsHeldAnswersRetryLockAndNothingHasHappened() {
    SimOptions sim = SimOptions.defaults().withBusyProbability(0.5);
    try (Job job = SimJobs.open(2, Job.OPTIONS, sim)) {
      Counter arrived = job.rank(1).newCounter();
      RemoteCompletion target = job.rank(1).register(arrived);
      MemorySegment message = Talk.memory(8);
      List<Post> answers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        answers.add(job.rank(0).am(1, message, 0, target, Completion.NONE));
      }
      assertThat(answers).contains(Post.DONE, Post.RETRY_LOCK);
      job.until("what was taken", () -> arrived.count() == Talk.taken(answers));
      job.progressOn();
      assertThat(arrived.count()).isEqualTo(Talk.taken(answers));
    }
  }

  @Test
  void aFullTableOfRegistrationsAnswersRetryMemory() {
    SimOptions sim = SimOptions.defaults().withRegistrationLimit(4);
    try (Job job = SimJobs.open(2, Job.OPTIONS, sim)) {
      int[] next = {0};
      List<Post> answers =
          Talk.flood(
              () -> {
                MemorySegment message = Talk.filled(20_000, next[0]);
                Post answer = job.rank(0).send(1, message, next[0], Completion.NONE);
                next[0] += answer.isRetry() ? 0 : 1;
                return answer;
              });
      assertThat(next[0]).isEqualTo(4);
      assertThat(answers).contains(Post.RETRY_MEMORY);
      Refusal refusal = new Refusal(job);
      for (int tag = 0; tag < 4; tag++) {
        Talk.receive(job, 1, 0, tag, 20_000, tag);
      }
      job.checkIdle();
      Region[] regions = new Region[4];
      for (int i = 0; i < 4; i++) {
        regions[i] = job.rank(0).register(Talk.memory(8), Rights.READ);
      }
      refusalWithoutRoom(job);
      for (Region region : regions) {
        region.close();
      }
      refusal.ofArgument(() -> job.rank(0).allocate(0), "bytes");
    }
  }

  /** No room for a region: said by an exception, since it is the program that must close one. */
  private static void refusalWithoutRoom(Job job) {
    try {
      job.rank(0).register(Talk.memory(8), Rights.READ);
      throw new AssertionError("there was room for a fifth registration");
    } catch (LacisException e) {
      assertThat(e).hasMessageContaining("regions");
    }
  }

  @Test
  void allocatingWithoutRoomForTheRegistrationGivesTheMemoryBack() {
    SimOptions sim = SimOptions.defaults().withRegistrationLimit(1);
    try (Job job = SimJobs.open(2, Job.OPTIONS, sim)) {
      Region only = job.rank(0).register(Talk.memory(8), Rights.READ);
      for (int i = 0; i < 20; i++) {
        try {
          job.rank(0).allocate(16 << 20);
          throw new AssertionError("there was room for a second registration");
        } catch (LacisException e) {
          assertThat(e).hasMessageContaining("regions");
        }
      }
      only.close();
      job.rank(0).allocate(16 << 20).close();
    }
  }

  @Test
  void transfersWaitForRoomInTheTableOfTransfers() {
    SimOptions sim = SimOptions.defaults().withPendingLimit(2);
    try (Job job = SimJobs.open(2, Job.OPTIONS, sim);
        Region region = job.rank(1).allocate(8 * 100)) {
      var done = job.rank(0).newCounter();
      for (int i = 0; i < 100; i++) {
        Post answer =
            job.rank(0)
                .put()
                .buffer(Talk.filled(8, i))
                .remote(region.remote(), 8L * i)
                .allowRetry(false)
                .post(done);
        assertThat(answer).isEqualTo(Post.POSTED);
      }
      assertThat(job.rank(0).device().backlog().length()).isEqualTo(98);
      job.until("all puts", () -> done.count() == 100);
      for (int i = 0; i < 100; i++) {
        Pattern.check("put " + i, region.segment(), 8L * i, 8, i);
      }
    }
  }

  @Test
  void theSendsOfAClosedDeviceGiveTheirRegistrationsBack() {
    SimOptions sim = SimOptions.defaults().withRegistrationLimit(4);
    try (Job job = SimJobs.open(2, Job.OPTIONS, sim)) {
      for (int i = 0; i < 10; i++) {
        List<Device> devices = job.newDevices();
        Witness sent = Witness.handler();
        MemorySegment message = Talk.memory(20_000);
        job.insist("a send", () -> devices.get(0).send(1, message, 0, sent.completion()));
        devices.get(0).close();
        assertThat(sent.heard()).isTrue();
      }
      Talk.check(job, 0, 1);
      job.leaveUnfinished();
    }
  }
}
