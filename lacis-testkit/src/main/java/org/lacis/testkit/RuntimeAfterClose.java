package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Device;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.Packet;
import org.lacis.PacketPool;
import org.lacis.PoolOptions;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.Rights;
import org.lacis.Status;
import org.lacis.testkit.Witness.OfHandler;

/** What can still be done with something that was closed: nothing, and that is said. */
interface RuntimeAfterClose extends RuntimeSuite {

  @Test
  default void aClosedRuntimeRefusesEverything() {
    try (Job job = open(2)) {
      Lacis lacis = job.rank(0);
      RemoteCompletion target = job.rank(1).register(Completion.NONE);
      Region region = job.rank(1).allocate(8);
      MemorySegment buffer = Talk.memory(8);
      Completion done = Completion.NONE;
      job.close(0);
      List<ThrowingCallable> calls =
          List.of(
              () -> lacis.send(1, buffer, 0, done),
              () -> lacis.send(1, Talk.memory(1000), 0, done),
              () -> lacis.send(1, Talk.memory(100_000), 0, done),
              () -> lacis.recv(1, buffer, 0, done),
              () -> lacis.am(1, buffer, 0, target, done),
              () -> lacis.put(buffer, region.remote(), 0, done),
              () -> lacis.get(buffer, region.remote(), 0, done),
              () -> lacis.send().to(1).buffer(buffer).post(done),
              () -> lacis.recv().from(1).buffer(buffer).allowRetry(false).post(done),
              () -> lacis.device().send(1, buffer, 0, done),
              lacis::barrier,
              lacis::newDevice,
              () -> lacis.newMatchingEngine(MatchingOptions.defaults()),
              () -> lacis.newPacketPool(PoolOptions.defaults()),
              () -> lacis.packetPool().get(),
              () -> lacis.register(Completion.NONE),
              () -> lacis.register(buffer, Rights.READ),
              () -> lacis.allocate(8));
      for (int i = 0; i < calls.size(); i++) {
        assertThatThrownBy(calls.get(i))
            .as("call %d", i)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("closed");
      }
    }
  }

  @Test
  default void whatIsLeftOfAClosedRuntimeDoesNoHarm() {
    try (LacisLog log = new LacisLog();
        Job job = open(2)) {
      Lacis lacis = job.rank(1);
      CompletionQueue queue = lacis.newCompletionQueue(16);
      RemoteCompletion target = lacis.register(queue);
      Packet packet = Objects.requireNonNull(lacis.packetPool().get());
      PacketPool pool = lacis.newPacketPool(new PoolOptions(4, 256));
      Packet other = Objects.requireNonNull(pool.get());
      Region region = lacis.allocate(1000);
      MatchingEngine engine = lacis.newMatchingEngine(MatchingOptions.defaults());
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment message = Talk.filled(size, 1);
        job.insist("a message", () -> job.rank(0).am(1, message, 0, target, Completion.NONE));
      }
      Status held = Status.create();
      job.until("three messages", () -> queue.length() == 3);
      queue.pop(held);
      job.close(1);
      assertThat(lacis.progress()).isZero();
      assertThat(lacis.device().progress()).isZero();
      assertThat(lacis.packetPool().available()).isNotNegative();
      held.close();
      queue.pop(held);
      held.close();
      queue.close();
      packet.close();
      other.close();
      pool.close();
      region.close();
      engine.close();
      lacis.deregister(target);
      lacis.close();
      assertThat(log.messages()).allMatch(line -> line.contains("closed"));
    }
  }

  @Test
  default void aPayloadThatOutlivesItsRuntimeIsRefusedOrStillThere() {
    try (LacisLog log = new LacisLog();
        Job job = open(2)) {
      CompletionQueue queue = job.rank(1).newCompletionQueue(16);
      RemoteCompletion target = job.rank(1).register(queue);
      List<Integer> sizes = Talk.sizes(job.rank(0));
      for (int size : sizes) {
        MemorySegment message = Talk.filled(size, size);
        job.insist("a message", () -> job.rank(0).am(1, message, size, target, Completion.NONE));
      }
      job.until("all messages", () -> queue.length() == sizes.size());
      List<Status> held = sizes.stream().map(size -> Status.create()).toList();
      held.forEach(queue::pop);
      job.close(1);
      job.close(0);
      for (Status status : held) {
        try {
          long first = status.longAt(0);
          MemorySegment payload = status.payload();
          assertThat(first).isEqualTo(Talk.filled(8, status.tag()).get(JAVA_LONG, 0));
          Pattern.check("a payload that outlives its runtime", payload, status.tag());
        } catch (IllegalStateException e) {
          assertThat(e).hasMessageContaining("closed");
        }
        status.close();
      }
      assertThat(log.messages()).allMatch(line -> line.contains("closed"));
    }
  }

  @Test
  default void aClosedDeviceRefusesPostsAndFailsWhatIsUnderWay() {
    try (Job job = open(2)) {
      List<Device> devices = job.newDevices();
      Device device = devices.get(0);
      OfHandler received = Witness.handler();
      OfHandler sent = Witness.handler();
      MemorySegment buffer = Talk.memory(8);
      job.insist("a receive", () -> device.recv(1, buffer, 1, received.completion()));
      Post answer =
          job.insist("a send", () -> device.send(1, Talk.memory(100_000), 2, sent.completion()));
      assertThat(answer).isEqualTo(Post.POSTED);
      device.close();
      assertThat(received.told().kind()).isEqualTo(ErrorKind.CLOSED);
      assertThat(sent.told().kind()).isEqualTo(ErrorKind.CLOSED);
      device.close();
      Refusal refusal = new Refusal(job);
      refusal.ofState(() -> device.send(1, buffer, 0, Completion.NONE), "device", "closed");
      refusal.ofState(() -> device.recv(1, buffer, 0, Completion.NONE), "device", "closed");
      refusal.ofState(
          () -> job.rank(0).send().on(device).to(1).buffer(buffer).post(Completion.NONE),
          "device",
          "closed");
      assertThat(device.progress()).isZero();
      job.leaveUnfinished();
    }
  }

  @Test
  default void whatCameByADeviceThatWasClosedIsReceivedOrFails() {
    try (LacisLog log = new LacisLog();
        Job job = open(2)) {
      List<Device> devices = job.newDevices();
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment message = Talk.filled(size, 7);
        job.insist("a send", () -> devices.get(0).send(1, message, size, Completion.NONE));
      }
      job.until("three messages", () -> job.rank(1).matchingEngine().waitingMessages() == 3);
      devices.get(1).close();
      for (int size : Talk.sizes(job.rank(0))) {
        MemorySegment buffer = Talk.memory(size);
        OfHandler received = Witness.handler();
        job.insist("a receive", () -> job.rank(1).recv(0, buffer, size, received.completion()));
        job.until("the end of a receive of " + size + " bytes", received::heard);
        if (received.told().error() == null) {
          Pattern.check("a message by a closed device", buffer, 7);
        } else {
          assertThat(received.told().kind()).isEqualTo(ErrorKind.CLOSED);
        }
      }
      Talk.check(job, 0, 1);
      job.leaveUnfinished();
      assertThat(log.messages()).isEmpty();
    }
  }

  @Test
  default void aClosedMatchingEngineFailsItsReceivesAndDropsItsMessages() {
    try (Job job = open(2);
        LacisLog log = new LacisLog()) {
      List<MatchingEngine> engines = job.newMatchingEngines(MatchingOptions.defaults());
      MatchingEngine engine = engines.get(1);
      MemorySegment buffer = Talk.memory(8);
      OfHandler received =
          Talk.receive(job, 1, 8, options -> options.from(0).tag(9).matching(engine));
      List<OfHandler> early = sends(job, engines.get(0));
      job.until("three messages", () -> engine.waitingMessages() == 3);
      engine.close();
      assertThat(received.told().kind()).isEqualTo(ErrorKind.CLOSED);
      assertThat(engine.waitingMessages()).isZero();
      List<OfHandler> late = sends(job, engines.get(0));
      job.until(
          "all sends",
          () -> early.stream().allMatch(Witness::heard) && late.stream().allMatch(Witness::heard));
      for (List<OfHandler> sends : List.of(early, late)) {
        assertThat(sends.getLast().told().kind()).isEqualTo(ErrorKind.CLOSED);
        assertThat(sends.getLast().told().error())
            .isNotNull()
            .hasMessageContaining("rank 1")
            .hasMessageContaining("matching engine");
      }
      Refusal refusal = new Refusal(job);
      refusal.ofState(
          () -> job.rank(1).recv().from(0).buffer(buffer).matching(engine).post(Completion.NONE),
          "matching engine",
          "closed");
      refusal.ofState(
          () -> job.rank(1).send().to(0).buffer(buffer).matching(engine).post(Completion.NONE),
          "matching engine",
          "closed");
      engine.close();
      job.checkIdle();
      assertThat(log.messages())
          .singleElement()
          .asString()
          .contains("rank 1 drops what rank 0 sends by matching engine #1", "it is closed");
    }
  }

  /** A message of each protocol. */
  private static List<OfHandler> sends(Job job, MatchingEngine engine) {
    return Talk.sizes(job.rank(0)).stream()
        .map(
            size -> {
              OfHandler sent = Witness.handler();
              MemorySegment message = Talk.filled(size, 1);
              job.insist(
                  "a send",
                  () ->
                      job.rank(0)
                          .send()
                          .to(1)
                          .buffer(message)
                          .matching(engine)
                          .allowDone(false)
                          .post(sent.completion()));
              return sent;
            })
        .toList();
  }

  @Test
  default void aClosedPacketPoolGivesNoPackets() {
    try (Job job = open(2)) {
      PacketPool pool = job.rank(0).newPacketPool(new PoolOptions(4, 256));
      Packet held = Objects.requireNonNull(pool.get());
      Refusal refusal = new Refusal(job);
      for (int i = 0; i < 2; i++) {
        pool.close();
        refusal.ofState(pool::get, "packet pool", "closed");
        refusal.of(
            RuntimeException.class,
            () ->
                job.rank(0).send().to(1).buffer(Talk.memory(200)).pool(pool).post(Completion.NONE),
            "packet pool",
            "closed");
        if (i == 0) {
          held.close();
        }
      }
    }
  }
}
