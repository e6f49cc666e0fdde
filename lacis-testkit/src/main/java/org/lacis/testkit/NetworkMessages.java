package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lacis.net.NetDevice;
import org.lacis.testkit.NetworkData.Kind;
import org.lacis.testkit.NetworkRecorder.Arrival;

/** Injected messages: what is sent arrives, once and as it was. */
public interface NetworkMessages extends NetworkSuite {

  /** A context says who it is. */
  @ByRanks
  default void everyRankKnowsWhoItIsAndHowManyThereAre(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      for (int rank = 0; rank < ranks; rank++) {
        assertThat(rig.context(rank).rank()).isEqualTo(rank);
        assertThat(rig.context(rank).size()).isEqualTo(ranks);
        assertThat(rig.context(rank).description()).isNotBlank();
        assertThat(rig.context(rank).injectLimit()).isGreaterThanOrEqualTo(8);
        assertThat(rig.context(rank).transferLimit()).isPositive();
      }
    }
  }

  /** The payload of an injected message, of every length there is. */
  @ByRanks
  default void anInjectedPayloadOfEverySizeArrivesUnharmed(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int limit = rig.context(0).injectLimit();
      for (int length = 0; length <= limit; length++) {
        rig.send(0, rig.last(), 7, length, length);
      }
      rig.untilArrived(rig.last(), limit + 1);
      for (Arrival arrival : rig.sink(rig.last()).arrivals) {
        assertThat(arrival.source()).isZero();
        assertThat(arrival.bytes().byteSize()).isEqualTo(arrival.h1());
        assertThat(arrival.unharmed()).as("payload of %d bytes", arrival.h1()).isTrue();
      }
    }
  }

  /** Payloads come from all kinds of memory, at any offset. */
  @ByRanks
  default void aPayloadIsTakenFromMemoryOfEveryKindAtItsOffset(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int length = rig.context(0).injectLimit();
      int id = 0;
      for (Kind kind : Kind.values()) {
        for (int offset : new int[] {0, 1, 3, 8, 13}) {
          MemorySegment memory = NetworkData.memory(kind, length + 32, rig.context(0));
          long h1 = ++id;
          NetworkData.fill(memory, offset, NetworkData.bytes(h1, length));
          rig.insist(
              "a message",
              () -> rig.device(0).inject(1, 7, h1, memory.asReadOnly(), offset, length));
        }
      }
      rig.untilArrived(1, id);
      assertThat(rig.sink(1).arrivals).allMatch(Arrival::unharmed);
    }
  }

  /** The payload was copied when the answer is OK. */
  @ByRanks
  default void thePayloadMayBeOverwrittenAsSoonAsTheAnswerIsOk(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int length = Math.min(40, rig.context(0).injectLimit());
      MemorySegment memory = MemorySegment.ofArray(new byte[length]);
      for (int i = 1; i <= 500; i++) {
        long h1 = i;
        NetworkData.fill(memory, 0, NetworkData.bytes(h1, length));
        rig.insist("a message", () -> rig.device(0).inject(1, 7, h1, memory, 0, length));
        memory.fill((byte) -1);
      }
      rig.untilArrived(1, 500);
      assertThat(rig.sink(1).arrivals).allMatch(Arrival::unharmed);
    }
  }

  /** Header words are the user's. */
  @ByRanks
  default void headerWordsArriveWhateverTheyAre(int ranks, RandomGenerator random) {
    long[] words = {
      1, -1, 2, 0xFF, 1L << 31, 1L << 32, 1L << 63, Long.MAX_VALUE, random.nextLong() | 1
    };
    try (var rig = new NetworkRig(open(ranks))) {
      int count = 0;
      for (long h0 : words) {
        for (long h1 : new long[] {0, 1, -1, Long.MIN_VALUE, random.nextLong()}) {
          for (int length : new int[] {0, 8}) {
            rig.send(0, 1, h0, h1, length);
            rig.untilArrived(1, ++count);
            Arrival arrival = rig.sink(1).arrivals.getLast();
            assertThat(arrival.h0()).isEqualTo(h0);
            assertThat(arrival.h1()).isEqualTo(h1);
            assertThat(arrival.bytes().byteSize()).isEqualTo(length);
          }
        }
      }
    }
  }

  /** Everyone reaches everyone, itself too. */
  @ByRanks
  default void everyRankReachesEveryRankAndItself(int ranks) {
    int each = 200;
    try (var rig = new NetworkRig(open(ranks))) {
      for (int i = 0; i < each; i++) {
        for (int from = 0; from < ranks; from++) {
          for (int to = 0; to < ranks; to++) {
            rig.send(from, to, from + 1, i, 8);
          }
        }
      }
      for (int to = 0; to < ranks; to++) {
        rig.untilArrived(to, each * ranks);
        for (int from = 0; from < ranks; from++) {
          int source = from;
          List<Arrival> own =
              rig.sink(to).arrivals.stream().filter(a -> a.source() == source).toList();
          assertThat(own).allMatch(a -> a.h0() == source + 1 && a.unharmed());
          assertThat(own.stream().map(Arrival::h1).distinct()).hasSize(each);
        }
      }
      rig.pumpOn();
      assertThat(rig.sinks).allMatch(sink -> sink.arrivals.size() == each * ranks);
    }
  }

  /** Poll keeps to its limit, roughly, and counts. */
  @ByRanks
  default void aPollDeliversAboutAsMuchAsAskedAndSaysHowMuch(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      for (int i = 0; i < 40; i++) {
        rig.send(0, 0, 1, i, 0);
      }
      NetworkRecorder sink = rig.sink(0);
      int before = sink.arrivals.size();
      int[] most = {0};
      int[] sum = {before};
      Await.until(
          "40 messages to itself",
          () -> {
            int delivered = rig.device(0).poll(sink, 1);
            most[0] = Math.max(most[0], delivered);
            sum[0] += delivered;
            return sink.arrivals.size() == 40;
          });
      assertThat(sum[0]).as("what the polls said").isEqualTo(40);
      assertThat(most[0]).as("messages of a poll with limit 1").isLessThanOrEqualTo(8);
      assertThat(rig.device(0).poll(sink, 1)).isZero();
    }
  }

  /** Messages may be posted from within a sink. */
  @ByRanks
  default void aSinkMayPost(int ranks) {
    int hops = 300;
    try (var rig = new NetworkRig(open(ranks))) {
      for (int rank = 0; rank < ranks; rank++) {
        int from = rank;
        int to = (rank + 1) % ranks;
        MemorySegment none = MemorySegment.ofArray(new byte[0]);
        // A message that cannot be passed on is not taken, and offered again.
        rig.sink(rank).takes =
            a ->
                a.h1() == hops
                    || rig.device(from).inject(to, 1, a.h1() + 1, none, 0, 0) == NetDevice.OK;
      }
      rig.send(0, 1, 1, 1, 0);
      rig.until(
          "the last hop", () -> rig.sinks.stream().mapToInt(s -> s.arrivals.size()).sum() == hops);
    }
  }

  /** A mark comes behind everything that was sent before it, though messages may overtake. */
  @ByRanks
  default void aMarkArrivesBehindWhatWasSentBefore(int ranks) {
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      int sent = 0;
      for (int mark = 1; mark <= 20; mark++) {
        for (int i = 0; i < mark % 5; i++) {
          rig.send(0, to, 1, sent++, 8);
        }
        long before = sent;
        rig.insist("a mark", () -> rig.device(0).mark(to, 2, before));
      }
      rig.untilArrived(to, sent + 20);
      int messages = 0;
      for (Arrival arrival : rig.sink(to).arrivals) {
        if (arrival.h0() == 1) {
          messages++;
        } else {
          assertThat(messages)
              .as("messages before mark")
              .isGreaterThanOrEqualTo((int) arrival.h1());
        }
      }
      assertThat(messages).isEqualTo(sent);
    }
  }
}
