package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Device;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.testkit.Witness.OfHandler;

/** Several devices, and engines that devices share. */
interface RuntimeDevices extends RuntimeSuite {

  @Test
  default void devicesAreNumberedFromTheDefaultOne() {
    try (Job job = open(2)) {
      assertThat(job.rank(0).device().index()).isZero();
      assertThat(job.newDevices()).extracting(Device::index).containsOnly(1);
      assertThat(job.newDevices()).extracting(Device::index).containsOnly(2);
    }
  }

  /** A rank that waits for another one to make a device does not hold up who closes one. */
  @Test
  default void aDeviceIsClosedWhileAnotherOneIsMade() {
    try (Job job = open(2)) {
      List<Device> first = job.newDevices();
      var made = new AtomicReference<Device>();
      Thread makes = Thread.ofPlatform().daemon().start(() -> made.set(job.rank(0).newDevice()));
      Await.until(
          "a wait for the other rank",
          () ->
              made.get() != null
                  || makes.getState() == Thread.State.TIMED_WAITING
                  || makes.getState() == Thread.State.WAITING);
      Await.ended("closing", Thread.ofPlatform().daemon().start(first.get(0)::close));
      first.get(1).close();
      assertThat(job.rank(1).newDevice().index()).isEqualTo(2);
      Await.ended("making a device", makes);
      assertThat(made.get().index()).isEqualTo(2);
    }
  }

  @Test
  default void everyDeviceDoesEveryOperation() {
    try (Job job = open(2)) {
      for (List<Device> devices : List.of(job.newDevices(), job.newDevices())) {
        Device here = devices.get(0);
        Device there = devices.get(1);
        for (int size : OperationCase.sizes(job.rank(0))) {
          messages(job, here, there, size);
          transfers(job, here, size);
        }
      }
    }
  }

  private static void messages(Job job, Device here, Device there, int size) {
    MemorySegment message = Talk.filled(size, 1);
    MemorySegment buffer = Talk.memory(size);
    Witness received = Witness.handler();
    Witness sent = Witness.handler();
    job.insist("a receive", () -> there.recv(0, buffer, 8, received.completion()));
    Post send = job.insist("a send", () -> here.send(1, message, 8, sent.completion()));
    job.await("a send of " + size + " bytes", sent, send);
    job.until("a message of " + size + " bytes", received::heard);
    Pattern.check("a message", buffer, 1);
    OfHandler arrived = Witness.handler();
    RemoteCompletion target = job.rank(1).register(arrived.completion());
    Witness told = Witness.handler();
    Post am = job.insist("an am", () -> here.am(1, message, 9, target, told.completion()));
    job.await("an active message of " + size + " bytes", told, am);
    job.until("an active message of " + size + " bytes", arrived::heard);
    Pattern.check("an active message", arrived.told().payload(), 1);
  }

  private static void transfers(Job job, Device here, int size) {
    MemorySegment local = Talk.filled(size, 2);
    Counter told = job.rank(1).newCounter();
    RemoteCompletion target = job.rank(1).register(told);
    try (Region region = job.rank(1).allocate(size + 1)) {
      Witness put = Witness.handler();
      Post answer =
          job.insist(
              "a put", () -> here.put(local, region.remote(), 1, 3, target, put.completion()));
      job.await("a put of " + size + " bytes", put, answer);
      job.until("the signal of a put of " + size + " bytes", () -> told.count() == 1);
      Pattern.check("a put", region.segment(), 1, size, 2);
      MemorySegment back = Talk.memory(size);
      Witness got = Witness.handler();
      answer =
          job.insist(
              "a get", () -> here.get(back, region.remote(), 1, 3, target, got.completion()));
      job.await("a get of " + size + " bytes", got, answer);
      job.until("the signal of a get of " + size + " bytes", () -> told.count() == 2);
      Pattern.check("a get", back, 2);
    }
  }

  @Test
  default void aReceiveOnOneDeviceMeetsAMessageThatComesByAnother() {
    try (Job job = open(2)) {
      List<Device> devices = job.newDevices();
      List<MatchingEngine> engines = job.newMatchingEngines(MatchingOptions.defaults());
      MatchingEngine shared = engines.get(1);
      for (int size : OperationCase.sizes(job.rank(0))) {
        for (boolean expected : new boolean[] {true, false}) {
          OfHandler received = Witness.handler();
          MemorySegment buffer = Talk.memory(size);
          if (expected) {
            receive(job, job.rank(1).device(), shared, buffer, received);
          }
          Witness sent = send(job, devices.get(0), engines.get(0), size);
          if (!expected) {
            job.until("a message of " + size, () -> shared.waitingMessages() == 1);
            receive(job, job.rank(1).device(), shared, buffer, received);
          }
          job.until("a message of " + size + " bytes by another device", received::heard);
          job.until("the end of the send", sent::heard);
          Pattern.check("a message by another device", buffer, size);
        }
      }
    }
  }

  private static void receive(
      Job job, Device device, MatchingEngine engine, MemorySegment buffer, Witness received) {
    job.insist(
        "a receive",
        () -> device.recv().from(0).matching(engine).buffer(buffer).post(received.completion()));
  }

  private static Witness send(Job job, Device device, MatchingEngine engine, int size) {
    MemorySegment message = Talk.filled(size, size);
    Witness sent = Witness.handler();
    job.insist(
        "a send",
        () ->
            job.rank(0)
                .send()
                .on(device)
                .matching(engine)
                .to(1)
                .buffer(message)
                .allowDone(false)
                .post(sent.completion()));
    return sent;
  }

  @Test
  default void whatIsPostedOnOneDeviceNeedsProgressOnThatDeviceOnly() {
    try (Job job = open(2)) {
      List<Device> devices = job.newDevices();
      MemorySegment buffer = Talk.memory(8);
      Witness received = Witness.handler();
      Await.until(
          "a receive", () -> devices.get(1).recv(0, buffer, 1, received.completion()).isPosted());
      Await.until(
          "a send", () -> devices.get(0).send(1, Talk.filled(8, 8), 1, Completion.NONE).isDone());
      Await.until(
          "a message",
          Job.LIMIT,
          () -> {
            devices.get(0).progress();
            devices.get(1).progress();
          },
          received::heard);
      Pattern.check("it", buffer, 8);
    }
  }

  @Test
  default void aClosedDeviceLeavesTheOthersAlone() {
    try (Job job = open(2)) {
      List<Device> first = job.newDevices();
      List<Device> second = job.newDevices();
      messages(job, first.get(0), first.get(1), 100);
      job.checkIdle();
      first.forEach(Device::close);
      messages(job, second.get(0), second.get(1), 100);
      Talk.check(job, 0, 1);
      assertThat(job.rank(0).progress()).isNotNegative();
    }
  }

  @Test
  default void aDeviceCountsWhatIsUnderWay() {
    try (Job job = open(2)) {
      Lacis receiver = job.rank(1);
      assertThat(receiver.device().pending()).isZero();
      Witness one = Witness.handler();
      Witness two = Witness.handler();
      job.insist("a receive", () -> receiver.recv(0, Talk.memory(8), 1, one.completion()));
      job.insist("a receive", () -> receiver.recv(0, Talk.memory(8), 2, two.completion()));
      assertThat(receiver.device().pending()).isEqualTo(2);
      Talk.send(job, 0, 1, 1, 8, 1);
      job.until("one", one::heard);
      assertThat(receiver.device().pending()).isEqualTo(1);
      Talk.send(job, 0, 1, 2, 8, 1);
      job.until("two", two::heard);
      assertThat(receiver.device().pending()).isZero();
    }
  }
}
