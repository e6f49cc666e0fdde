package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.lacis.AtomicOp;
import org.lacis.BufferList;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.MatchingPolicy;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Synchronizer;
import org.lacis.net.sim.SimFabric;
import org.lacis.net.sim.SimOptions;
import org.lacis.testkit.Witness.OfHandler;

/** A rank dies: whoever deals with it is told, and the others go on. */
class SimPeerDeathTest {

  /** Who dies, of three. */
  private static final int DEAD = 2;

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  /** A fabric of so many ranks. */
  static SimFabric fabric(int ranks) {
    return SimFabric.create(SimOptions.defaults().withRanks(ranks));
  }

  /** The ranks of a fabric, which may leave something unfinished. */
  static Job job(SimFabric fabric) {
    Job job = SimJobs.open(fabric, Job.OPTIONS);
    job.leaveUnfinished();
    return job;
  }

  /** Kills, and lets everybody notice. */
  private static void kill(SimFabric fabric, Job job, int rank) {
    fabric.kill(rank);
    job.progressOn();
  }

  private static void checkGone(Witness witness) {
    assertThat(witness.heard()).isTrue();
    assertThat(witness.told().kind()).isEqualTo(ErrorKind.PEER_GONE);
    assertThat(witness.told().error()).isNotNull().hasMessageContaining("rank " + DEAD);
    assertThat(witness.told().rank()).isEqualTo(DEAD);
  }

  /** After a death: those who are left have lost nothing, and understand each other. */
  private static void checkSurvivors(Job job) {
    Talk.check(job, 0, 1);
    for (int rank = 0; rank < 2; rank++) {
      Lacis lacis = job.rank(rank);
      job.until(
          "all packets of rank " + rank,
          () -> lacis.packetPool().available() == Job.OPTIONS.pool().packets());
      assertThat(lacis.device().backlog().length()).isZero();
    }
  }

  @Test
  void receivesFromItFail() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric)) {
      Device device = job.newDevices().get(0);
      MatchingEngine engine = job.newMatchingEngines(MatchingOptions.defaults()).get(0);
      Lacis lacis = job.rank(0);
      List<OfHandler> receives = new ArrayList<>();
      for (Device on : List.of(lacis.device(), device)) {
        for (MatchingPolicy policy : List.of(MatchingPolicy.RANK_TAG, MatchingPolicy.RANK_ONLY)) {
          for (MatchingEngine in : List.of(lacis.matchingEngine(), engine)) {
            OfHandler received = Witness.handler();
            var posting = on.recv().from(DEAD).buffer(Talk.memory(8)).matching(policy);
            assertThat(posting.matching(in).post(received.completion())).isEqualTo(Post.POSTED);
            receives.add(received);
          }
        }
      }
      OfHandler fromOther = Witness.handler();
      lacis.recv(1, Talk.memory(8), 0, fromOther.completion());
      kill(fabric, job, DEAD);
      receives.forEach(SimPeerDeathTest::checkGone);
      assertThat(fromOther.heard()).isFalse();
      assertThat(lacis.device().pending()).isEqualTo(1);
      Talk.send(job, 1, 0, 0, 8, 1);
      job.until("a message of a rank that lives", fromOther::heard);
      checkSurvivors(job);
    }
  }

  @Test
  void aReceiveFromAnyoneGoesOnWaiting() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric)) {
      OfHandler received = Witness.handler();
      job.rank(0)
          .recv()
          .tag(7)
          .matching(MatchingPolicy.TAG_ONLY)
          .buffer(Talk.memory(8))
          .post(received.completion());
      kill(fabric, job, DEAD);
      assertThat(received.heard()).isFalse();
      job.rank(1)
          .send()
          .to(0)
          .tag(7)
          .matching(MatchingPolicy.TAG_ONLY)
          .buffer(Talk.filled(8, 1))
          .post(Completion.NONE);
      job.until("a message of a rank that lives", received::heard);
      assertThat(received.told().rank()).isEqualTo(1);
      checkSurvivors(job);
    }
  }

  @Test
  void sendsToItFail() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric)) {
      OfHandler waiting = Witness.handler();
      OfHandler active = Witness.handler();
      MemorySegment message = Talk.memory(100_000);
      job.rank(0).send(DEAD, message, 1, waiting.completion());
      job.rank(0).am(DEAD, message, 1, new RemoteCompletion(0), active.completion());
      job.until(
          "the request at rank 2", () -> job.rank(DEAD).matchingEngine().waitingMessages() == 1);
      kill(fabric, job, DEAD);
      checkGone(waiting);
      checkGone(active);
      checkSurvivors(job);
    }
  }

  @Test
  void listsToItAndFromItFail() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric)) {
      BufferList list = BufferList.of(Talk.memory(50_000), Talk.memory(0), Talk.memory(50_000));
      OfHandler sent = Witness.handler();
      job.rank(0).send().to(DEAD).buffers(list).post(sent.completion());
      job.rank(DEAD).send().to(0).buffers(list).post(Completion.NONE);
      job.rank(DEAD).send().to(0).buffers(list).tag(1).post(Completion.NONE);
      job.until(
          "the requests of rank 2", () -> job.rank(0).matchingEngine().waitingMessages() == 2);
      OfHandler pulled = Witness.handler();
      OfHandler lent = Witness.handler();
      // From here on the parts are on their way.
      job.rank(0).recv().from(DEAD).buffers(list).post(pulled.completion());
      job.rank(0).recv().from(DEAD).anyLength().tag(1).post(lent.completion());
      kill(fabric, job, DEAD);
      checkGone(sent);
      checkGone(pulled);
      checkGone(lent);
      checkSurvivors(job);
    }
  }

  @Test
  void putsAndGetsUnderWayFail() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric);
        Region region = job.rank(DEAD).allocate(100)) {
      RemoteCompletion target = job.rank(DEAD).register(Completion.NONE);
      RemoteRegion remote = region.remote();
      List<OfHandler> ends = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        ends.add(Witness.handler());
      }
      Lacis lacis = job.rank(0);
      int packets = lacis.packetPool().available();
      MemorySegment local = Talk.memory(50);
      BufferList list = BufferList.of(local).withPiggyback(local);
      lacis.put().buffers(list).remote(remote, 0).target(target).post(ends.get(4).completion());
      lacis.get().buffers(list).remote(remote, 0).target(target).post(ends.get(5).completion());
      lacis.put(local, remote, 0, ends.get(0).completion());
      lacis.get(local, remote, 0, ends.get(1).completion());
      lacis.put(local, remote, 0, 1, target, ends.get(2).completion());
      lacis.get(local, remote, 0, 1, target, ends.get(3).completion());
      kill(fabric, job, DEAD);
      ends.forEach(SimPeerDeathTest::checkGone);
      checkSurvivors(job);
      job.until("all packets", () -> lacis.packetPool().available() == packets);
    }
  }

  @Test
  void atomicsUnderWayFail() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric);
        Region region = job.rank(DEAD).allocate(100)) {
      RemoteCompletion target = job.rank(DEAD).register(Completion.NONE);
      OfHandler plain = Witness.handler();
      OfHandler signal = Witness.handler();
      Lacis lacis = job.rank(0);
      lacis.atomic(AtomicOp.ADD, 1, region.remote(), 0, plain.completion());
      lacis
          .atomic()
          .compareAndSwap(0, 1)
          .remote(region.remote(), 8)
          .target(target)
          .post(signal.completion());
      kill(fabric, job, DEAD);
      checkGone(plain);
      checkGone(signal);
      assertThatThrownBy(() -> lacis.atomic(AtomicOp.ADD, 1, region.remote(), 0, Completion.NONE))
          .isInstanceOf(CommunicationException.class)
          .hasMessageContaining("rank " + DEAD);
      checkSurvivors(job);
    }
  }

  /** Others who add to a word see what the dead rank had added, and lose nothing of their own. */
  @Test
  void aRankThatDiesWhileAllAddToAWordHoldsNobodyUp() {
    int each = 300;
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric);
        Region region = job.rank(0).allocate(8)) {
      List<OfHandler> ends = new ArrayList<>();
      int[] tried = new int[3];
      for (int i = 0; i < each; i++) {
        for (int rank = 0; rank < 3; rank++) {
          if (rank != DEAD || i < each / 2) {
            OfHandler end = Witness.handler();
            Lacis lacis = job.rank(rank);
            job.insist(
                "an atomic",
                () ->
                    lacis
                        .atomic()
                        .apply(AtomicOp.ADD, 1)
                        .remote(region.remote(), 0)
                        .allowDone(false)
                        .post(end.completion()));
            tried[rank]++;
            if (rank != DEAD) {
              ends.add(end);
            }
          }
        }
        if (i == each / 2) {
          kill(fabric, job, DEAD);
        }
      }
      job.until("all atomics", () -> ends.stream().allMatch(OfHandler::heard));
      List<Long> found =
          ends.stream().map(end -> end.told().payload().get(WORD, 0)).sorted().distinct().toList();
      assertThat(found).hasSize(2 * each);
      assertThat(found.getLast()).isLessThan(2L * each + tried[DEAD]);
      assertThat(region.segment().get(WORD, 0)).isGreaterThan(found.getLast());
      checkSurvivors(job);
    }
  }

  @Test
  void whatIsInTheBacklogForItFails() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric)) {
      Lacis lacis = job.rank(0);
      Talk.flood(() -> lacis.am(DEAD, Talk.memory(8), 0, new RemoteCompletion(0), Completion.NONE));
      List<OfHandler> ends = new ArrayList<>();
      for (int size : Talk.sizes(lacis)) {
        OfHandler end = Witness.handler();
        var posting = lacis.send().to(DEAD).buffer(Talk.memory(size)).allowRetry(false);
        assertThat(posting.post(end.completion())).isEqualTo(Post.POSTED);
        ends.add(end);
      }
      var packet = lacis.packetPool().get();
      assertThat(packet).isNotNull();
      OfHandler end = Witness.handler();
      lacis.send().to(DEAD).packet(packet, 8).allowRetry(false).post(end.completion());
      ends.add(end);
      assertThat(lacis.device().backlog().length()).isEqualTo(4);
      kill(fabric, job, DEAD);
      ends.forEach(SimPeerDeathTest::checkGone);
      checkSurvivors(job);
    }
  }

  @Test
  void newPostsAreRefused() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric);
        Region region = job.rank(DEAD).allocate(100)) {
      RemoteRegion remote = region.remote();
      RemoteCompletion target = new RemoteCompletion(0);
      kill(fabric, job, DEAD);
      Lacis lacis = job.rank(0);
      MemorySegment buffer = Talk.memory(8);
      List<ThrowingCallable> posts = new ArrayList<>();
      for (int size : Talk.sizes(lacis)) {
        MemorySegment message = Talk.memory(size);
        posts.add(() -> lacis.send(DEAD, message, 0, Completion.NONE));
        posts.add(() -> lacis.am(DEAD, message, 0, target, Completion.NONE));
        posts.add(
            () -> lacis.send().to(DEAD).buffer(message).allowRetry(false).post(Completion.NONE));
      }
      posts.add(() -> lacis.recv(DEAD, buffer, 0, Completion.NONE));
      posts.add(() -> lacis.recv().from(DEAD).buffer(buffer).post(Completion.NONE));
      posts.add(() -> lacis.put(buffer, remote, 0, Completion.NONE));
      posts.add(() -> lacis.get(buffer, remote, 0, Completion.NONE));
      posts.add(
          () ->
              lacis.put().buffer(buffer).remote(remote, 0).allowRetry(false).post(Completion.NONE));
      for (ThrowingCallable post : posts) {
        assertThatThrownBy(post)
            .isInstanceOfSatisfying(
                CommunicationException.class,
                e -> {
                  assertThat(e.kind()).isEqualTo(ErrorKind.PEER_GONE);
                  assertThat(e.rank()).isEqualTo(DEAD);
                  assertThat(e).hasMessageContaining("rank " + DEAD);
                });
      }
      assertThat(lacis.device().pending()).isZero();
      checkSurvivors(job);
    }
  }

  @Test
  void whatItHadSentIsStillReceivedIfItIsHere() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric)) {
      List<Integer> sizes = Talk.sizes(job.rank(0));
      for (int size : sizes) {
        Talk.send(job, DEAD, 0, size, size, size);
      }
      job.until("three messages", () -> job.rank(0).matchingEngine().waitingMessages() == 3);
      kill(fabric, job, DEAD);
      Talk.receive(job, 0, DEAD, sizes.get(0), sizes.get(0), sizes.get(0));
      Talk.receive(job, 0, DEAD, sizes.get(1), sizes.get(1), sizes.get(1));
      OfHandler received = Witness.handler();
      MemorySegment buffer = Talk.memory(sizes.get(2));
      job.rank(0).recv(DEAD, buffer, sizes.get(2), received.completion());
      job.until("the end of the receive of what went with the sender", received::heard);
      checkGone(received);
      checkSurvivors(job);
    }
  }

  @Test
  void whoeverWaitsForItIsTold() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric)) {
      Synchronizer sync = job.rank(0).newSynchronizer();
      job.rank(0).recv(DEAD, Talk.memory(8), 0, sync);
      fabric.kill(DEAD);
      assertThatThrownBy(() -> sync.await(Job.LIMIT))
          .isInstanceOf(CommunicationException.class)
          .hasMessageContaining("rank " + DEAD);
    }
  }

  @Test
  void toTheDeadAllOthersAreGone() {
    SimFabric fabric = fabric(3);
    try (Job job = job(fabric)) {
      OfHandler received = Witness.handler();
      job.rank(DEAD).recv(0, Talk.memory(8), 0, received.completion());
      kill(fabric, job, DEAD);
      assertThat(received.told().kind()).isEqualTo(ErrorKind.PEER_GONE);
      assertThatThrownBy(() -> job.rank(DEAD).barrier()).isInstanceOf(CommunicationException.class);
    }
  }
}
