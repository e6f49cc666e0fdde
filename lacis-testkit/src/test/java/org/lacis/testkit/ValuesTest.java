package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.Lacis;
import org.lacis.LacisOptions;
import org.lacis.MatchingOptions;
import org.lacis.PoolOptions;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.TagSequence;

/**
 * Options, and names that go over the wire: good ones are kept, bad ones refused with the value and
 * the rule.
 */
@ExtendWith(Seeded.class)
class ValuesTest {

  private static final LacisOptions OPTIONS = LacisOptions.defaults();

  private static void refused(ThrowingCallable call, Object... words) {
    var thrown = assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    for (Object word : words) {
      thrown.hasMessageContaining(String.valueOf(word));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -16, 0, 1, 8, 17, 1000, 1 << 21})
  void ringCellsArePowersOfTwo(int cells) {
    refused(() -> OPTIONS.withRingCells(cells), "ringCells", "16 to 1048576", cells);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -2, 0, 1, 3, 1000, 1 << 25})
  void queueCapacitiesArePowersOfTwo(int capacity) {
    refused(() -> OPTIONS.withQueueCapacity(capacity), "queueCapacity", "2 to", capacity);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, (1 << 20) - 1, 1L << 39, Long.MAX_VALUE})
  void sharedBytesAreOneMebibyteTo511Gibibytes(long bytes) {
    refused(() -> OPTIONS.withSharedBytes(bytes), "sharedBytes", "1 MiB to 511 GiB", bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0})
  void aBacklogHasRoomForOne(int capacity) {
    refused(() -> OPTIONS.withBacklogCapacity(capacity), "backlogCapacity", "1", capacity);
  }

  @Test
  void openingTakesSomeTime() {
    refused(() -> OPTIONS.withOpenTimeout(Duration.ZERO), "openTimeout", "a time", "PT0S");
    refused(() -> OPTIONS.withOpenTimeout(Duration.ofSeconds(-1)), "openTimeout", "PT-1S");
  }

  @Test
  void timesAreAYearAtMost() {
    Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
    refused(() -> OPTIONS.withOpenTimeout(endless), "openTimeout", "up to a year", endless);
    refused(() -> OPTIONS.withDetection(endless), "detection", "up to a year", endless);
    assertThat(OPTIONS.withOpenTimeout(Duration.ofDays(365)).openTimeout()).hasDays(365);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, (1 << 20) + 1})
  void aPoolHasSomePackets(int packets) {
    refused(() -> PoolOptions.defaults().withPackets(packets), "packets", "2 to 1048576", packets);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -64, 0, 63, 65, 100, (1 << 24) + 64})
  void packetsAreMultiplesOfACacheLine(int bytes) {
    refused(
        () -> PoolOptions.defaults().withPacketBytes(bytes),
        "packetBytes",
        "multiple of 64",
        "16 MiB",
        bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 3, 1000, 1 << 25})
  void bucketsArePowersOfTwo(int buckets) {
    refused(() -> MatchingOptions.defaults().withBuckets(buckets), "buckets", "1 to", buckets);
  }

  @Test
  void optionsOfAnotherKindOfEngineAreRefused() {
    MatchingOptions list = MatchingOptions.list();
    refused(() -> list.threads(2), "threads", "ORDERED", "LIST");
    refused(() -> list.bins(2), "bins", "ORDERED", "LIST");
    refused(() -> list.maxReceives(2), "maxReceives", "ORDERED", "LIST");
    refused(() -> list.withBuckets(2), "withBuckets", "HASH", "LIST");
    refused(() -> MatchingOptions.ordered().withBuckets(2), "withBuckets", "HASH", "ORDERED");
    refused(() -> MatchingOptions.defaults().threads(2), "threads", "ORDERED", "HASH");
    refused(() -> MatchingOptions.defaults().bins(2), "bins", "ORDERED", "HASH");
  }

  @Test
  void everyOptionIsKeptAndChangesNoOther() {
    LacisOptions changed =
        OPTIONS
            .withNetwork("shm")
            .withPool(new PoolOptions(10, 640))
            .withMatching(MatchingOptions.defaults().withBuckets(16))
            .withRingCells(64)
            .withInjectBytes(100)
            .withSharedBytes(1 << 20)
            .withQueueCapacity(4)
            .withBacklogCapacity(5)
            .withOpenTimeout(Duration.ofSeconds(6))
            .withDetection(Duration.ofSeconds(7))
            .withProgressThread(true)
            .withCounters(true)
            .withName("halo");
    assertThat(changed)
        .isEqualTo(
            new LacisOptions(
                "halo",
                "shm",
                new PoolOptions(10, 640),
                MatchingOptions.defaults().withBuckets(16),
                64,
                100,
                1 << 20,
                4,
                5,
                Duration.ofSeconds(6),
                Duration.ofSeconds(7),
                true,
                true,
                null));
    assertThat(changed.withRingCells(128).withRingCells(64)).isEqualTo(changed);
    assertThat(OPTIONS).isEqualTo(LacisOptions.defaults()).isNotEqualTo(changed);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 129})
  void aFrameHasRoomForSomeBytes(int bytes) {
    refused(() -> OPTIONS.withInjectBytes(bytes), "injectBytes", "0 to 128", bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, RemoteCompletion.MAX_INDEX + 1, Integer.MAX_VALUE})
  void aRemoteCompletionHasAnIndexInRange(int index) {
    refused(() -> new RemoteCompletion(index), "index", RemoteCompletion.MAX_INDEX, index);
  }

  @ParameterizedTest
  @EnumSource
  void aRemoteRegionSurvivesItsBytes(Rights rights) {
    var region = new RemoteRegion(3, -5L, Long.MIN_VALUE, 1L << 40, 1L << 41, rights);
    assertThat(region.toBytes()).hasSize(RemoteRegion.BYTES);
    assertThat(RemoteRegion.fromBytes(region.toBytes())).isEqualTo(region);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, RemoteRegion.BYTES - 1, RemoteRegion.BYTES + 1, 1000})
  void bytesOfAnotherNumberAreNoRemoteRegion(int length) {
    refused(
        () -> RemoteRegion.fromBytes(new byte[length]), "RemoteRegion", RemoteRegion.BYTES, length);
  }

  @Test
  void bytesWithImpossibleValuesAreNoRemoteRegion() {
    byte[] all = new byte[RemoteRegion.BYTES];
    Arrays.fill(all, (byte) -1);
    refused(() -> RemoteRegion.fromBytes(all), "RemoteRegion", "rights", "255");
    byte[] good = new RemoteRegion(1, 2, 3, 4, 5, Rights.READ).toBytes();
    for (int last : new int[] {3, 31, 39}) {
      byte[] bad = good.clone();
      bad[last] = (byte) 0x80;
      refused(() -> RemoteRegion.fromBytes(bad), "negative", "rank", "offset", "length");
    }
    refused(() -> RemoteRegion.fromBytes(new byte[RemoteRegion.BYTES]), "RemoteRegion", "check");
  }

  @Test
  void garbageIsNoRemoteRegion(RandomGenerator random) {
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[RemoteRegion.BYTES];
      random.nextBytes(bytes);
      refused(() -> RemoteRegion.fromBytes(bytes), "");
    }
  }

  @Test
  void aRemoteRegionWithOneBitChangedIsNone(RandomGenerator random) {
    var region =
        new RemoteRegion(
            random.nextInt(1 << 20),
            random.nextLong(),
            random.nextLong(),
            random.nextLong(1L << 40),
            random.nextLong(1L << 40),
            Rights.READ_WRITE);
    for (int bit = 0; bit < RemoteRegion.BYTES * 8; bit++) {
      byte[] bytes = region.toBytes();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      refused(() -> RemoteRegion.fromBytes(bytes), "");
    }
  }

  @Test
  void rightsOfARemoteRegionAreOnlyNarrowed() {
    var region = new RemoteRegion(1, 2, 3, 4, 5, Rights.READ_WRITE);
    for (Rights rights : Rights.values()) {
      assertThat(region.withRights(rights))
          .isEqualTo(new RemoteRegion(1, 2, 3, 4, 5, rights))
          .isEqualTo(region.withRights(rights).withRights(rights));
    }
    refused(() -> region.withRights(Rights.READ).withRights(Rights.WRITE), "READ", "WRITE");
    refused(() -> region.withRights(Rights.WRITE).withRights(Rights.READ), "WRITE", "READ");
    refused(() -> region.withRights(Rights.READ).withRights(Rights.READ_WRITE), "READ_WRITE");
  }

  @Test
  void aSliceLiesInItsRegion() {
    var region = new RemoteRegion(1, 2, 3, 1000, 100, Rights.READ_WRITE);
    assertThat(region.slice(10, 20))
        .isEqualTo(new RemoteRegion(1, 2, 3, 1010, 20, Rights.READ_WRITE));
    assertThat(region.slice(100, 0).length()).isZero();
    for (long[] bad : new long[][] {{-1, 1}, {0, -1}, {0, 101}, {101, 0}, {Long.MAX_VALUE, 1}}) {
      assertThatThrownBy(() -> region.slice(bad[0], bad[1]))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("" + bad[0])
          .hasMessageContaining("" + bad[1])
          .hasMessageContaining("100");
    }
  }

  @Test
  void rightsSayWhatTheyAllow() {
    assertThat(Rights.READ.allowsGet()).isTrue();
    assertThat(Rights.READ.allowsPut()).isFalse();
    assertThat(Rights.WRITE.allowsGet()).isFalse();
    assertThat(Rights.WRITE.allowsPut()).isTrue();
    assertThat(Rights.READ_WRITE.allowsGet() && Rights.READ_WRITE.allowsPut()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerIsDoneOrPostedOrARetry(Post answer) {
    int kinds =
        (answer.isDone() ? 1 : 0) + (answer.isPosted() ? 1 : 0) + (answer.isRetry() ? 1 : 0);
    assertThat(kinds).isEqualTo(1);
    assertThat(answer.isRetry()).isEqualTo(answer.name().startsWith("RETRY_"));
  }

  @Test
  void numberedTagsOfTwoStreamsNeverMeet() {
    TagSequence last = new TagSequence(7, 8);
    TagSequence first = new TagSequence(0, 8);
    assertThat(last.window()).isEqualTo((Lacis.MAX_TAG + 1) / 8);
    assertThat(first.tag()).isZero();
    for (int i = 0; i < last.window() - 1; i++) {
      last.advance();
      first.advance();
    }
    assertThat(last.tag()).isEqualTo(Lacis.MAX_TAG);
    assertThat(first.tag()).isEqualTo(first.window() - 1);
    last.advance();
    assertThat(last.tag()).as("the first again").isEqualTo(7 * last.window());
    refused(() -> new TagSequence(8, 8), "stream", "0 to 7", 8);
    refused(() -> new TagSequence(-1, 8), "stream", "0 to 7", -1);
    refused(() -> new TagSequence(0, 3), "streams", "power of two", 3);
    refused(() -> new TagSequence(0, 0), "streams", "power of two", 0);
  }
}
