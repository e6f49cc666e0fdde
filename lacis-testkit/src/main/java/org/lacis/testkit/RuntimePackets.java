package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.Packet;
import org.lacis.PacketPool;
import org.lacis.PoolOptions;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.testkit.Witness.OfHandler;

/** Packets in the user's hands, and pools of the user's own. */
interface RuntimePackets extends RuntimeSuite {

  private static Packet packet(PacketPool pool) {
    return Objects.requireNonNull(pool.get(), "the pool has no packet");
  }

  @Test
  default void aPacketThatWasFilledInPlaceIsReceived() {
    try (Job job = open(2)) {
      Lacis sender = job.rank(0);
      int packetBytes = sender.packetPool().options().packetBytes();
      for (int size : List.of(0, 1, 8, 100, packetBytes)) {
        Packet packet = packet(sender.packetPool());
        assertThat(packet.segment().byteSize()).isEqualTo(packetBytes);
        Pattern.fill(packet.segment(), 0, size, size);
        Post answer =
            job.insist(
                "a packet",
                () -> sender.send().to(1).packet(packet, size).tag(9).post(Completion.NONE));
        assertThat(answer).isEqualTo(Post.DONE);
        assertThat(Talk.receive(job, 1, 0, 9, packetBytes, size).length()).isEqualTo(size);
      }
    }
  }

  @Test
  default void aPacketIsAnActiveMessage() {
    try (Job job = open(2)) {
      OfHandler arrived = Witness.handler();
      RemoteCompletion target = job.rank(1).register(arrived.completion());
      Packet packet = packet(job.rank(0).packetPool());
      Pattern.fill(packet.segment(), 0, 777, 7);
      Witness sent = Witness.handler();
      Post answer =
          job.insist(
              "a packet",
              () ->
                  job.rank(0)
                      .am()
                      .to(1)
                      .packet(packet, 777)
                      .target(target)
                      .allowDone(false)
                      .context("it")
                      .post(sent.completion()));
      assertThat(answer).isEqualTo(Post.POSTED);
      job.until("a packet and its signal", () -> sent.heard() && arrived.heard());
      assertThat(arrived.told().length()).isEqualTo(777);
      Pattern.check("the packet", arrived.told().payload(), 7);
      assertThat(sent.told().context()).isEqualTo("it");
      assertThat(sent.told().length()).isEqualTo(777);
    }
  }

  @Test
  default void packetsThatAreBackAreTakenAgainBeforeOthers() {
    PoolOptions many = PoolOptions.defaults().withPackets(4096).withPacketBytes(1024);
    try (Job job = open(2, Job.OPTIONS.withPool(many))) {
      Lacis sender = job.rank(0);
      Set<Long> used = new HashSet<>();
      for (int i = 0; i < 3000; i++) {
        Packet packet = packet(sender.packetPool());
        used.add(packet.segment().address());
        Pattern.fill(packet.segment(), 0, 8, i);
        job.insist(
            "a packet", () -> sender.send().to(1).packet(packet, 8).tag(9).post(Completion.NONE));
        Talk.receive(job, 1, 0, 9, 8, i);
      }
      assertThat(used).hasSizeLessThan(1000);
    }
  }

  @Test
  default void aPacketThatIsGivenUpIsFreeAgain() {
    try (Job job = open(2)) {
      PacketPool pool = job.rank(0).packetPool();
      int all = pool.available();
      Packet packet = packet(pool);
      assertThat(pool.available()).isEqualTo(all - 1);
      packet.close();
      assertThat(pool.available()).isEqualTo(all);
    }
  }

  @Test
  default void anEmptyPoolGivesNoPacketUntilOneIsFree() {
    try (Job job = open(2, Job.OPTIONS.withPool(new PoolOptions(8, 256)))) {
      PacketPool pool = job.rank(0).packetPool();
      List<Packet> held = new ArrayList<>();
      for (Packet next = pool.get(); next != null; next = pool.get()) {
        Pattern.fill(next.segment(), held.size());
        held.add(next);
      }
      assertThat(held).hasSize(8).doesNotHaveDuplicates();
      for (int i = 0; i < 8; i++) {
        Pattern.check("packet " + i + " is nobody else's", held.get(i).segment(), i);
      }
      Packet first = held.getFirst();
      job.insist(
          "a packet", () -> job.rank(0).send().to(1).packet(first, 256).post(Completion.NONE));
      Talk.receive(job, 1, 0, 0, 256, 0);
      job.until("the packet to come back", () -> pool.available() == 1);
      held.subList(1, 8).forEach(Packet::close);
    }
  }

  @Test
  default void aPacketThatCouldNotBeSentIsStillTheUsers() {
    try (Job job = open(2)) {
      Lacis sender = job.rank(0);
      OfHandler arrived = Witness.handler();
      RemoteCompletion target = job.rank(1).register(arrived.completion());
      int before =
          Talk.taken(Talk.flood(() -> sender.am(1, Talk.memory(8), 0, target, Completion.NONE)));
      Packet packet = packet(sender.packetPool());
      Pattern.fill(packet.segment(), 0, 50, 50);
      Post refused = sender.am().to(1).packet(packet, 50).target(target).post(Completion.NONE);
      assertThat(refused.isRetry()).isTrue();
      Pattern.check("a packet that was refused", packet.segment(), 0, 50, 50);
      job.insist(
          "the packet",
          () -> sender.am().to(1).packet(packet, 50).target(target).post(Completion.NONE));
      job.until("all of them", () -> arrived.all().size() == before + 1);
    }
  }

  @Test
  default void aPacketThatMayNotBeRetriedGoesThroughTheBacklog() {
    try (Job job = open(2)) {
      Lacis sender = job.rank(0);
      OfHandler arrived = Witness.handler();
      RemoteCompletion target = job.rank(1).register(arrived.completion());
      int before =
          Talk.taken(Talk.flood(() -> sender.am(1, Talk.memory(8), 0, target, Completion.NONE)));
      Packet packet = packet(sender.packetPool());
      Pattern.fill(packet.segment(), 0, 60, 60);
      Witness sent = Witness.handler();
      Post answer =
          sender
              .am()
              .to(1)
              .packet(packet, 60)
              .tag(60)
              .target(target)
              .allowRetry(false)
              .allowDone(false)
              .post(sent.completion());
      assertThat(answer).isEqualTo(Post.POSTED);
      assertThatThrownBy(packet::segment).isInstanceOf(IllegalStateException.class);
      job.until("all of them", () -> arrived.all().size() == before + 1 && sent.heard());
      Outcome last =
          arrived.all().stream().filter(outcome -> outcome.tag() == 60).findFirst().orElseThrow();
      Pattern.check("the packet", last.payload(), 60);
    }
  }

  @Test
  default void aPoolOfTheUsersOwnIsUsedWhereItIsNamed() {
    try (Job job = open(2)) {
      Lacis sender = job.rank(0);
      PacketPool pool = sender.newPacketPool(new PoolOptions(2, 512));
      int ordinary = sender.packetPool().available();
      MemorySegment message = Talk.filled(500, 5);
      for (int i = 0; i < 2; i++) {
        job.insist(
            "a send", () -> sender.send().to(1).buffer(message).pool(pool).post(Completion.NONE));
      }
      if (packetsStayOut()) {
        assertThat(pool.available()).isZero();
      }
      assertThat(sender.packetPool().available()).isEqualTo(ordinary);
      for (int i = 0; i < 2; i++) {
        Talk.receive(job, 1, 0, 0, 500, 5);
      }
      job.until("the packets to come back", () -> pool.available() == 2);
      pool.close();
    }
  }

  @Test
  default void aMessageThatDoesNotFitThePoolsPacketsGoesWithoutACopy() {
    try (Job job = open(2)) {
      PacketPool pool = job.rank(0).newPacketPool(new PoolOptions(2, 256));
      MemorySegment message = Talk.filled(257, 5);
      Witness sent = Witness.handler();
      Post answer =
          job.insist(
              "a send",
              () -> job.rank(0).send().to(1).buffer(message).pool(pool).post(sent.completion()));
      assertThat(answer).isEqualTo(Post.POSTED);
      Talk.receive(job, 1, 0, 0, 257, 5);
      job.until("the end of the send", sent::heard);
      assertThat(pool.available()).isEqualTo(2);
      pool.close();
    }
  }

  @Test
  default void aClosedPoolGivesItsMemoryBack() {
    try (Job job = open(2)) {
      for (int i = 0; i < 50; i++) {
        // Half of what there is, fifty times.
        job.rank(0).newPacketPool(new PoolOptions(4096, 4096)).close();
      }
    }
  }

  @Test
  default void aPoolThatWasClosedGivesItsMemoryBackWithItsLastPacket() {
    try (Job job = open(2)) {
      for (int i = 0; i < 10; i++) {
        PacketPool pool = job.rank(0).newPacketPool(new PoolOptions(4096, 4096));
        Packet held = packet(pool);
        pool.close();
        held.close();
      }
    }
  }

  @Test
  default void aPoolThatWasClosedGivesItsMemoryBackWithItsLastMessage() {
    try (Job job = open(2)) {
      for (int i = 0; i < 10; i++) {
        PacketPool pool = job.rank(0).newPacketPool(new PoolOptions(4096, 4096));
        Packet packet = packet(pool);
        Pattern.fill(packet.segment(), 0, 100, i);
        pool.close();
        job.insist(
            "a packet of a closed pool",
            () -> job.rank(0).send().to(1).packet(packet, 100).post(Completion.NONE));
        Talk.receive(job, 1, 0, 0, 100, i);
        job.progressOn();
      }
    }
  }
}
