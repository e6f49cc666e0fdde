package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.Packet;
import org.lacis.PacketPool;
import org.lacis.PoolOptions;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.testkit.PostCombination.Local;
import org.lacis.testkit.PostCombination.Remote;
import org.lacis.testkit.Witness.OfHandler;

/** The options of a post: each alone, and every combination of them. */
interface RuntimePostOptions extends RuntimeSuite {

  int BYTES = 8;
  int TAG = 17;
  long IMMEDIATE = 0x8765_4321_0fed_cba9L;

  /** Every combination works, or is refused with its reason. */
  @Test
  default void everyCombinationOfOptionsWorksOrIsRefused() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(BYTES);
        PacketPool pool = job.rank(0).newPacketPool(PoolOptions.defaults().withPackets(16))) {
      OfHandler told = Witness.handler();
      RemoteCompletion target = job.rank(1).register(told.completion());
      MemorySegment buffer = Talk.filled(BYTES, 1);
      int worked = 0;
      for (PostCombination c : PostCombination.all()) {
        @Nullable Packet packet =
            c.local() == Local.PACKET
                ? Objects.requireNonNull(job.rank(0).packetPool().get())
                : null;
        if (packet != null) {
          Pattern.fill(packet.segment(), 0, BYTES, 1);
        }
        OfHandler done = Witness.handler();
        List<String> refusals = c.refusals();
        if (refusals.isEmpty()) {
          worked++;
          works(job, c, region.remote(), target, told, buffer, packet, pool, done);
        } else {
          Throwable thrown =
              catchThrowable(
                  () ->
                      posting(job.rank(0), c, region.remote(), target, buffer, packet, pool)
                          .post(done.completion()));
          assertThat(thrown).as("%s", c).isInstanceOf(IllegalArgumentException.class);
          assertThat(refusals).as("%s: %s", c, thrown).anyMatch(why -> says(thrown, why));
          if (packet != null) {
            packet.close();
          }
        }
      }
      assertThat(worked).isGreaterThan(100);
    }
  }

  private static boolean says(Throwable thrown, String why) {
    return Objects.requireNonNull(thrown.getMessage()).contains(why);
  }

  private static Posting posting(
      Lacis lacis,
      PostCombination c,
      RemoteRegion region,
      RemoteCompletion target,
      MemorySegment buffer,
      @Nullable Packet packet,
      PacketPool pool) {
    Posting p = lacis.post().direction(c.direction()).to(1).tag(TAG).context(c);
    BufferList list = BufferList.of(buffer.asSlice(0, 3), buffer.asSlice(3));
    switch (c.local()) {
      case NONE -> {}
      case BUFFER -> p.buffer(buffer);
      case LIST -> p.buffers(list);
      case LIST_WITH_PIGGYBACK -> p.buffers(list.withPiggyback(Talk.memory(5)));
      case PACKET -> p.packet(Objects.requireNonNull(packet), BYTES);
      case ANY_LENGTH -> p.anyLength();
    }
    if (c.remote() == Remote.REGION) {
      p.remote(region, 0);
    } else if (c.remote() == Remote.PLACES) {
      p.remote(List.of(region.slice(0, 3), region.slice(3, 5)));
    }
    if (c.target()) {
      p.target(target);
    }
    if (c.immediate()) {
      p.immediate(IMMEDIATE);
    }
    if (c.pool()) {
      p.pool(pool);
    }
    if (c.allowDone() != null) {
      p.allowDone(c.allowDone());
    }
    return p.matching(c.policy())
        .synchronous(c.synchronous())
        .allowPosted(c.allowPosted())
        .allowRetry(c.allowRetry());
  }

  private static void works(
      Job job,
      PostCombination c,
      RemoteRegion region,
      RemoteCompletion target,
      OfHandler told,
      MemorySegment buffer,
      @Nullable Packet packet,
      PacketPool pool,
      OfHandler done) {
    told.all().clear();
    OfHandler other = Witness.handler();
    if (c.isReceive()) {
      job.insist(
          "a send",
          () ->
              job.rank(1)
                  .send()
                  .to(0)
                  .tag(TAG)
                  .matching(c.policy())
                  .buffer(buffer)
                  .allowDone(false)
                  .post(other.completion()));
    } else if (c.isSend()) {
      job.insist(
          "a receive",
          () ->
              job.rank(1)
                  .recv()
                  .from(0)
                  .tag(TAG)
                  .matching(c.policy())
                  .anyLength()
                  .post(other.completion()));
    }
    Post answer =
        job.insist(
            c.toString(),
            () ->
                posting(job.rank(0), c, region, target, buffer, packet, pool)
                    .post(done.completion()));
    assertThat(answer.isPosted() && !c.allowPosted()).as("%s", c).isFalse();
    assertThat(answer.isDone() && Boolean.FALSE.equals(c.allowDone())).as("%s", c).isFalse();
    job.await(c.toString(), done, answer);
    if (answer.isPosted()) {
      assertThat(done.told().error()).as("%s", c).isNull();
      assertThat(done.told().context()).isSameAs(c);
      assertThat(done.told().length()).as("%s", c).isEqualTo(c.length(BYTES));
    }
    if (c.isSend() || c.isReceive()) {
      job.until("the other side of " + c, other::heard);
      assertThat(other.told().length()).isEqualTo(c.length(BYTES));
    } else if (c.target()) {
      job.until("the signal of " + c, told::heard);
      assertThat(told.told().immediate()).as("%s", c).isEqualTo(c.immediate() ? IMMEDIATE : 0);
      assertThat(told.told().length()).as("%s", c).isEqualTo(c.length(BYTES));
      assertThat(told.told().tag()).isEqualTo(TAG);
      assertThat(told.told().rank()).isZero();
      assertThat(told.told().piggyback().byteSize())
          .as("%s", c)
          .isEqualTo(c.local() == Local.LIST_WITH_PIGGYBACK ? 5 : 0);
    }
  }

  @Test
  default void immediateDataComesWithActiveMessagesOfEveryProtocol() {
    try (Job job = open(2)) {
      int next = 0;
      for (int size : OperationCase.sizes(job.rank(0))) {
        for (boolean early : new boolean[] {true, false}) {
          for (boolean list : new boolean[] {true, false}) {
            MemorySegment message = Talk.filled(size, 2);
            OfHandler arrived = Witness.handler();
            RemoteCompletion target = new RemoteCompletion(next++);
            if (early) {
              job.rank(1).register(arrived.completion());
            }
            long value = IMMEDIATE + size;
            OfHandler done = Witness.handler();
            Post answer =
                job.insist(
                    "an active message",
                    () -> {
                      Posting p = job.rank(0).am().to(1).target(target).immediate(value);
                      return (list ? p.buffers(BufferList.of(message)) : p.buffer(message))
                          .allowRetry(size % 2 == 0)
                          .post(done.completion());
                    });
            if (!early) {
              job.progressOn();
              job.rank(1).register(arrived.completion());
            }
            job.await("an active message", done, answer);
            job.until("its arrival", arrived::heard);
            assertThat(arrived.told().immediate()).isEqualTo(value);
            Pattern.check("the message", arrived.told().payload(), 0, size, 2);
          }
        }
      }
    }
  }

  @Test
  default void aSynchronousSendIsCompleteWhenItWasReceived() {
    try (Job job = open(2)) {
      for (int size : OperationCase.sizes(job.rank(0))) {
        for (boolean list : new boolean[] {true, false}) {
          MemorySegment message = Talk.filled(size, 3);
          OfHandler done = Witness.handler();
          Post answer =
              job.insist(
                  "a send",
                  () -> {
                    Posting p = job.rank(0).send().to(1).tag(TAG).synchronous(true);
                    return (list ? p.buffers(BufferList.of(message)) : p.buffer(message))
                        .post(done.completion());
                  });
          assertThat(answer).isEqualTo(Post.POSTED);
          job.progressOn();
          assertThat(done.heard()).as("%d bytes that nobody has received", size).isFalse();
          MemorySegment target = Talk.memory(size);
          Witness received = Witness.handler();
          job.insist("a receive", () -> job.rank(1).recv(0, target, TAG, received.completion()));
          Await.until(
              "the end of the send",
              Job.LIMIT,
              () -> {
                job.rank(1).progress();
                job.rank(0).progress();
              },
              done::heard);
          assertThat(received.heard()).as("the receive is over before").isTrue();
          Pattern.check("it", target, 3);
          assertThat(done.told().error()).isNull();
          assertThat(done.told().length()).isEqualTo(size);
        }
      }
    }
  }

  @Test
  default void whatCannotBeDoneAtOnceIsRefusedIfItMayNotBePosted() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      Refusal refusal = new Refusal(job);
      int most = lacis.eagerLimit();
      MemorySegment tooLong = Talk.memory(most + 1);
      refusal.ofArgument(
          () -> lacis.send().to(1).buffer(tooLong).allowPosted(false).post(Completion.NONE),
          "allowPosted(false)",
          most,
          most + 1);
      BufferList list = BufferList.of(Talk.memory(most));
      refusal.ofArgument(
          () -> lacis.send().to(1).buffers(list).allowPosted(false).post(Completion.NONE),
          "allowPosted(false)",
          most);
    }
  }
}
