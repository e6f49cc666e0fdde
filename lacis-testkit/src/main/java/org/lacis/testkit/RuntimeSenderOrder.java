package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lacis.Lacis.ANY_SOURCE;
import static org.lacis.Lacis.ANY_TAG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.Poster;
import org.lacis.testkit.Witness.OfHandler;

/** Messages of one sender do not overtake each other, whichever way they come. */
interface RuntimeSenderOrder extends RuntimeSuite {

  /** Of every protocol, by several devices in turn: expected, and unexpected. */
  @Test
  default void messagesOfOneSenderDoNotOvertake() {
    try (Job job = open(2)) {
      List<Device> more = job.newDevices();
      List<? extends Poster> devices =
          List.of(job.rank(0).device(), more.get(0), job.newDevices().get(0));
      for (MatchingOptions kind : Ordered.KINDS) {
        Ordered talk = new Ordered(job, kind);
        List<Integer> sizes = Talk.sizes(job.rank(0));
        int longest = sizes.getLast();
        int count = 60;
        List<OfHandler> receives = new ArrayList<>();
        for (int i = 0; i < count / 2; i++) {
          receives.add(talk.receive(1, 0, i % 3 == 0 ? ANY_TAG : 9, longest));
        }
        for (int i = 0; i < count; i++) {
          talk.send(devices.get(i % 3), 0, 1, 9, sizes.get(i / 2 % 3), i);
        }
        for (int i = count / 2; i < count; i++) {
          receives.add(talk.receive(1, i % 2 == 0 ? ANY_SOURCE : 0, 9, longest));
        }
        for (int i = 0; i < count; i++) {
          talk.expect(receives.get(i), 0, 9, i);
        }
        job.until("the sends", () -> job.rank(0).device().isDrained());
      }
    }
  }

  /** The device by which the first message comes is not polled until the second one is there. */
  @Test
  default void aMessageThatComesTooEarlyIsParkedAndCounted() {
    try (Job job = open(2)) {
      List<Device> others = job.newDevices();
      Ordered talk = new Ordered(job, MatchingOptions.ordered());
      OfHandler first = talk.receive(1, ANY_SOURCE, ANY_TAG, 8);
      OfHandler second = talk.receive(1, ANY_SOURCE, ANY_TAG, 8);
      talk.queue(job.rank(0).device(), 0, 1, 3, 8, 1);
      talk.queue(others.get(0), 0, 1, 3, 8, 2);
      Await.until(
          "the second message",
          Job.LIMIT,
          () -> {
            job.rank(0).progress();
            others.get(1).progress();
          },
          () -> talk.info(1, "parked") == 1);
      assertThat(second.heard()).isFalse();
      talk.expect(first, 0, 3, 1);
      talk.expect(second, 0, 3, 2);
      assertThat(talk.info(1, "parked")).isEqualTo(1);
    }
  }

  /** Far more than there is room for on the way, so that most go to the backlog. */
  @Test
  default void whatWaitsInTheBacklogKeepsItsPlace() {
    try (Job job = open(2)) {
      Device other = job.newDevices().get(0);
      Ordered talk = new Ordered(job, MatchingOptions.ordered());
      int count = 1500;
      for (int i = 0; i < count; i++) {
        talk.queue(i % 500 < 490 ? job.rank(0).device() : other, 0, 1, 0, 8, i);
      }
      for (int i = 0; i < count; i++) {
        talk.expect(talk.receive(1, ANY_SOURCE, ANY_TAG, 8), 0, 0, i);
      }
    }
  }

  /** What is in the backlog of a device that is closed does not come, and holds up nothing. */
  @Test
  default void aDeviceThatIsClosedLeavesNoGap() {
    try (Job job = open(2)) {
      Ordered talk = new Ordered(job, MatchingOptions.ordered());
      List<Device> devices = job.newDevices();
      OfHandler sent = Witness.handler();
      int count = 600;
      for (int i = 0; i < count; i++) {
        devices
            .get(0)
            .send()
            .to(1)
            .buffer(Talk.memory(8))
            .matching(talk.engine(0))
            .allowRetry(false)
            .allowDone(false)
            .post(sent.completion());
      }
      devices.get(0).close();
      job.leaveUnfinished();
      assertThat(sent.all()).hasSize(count);
      talk.send(0, 1, 77, 8, 1);
      talk.expect(talk.receive(1, ANY_SOURCE, 77, 8), 0, 77, 1);
    }
  }

  @Test
  default void messagesThatComeBeforeTheEngineIsMadeKeepTheirOrder() {
    try (Job job = open(2)) {
      MatchingEngine here = job.rank(0).newMatchingEngine(MatchingOptions.ordered());
      List<Integer> sizes = Talk.sizes(job.rank(0));
      for (int i = 0; i < 12; i++) {
        MemorySegment message = Talk.filled(sizes.get(i % 3), i);
        job.insist(
            "a send",
            () -> job.rank(0).send().to(1).buffer(message).matching(here).post(Completion.NONE));
      }
      job.progressOn();
      MatchingEngine there = job.rank(1).newMatchingEngine(MatchingOptions.ordered());
      for (int i = 0; i < 12; i++) {
        OfHandler received =
            Talk.receive(
                job,
                1,
                sizes.getLast(),
                options -> options.from(ANY_SOURCE).tag(ANY_TAG).matching(there));
        job.until("a message", received::heard);
        Pattern.check("message " + i, received.told().payload(), i);
      }
    }
  }

  /** Every sender thread has a device and a tag of its own; what it sends comes in order. */
  @Test
  default void threadsOnSeveralDevicesKeepTheirOrder() {
    int threads = 3;
    int count = 200;
    try (Job job = open(2)) {
      List<Device> devices = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        devices.add(job.newDevices().get(0));
      }
      for (MatchingOptions kind : Ordered.KINDS) {
        List<MatchingEngine> engines = job.newMatchingEngines(kind);
        List<OfHandler> receives = new ArrayList<>();
        for (int i = 0; i < threads * count; i++) {
          receives.add(
              Talk.receive(
                  job, 1, 8, options -> options.from(0).tag(ANY_TAG).matching(engines.get(1))));
        }
        try (Crew crew = new Crew()) {
          for (int t = 0; t < threads; t++) {
            int tag = t;
            crew.start("sender " + t, () -> stream(devices.get(tag), engines.get(0), tag, count));
          }
          crew.until(
              "all messages",
              () -> {
                job.progress();
                return receives.stream().allMatch(OfHandler::heard);
              });
        }
        int[] next = new int[threads];
        for (OfHandler received : receives) {
          int tag = received.told().tag();
          Pattern.check("message of thread " + tag, received.told().payload(), next[tag]++);
        }
        assertThat(next).containsOnly(count);
      }
    }
  }

  private static void stream(Device device, MatchingEngine engine, int tag, int count) {
    for (int i = 0; i < count; i++) {
      device
          .send()
          .to(1)
          .tag(tag)
          .buffer(Talk.filled(8, i))
          .matching(engine)
          .postBlocking(Completion.NONE);
    }
  }
}
