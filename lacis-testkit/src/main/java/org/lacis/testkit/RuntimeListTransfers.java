package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.Packet;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.testkit.ListCase.Parts;
import org.lacis.testkit.Witness.OfHandler;

/** Puts and gets of lists: to and from one place, or a place for each part. */
interface RuntimeListTransfers extends RuntimeSuite {

  private static List<ListCase> shapes() {
    return List.of(
        new ListCase(List.of(), -1),
        new ListCase(List.of(0), -1),
        new ListCase(List.of(8), -1),
        new ListCase(List.of(0, 5, 0, 1000), -1),
        new ListCase(List.of(100_003, 1, 70_000), -1),
        new ListCase(Collections.nCopies(BufferList.MAX_PARTS, 3001), -1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void whatIsPutAsAListIsThere(boolean places) {
    try (Job job = open(2)) {
      forAll(job, false, places);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void whatIsGotAsAListIsWhatIsThere(boolean places) {
    try (Job job = open(2)) {
      forAll(job, true, places);
    }
  }

  private static void forAll(Job job, boolean input, boolean places) {
    for (ListCase c : shapes()) {
      for (BufferKind memory : BufferKind.values()) {
        for (boolean signal : new boolean[] {true, false}) {
          try (Parts local = c.allocate(job.rank(0), memory, !input, 0)) {
            transfer(job, c, local.list(), input, places, signal);
          }
        }
      }
    }
  }

  private static void transfer(
      Job job, ListCase c, BufferList local, boolean input, boolean places, boolean signal) {
    OfHandler told = Witness.handler();
    RemoteCompletion target = job.rank(1).register(told.completion());
    OfHandler done = Witness.handler();
    // The places lie in the wrong order and apart from each other.
    try (Region region = job.rank(1).allocate(100 + 2L * c.total())) {
      List<RemoteRegion> there = new ArrayList<>();
      List<MemorySegment> memory = new ArrayList<>();
      long end = region.segment().byteSize();
      long at = 7;
      for (int length : c.lengths()) {
        end -= length;
        long start = places ? end : at;
        there.add(region.remote().slice(start, length));
        memory.add(region.segment().asSlice(start, length));
        at += length;
        if (input) {
          Pattern.fill(memory.getLast(), memory.size());
        }
      }
      Post answer =
          job.insist(
              "a transfer",
              () -> {
                Posting p = input ? job.rank(0).get() : job.rank(0).put();
                p.buffers(local).tag(5).context(c);
                if (places && !there.isEmpty()) {
                  p.remote(there);
                } else {
                  p.remote(region.remote(), 7);
                }
                if (signal) {
                  p.target(target).immediate(99);
                }
                return p.post(done.completion());
              });
      assertThat(answer).isEqualTo(Post.POSTED);
      if (signal) {
        job.until("the signal", told::heard);
        assertThat(told.told().length()).isEqualTo(c.total());
        assertThat(told.told().immediate()).isEqualTo(99);
        assertThat(told.told().tag()).isEqualTo(5);
        if (!input) {
          c.check(BufferList.of(memory.toArray(MemorySegment[]::new)));
        }
      }
      job.until("the end of the transfer", done::heard);
      assertThat(done.told().error()).isNull();
      assertThat(done.told().length()).isEqualTo(c.total());
      assertThat(done.told().context()).isSameAs(c);
      c.check(input ? local : BufferList.of(memory.toArray(MemorySegment[]::new)));
      job.progressOn();
      assertThat(told.all()).hasSize(signal ? 1 : 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void aTransferBringsItsPiggybackToItsTarget(boolean early) {
    try (Job job = open(2)) {
      int next = 0;
      for (ListCase c : ListCase.all(job.rank(0))) {
        for (boolean input : new boolean[] {true, false}) {
          OfHandler told = Witness.handler();
          RemoteCompletion target = new RemoteCompletion(next++);
          if (!early) {
            job.rank(1).register(told.completion());
          }
          OfHandler done = Witness.handler();
          try (Region region = job.rank(1).allocate(1 + c.total());
              Parts local = c.allocate(job.rank(0), BufferKind.NATIVE, true, 0)) {
            job.insist(
                "a transfer",
                () -> {
                  Posting p = input ? job.rank(0).get() : job.rank(0).put();
                  p.buffers(local.list()).remote(region.remote(), 1).target(target).tag(5);
                  return p.immediate(77).post(done.completion());
                });
            MemorySegment piggyback = local.list().piggyback();
            if (piggyback != null) {
              piggyback.fill((byte) -1);
            }
            job.until("the end of a transfer of " + c, done::heard);
            assertThat(done.told().error()).isNull();
            if (early) {
              job.progressOn();
              job.rank(1).register(told.completion());
            }
            job.until("the signal of " + c, told::heard);
          }
          assertThat(told.told().immediate()).isEqualTo(77);
          assertThat(told.told().length()).isEqualTo(c.total());
          assertThat(told.told().buffer()).isNull();
          if (c.piggyback() >= 0) {
            c.checkTold(told.told(), 0, 5);
          }
        }
      }
    }
  }

  @Test
  default void aPiggybackWithoutAPacketIsRetried() {
    try (Job job = open(2);
        Region region = job.rank(1).allocate(100)) {
      Lacis lacis = job.rank(0);
      OfHandler told = Witness.handler();
      RemoteCompletion target = job.rank(1).register(told.completion());
      List<Packet> all =
          Stream.generate(lacis.packetPool()::get).takeWhile(Objects::nonNull).toList();
      BufferList list = BufferList.of(Talk.filled(100, 3)).withPiggyback(Talk.filled(9, 4));
      assertThat(put(lacis, list, region, target, true, Witness.handler()))
          .isEqualTo(Post.RETRY_PACKET);
      OfHandler done = Witness.handler();
      assertThat(put(lacis, list, region, target, false, done)).isEqualTo(Post.POSTED);
      job.progressOn();
      assertThat(told.heard() || done.heard()).isFalse();
      assertThat(region.segment().mismatch(Talk.memory(100))).isEqualTo(-1);
      all.forEach(Packet::close);
      job.until("the put", () -> told.heard() && done.heard());
      Pattern.check("what was put", region.segment(), 3);
      Pattern.check("the piggyback", told.told().piggyback(), 4);
      region.close();
      OfHandler failed = Witness.handler();
      job.insist("a put", () -> put(lacis, list, region, target, true, failed));
      job.until("a put into a closed region", failed::heard);
      assertThat(failed.told().kind()).isEqualTo(ErrorKind.NO_ACCESS);
      assertThat(told.all()).hasSize(1);
    }
  }

  private static Post put(
      Lacis lacis,
      BufferList list,
      Region region,
      RemoteCompletion target,
      boolean retry,
      OfHandler done) {
    return lacis
        .put()
        .buffers(list)
        .remote(region.remote(), 0)
        .target(target)
        .allowRetry(retry)
        .post(done.completion());
  }

  @Test
  default void aTransferOfWhichOnePlaceIsClosedFailsAndSignalsNobody() {
    try (Job job = open(2);
        Region open = job.rank(1).allocate(100_000)) {
      OfHandler told = Witness.handler();
      RemoteCompletion target = job.rank(1).register(told.completion());
      Region closed = job.rank(1).allocate(100_000);
      List<RemoteRegion> there = List.of(open.remote(), closed.remote(), open.remote());
      closed.close();
      BufferList local =
          BufferList.of(Talk.memory(100_000), Talk.memory(100_000), Talk.memory(100_000));
      for (boolean input : new boolean[] {true, false}) {
        OfHandler done = Witness.handler();
        job.finish(
            "a transfer",
            done,
            () ->
                (input ? job.rank(0).get() : job.rank(0).put())
                    .buffers(local)
                    .remote(there)
                    .target(target)
                    .post(done.completion()));
        assertThat(done.told().kind()).isEqualTo(ErrorKind.NO_ACCESS);
        job.progressOn();
        assertThat(told.all()).isEmpty();
        Talk.check(job, 0, 1);
      }
    }
  }

  @Test
  default void placesThatDoNotFitAreRefused() {
    try (Job job = open(3);
        Region region = job.rank(1).allocate(100);
        Region other = job.rank(2).allocate(100)) {
      Lacis lacis = job.rank(0);
      RemoteRegion remote = region.remote();
      BufferList local = BufferList.of(Talk.memory(8), Talk.memory(9));
      Refusal refusal = new Refusal(job);
      refusal.ofArgument(() -> lacis.put().remote(List.of()), "places", "empty");
      refusal.ofArgument(
          () -> lacis.put().buffers(local).remote(List.of(remote)).post(Completion.NONE),
          "1 places",
          "2 parts");
      refusal.ofArgument(
          () ->
              lacis
                  .put()
                  .buffers(local)
                  .remote(List.of(remote, other.remote()))
                  .post(Completion.NONE),
          "several ranks");
      refusal.ofRange(
          () ->
              lacis
                  .get()
                  .buffers(local)
                  .remote(List.of(remote, remote.slice(0, 8)))
                  .post(Completion.NONE),
          "place 1",
          9,
          8);
      refusal.ofRange(
          () -> lacis.get().buffers(local).remote(remote, 84).post(Completion.NONE), 84, 17, 100);
    }
  }
}
