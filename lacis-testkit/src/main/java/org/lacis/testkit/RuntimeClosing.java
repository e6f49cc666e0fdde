package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.lacis.BufferList;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.ErrorKind;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.Rights;

/** Devices and matching engines that are closed in use: whatever was posted ends once. */
interface RuntimeClosing extends RuntimeSuite {

  int ROUNDS = Boolean.getBoolean("lacis.long") ? 100 : 12;
  int LONG = 20_000;

  /** Of each kind of matching engine. */
  int RACES = Boolean.getBoolean("lacis.long") ? 1000 : 25;

  @Test
  default void whatIsPostedWhileTheDeviceIsClosedEndsOnce() throws InterruptedException {
    try (Job job = open(1)) {
      job.leaveUnfinished();
      Lacis lacis = job.rank(0);
      RemoteCompletion nobody = lacis.register(Completion.NONE);
      MemorySegment message = Talk.memory(LONG);
      BufferList list = BufferList.of(message, MemorySegment.ofArray(new byte[10]));
      try (Region region =
              lacis.register(MemorySegment.ofArray(new byte[LONG + 10]), Rights.READ_WRITE);
          Region words = lacis.register(MemorySegment.ofArray(new long[1]), Rights.READ_WRITE)) {
        for (int round = 0; round < ROUNDS; round++) {
          for (var kind : kinds(message, list, nobody, region, words).entrySet()) {
            closeWhilePosting(lacis, kind.getKey() + ", round " + round, kind.getValue());
          }
        }
      }
    }
  }

  /** Posts on a device, to this rank itself. */
  interface Kind {
    /** Posts. */
    Post post(Device device, Completion done);
  }

  private static Map<String, Kind> kinds(
      MemorySegment message,
      BufferList list,
      RemoteCompletion nobody,
      Region region,
      Region words) {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    kinds.put(
        "send", (d, done) -> d.send().to(0).buffer(message).tag(1).allowRetry(false).post(done));
    kinds.put(
        "list", (d, done) -> d.send().to(0).buffers(list).tag(1).allowRetry(false).post(done));
    kinds.put(
        "am",
        (d, done) ->
            d.am()
                .to(0)
                .buffer(message.asSlice(0, 8))
                .target(nobody)
                .allowDone(false)
                .allowRetry(false)
                .post(done));
    kinds.put(
        "put",
        (d, done) ->
            d.put().buffer(message).remote(region.remote(), 0).allowRetry(false).post(done));
    kinds.put(
        "put of a list",
        (d, done) -> d.put().buffers(list).remote(region.remote(), 0).allowRetry(false).post(done));
    kinds.put(
        "get",
        (d, done) ->
            d.get().buffer(message).remote(region.remote(), 0).allowDone(false).post(done));
    kinds.put("atomic", (d, done) -> d.atomic(org.lacis.AtomicOp.ADD, 1, words.remote(), 0, done));
    kinds.put("receive", (d, done) -> d.recv(0, message, 2, done));
    return kinds;
  }

  private static void closeWhilePosting(Lacis lacis, String what, Kind kind)
      throws InterruptedException {
    Device device = lacis.newDevice();
    AtomicLong signals = new AtomicLong();
    AtomicLong posted = new AtomicLong();
    AtomicReference<Throwable> end = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    Completion done = (Handler) status -> signals.incrementAndGet();
    Thread poster =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    for (int i = 0; ; i++) {
                      if (kind.post(device, done) == Post.POSTED) {
                        posted.incrementAndGet();
                      }
                      if (i == 10) {
                        begun.countDown();
                      }
                    }
                  } catch (Throwable e) {
                    end.set(e);
                    begun.countDown();
                  }
                });
    begun.await();
    device.close();
    assertThat(poster.join(Duration.ofSeconds(30))).as(what).isTrue();
    assertThat(end.get())
        .as(what)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the device is closed");
    assertThat(signals.get()).as(what).isEqualTo(posted.get());
    assertThat(device.pending()).as(what).isZero();
  }

  @Test
  default void aReceivePostedWhileItsMatchingEngineIsClosedEndsOnce() throws InterruptedException {
    List<MatchingOptions> kinds = new ArrayList<>(Ordered.KINDS);
    kinds.add(MatchingOptions.defaults().withBuckets(1));
    RandomGenerator random = Seeds.random("receives while their matching engine is closed");
    try (Job job = open(1)) {
      for (MatchingOptions kind : kinds) {
        for (int race = 0; race < RACES; race++) {
          String what = "%s, race %d, %s".formatted(kind.kind(), race, Seeds.option());
          MatchingEngine engine = job.rank(0).newMatchingEngine(kind);
          closeWhileReceiving(job, what, engine, random.nextInt(2000), random.nextBoolean());
        }
      }
    }
  }

  private static void closeWhileReceiving(
      Job job, String what, MatchingEngine engine, int spins, boolean allowRetry)
      throws InterruptedException {
    MemorySegment buffer = Talk.memory(8);
    AtomicLong closed = new AtomicLong();
    AtomicLong posted = new AtomicLong();
    AtomicReference<Throwable> end = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    Completion done =
        (Handler)
            status -> {
              CommunicationException error = status.error();
              assertThat(error == null ? null : error.kind()).isEqualTo(ErrorKind.CLOSED);
              closed.incrementAndGet();
            };
    Supplier<Post> post =
        () ->
            job.rank(0)
                .recv()
                .from(0)
                .buffer(buffer)
                .matching(engine)
                .allowRetry(allowRetry)
                .post(done);
    Thread poster =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    while (true) {
                      if (post.get() == Post.POSTED) {
                        posted.incrementAndGet();
                      }
                      begun.countDown();
                    }
                  } catch (Throwable e) {
                    end.set(e);
                    begun.countDown();
                  }
                });
    begun.await();
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
    engine.close();
    assertThat(poster.join(Job.LIMIT)).as(what).isTrue();
    assertThat(end.get())
        .as(what)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the matching engine is closed");
    job.until("the end of all receives: " + what, () -> closed.get() >= posted.get());
    assertThat(closed.get()).as(what).isEqualTo(posted.get());
  }

  /** The operation that is being told of its end, and those behind it in the backlog, end once. */
  @Test
  default void aHandlerMayCloseItsDevice() {
    try (Job job = open(1)) {
      job.leaveUnfinished();
      Lacis lacis = job.rank(0);
      RemoteCompletion nobody = lacis.register(Completion.NONE);
      MemorySegment message = Talk.memory(8);
      Device device = lacis.newDevice();
      AtomicLong signals = new AtomicLong();
      Completion closes =
          (Handler)
              status -> {
                signals.incrementAndGet();
                device.close();
              };
      Supplier<Post> post =
          () -> device.am().to(0).buffer(message).target(nobody).allowRetry(false).post(closes);
      long posted = 0;
      for (int i = 0; posted < 10; i++) {
        if (post.get() == Post.POSTED) {
          posted++;
        }
        assertThat(i).isLessThan(1 << 20);
      }
      Await.until("the end", Job.LIMIT, device::progress, () -> signals.get() > 0);
      device.progress();
      assertThat(signals.get()).isEqualTo(posted);
      assertThat(device.pending()).isZero();
    }
  }
}
