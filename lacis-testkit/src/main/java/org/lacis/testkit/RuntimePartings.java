package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.lacis.BufferList;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.ErrorKind;
import org.lacis.Lacis;
import org.lacis.Posting;
import org.lacis.testkit.Witness.OfHandler;

/** Devices that are closed while long messages of peers wait there: their senders are told. */
interface RuntimePartings extends RuntimeSuite {

  @Test
  default void longMessagesThatWaitAtADeviceThatIsClosedFailAtTheirSender() {
    try (Job job = open(3)) {
      job.leaveUnfinished();
      List<Device> devices = job.newDevices();
      int size = job.rank(0).eagerLimit() + 1;
      BufferList list = BufferList.of(Talk.memory(size), Talk.memory(8));
      List<OfHandler> sent = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        sent.add(send(job, devices.get(0), 1, i, p -> p.buffer(Talk.memory(size))));
        sent.add(send(job, devices.get(0), 1, i, p -> p.buffers(list)));
        sent.add(send(job, devices.get(0), 1, i, p -> p.buffer(Talk.memory(8)).synchronous(true)));
      }
      job.until(
          "the messages", () -> job.rank(1).matchingEngine().waitingMessages() == sent.size());
      // Nobody looks at the last one before the device is closed.
      sent.add(send(job, devices.get(0), 1, 9, p -> p.buffer(Talk.memory(size))));
      OfHandler other = send(job, devices.get(0), 2, 9, p -> p.buffer(Talk.filled(size, 1)));
      devices.get(1).close();
      job.until("the end of all sends", () -> sent.stream().allMatch(Witness::heard));
      assertThat(sent).allSatisfy(w -> check(w.told(), devices.get(1).index()));
      assertThat(other.heard()).as("a message to a device that is open is over").isFalse();
      Talk.receive(job, 2, 0, 9, size, 1);
      job.until("the end of that", other::heard);
      assertThat(other.told().error()).isNull();
      assertThat(devices.get(0).pending()).isZero();
      Talk.check(job, 0, 1);
    }
  }

  private static void check(Outcome told, int device) {
    CommunicationException error = Objects.requireNonNull(told.error());
    assertThat(error.kind()).isEqualTo(ErrorKind.CLOSED);
    assertThat(error.rank()).isEqualTo(1);
    assertThat(error).hasMessageContaining("rank 1 has closed its device " + device);
  }

  private static OfHandler send(
      Job job, Device device, int to, int tag, UnaryOperator<Posting> content) {
    OfHandler sent = Witness.handler();
    job.insist(
        "a send",
        () ->
            content.apply(device.send().to(to).tag(tag)).allowDone(false).post(sent.completion()));
    return sent;
  }

  /** That it was taken is told by the device that is closed then, and may come after the news. */
  @Test
  default void aLongMessageThatWasTakenBeforeItsDeviceIsClosedHasArrived() {
    for (int round = 0; round < 20; round++) {
      try (Job job = open(2)) {
        List<Device> devices = job.newDevices();
        int size = job.rank(0).eagerLimit() + 1;
        OfHandler sent = send(job, devices.get(0), 1, 1, p -> p.buffer(Talk.filled(size, 7)));
        OfHandler received = Witness.handler();
        MemorySegment buffer = Talk.memory(size);
        job.insist("a receive", () -> devices.get(1).recv(0, buffer, 1, received.completion()));
        Await.until(
            "the message",
            Job.LIMIT,
            () -> {
              // A network may have the sender give it.
              if (!received.heard()) {
                devices.get(0).progress();
                devices.get(1).progress();
              }
            },
            received::heard);
        devices.get(1).close();
        job.rank(0).device().progress();
        job.until("the end of the send", sent::heard);
        assertThat(sent.told().error()).isNull();
        Pattern.check("the message", buffer, 7);
      }
    }
  }

  @Test
  default void messagesThatNobodyWaitsForEndWithoutWarnings() {
    try (Job job = open(2);
        LacisLog log = new LacisLog()) {
      job.leaveUnfinished();
      List<Device> devices = job.newDevices();
      MemorySegment message = Talk.memory(job.rank(0).eagerLimit() + 1);
      int count = 20;
      for (int i = 0; i < count; i++) {
        job.insist("a send", () -> devices.get(0).send(1, message, 1, Completion.NONE));
      }
      job.until("the messages", () -> job.rank(1).matchingEngine().waitingMessages() == count);
      devices.get(1).close();
      job.until("the end of all sends", () -> devices.get(0).pending() == 0);
      assertThat(log.messages()).isEmpty();
      assertThat(devices.get(0).counters().failed()).isEqualTo(count);
    }
  }

  /** One rank may have closed a device before another has made it. */
  @Test
  default void whatIsSentToADeviceThatWasClosedLongAgoEndsOrIsRefused() {
    try (Job job = open(2)) {
      job.leaveUnfinished();
      List<Device> devices =
          job.together(
              "devices",
              (Lacis lacis) -> {
                Device device = lacis.newDevice();
                if (lacis.rank() == 1) {
                  device.close();
                }
                return device;
              });
      MemorySegment message = Talk.memory(job.rank(0).eagerLimit() + 1);
      for (int i = 0; i < 5; i++) {
        OfHandler sent;
        try {
          sent = send(job, devices.get(0), 1, i, p -> p.buffer(message));
        } catch (CommunicationException e) {
          assertThat(e.rank()).isEqualTo(1);
          continue;
        }
        job.until("the end of a send", sent::heard);
        assertThat(sent.told().error()).isNotNull();
        job.progressOn();
      }
      assertThat(devices.get(0).pending()).isZero();
    }
  }
}
