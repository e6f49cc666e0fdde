package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/** Many threads at once: nothing is lost, doubled or torn. */
public interface NetworkThreads extends NetworkSuite {

  /** Threads that post on one device. */
  int POSTERS = 4;

  /** Messages that each of them posts. */
  int EACH = 1500;

  /**
   * Any number of threads posts on one device while every rank is polled by one, and leases end on
   * yet another.
   */
  @ByRanks
  default void manyThreadsPostOnOneDevice(int ranks) {
    try (var fabric = open(ranks);
        var crew = new Crew()) {
      List<NetContext> contexts = fabric.contexts();
      List<NetDevice> devices = fabric.openDevices();
      Queue<Runnable> releases = new ConcurrentLinkedQueue<>();
      List<NetworkTally> tallies = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        NetContext context = contexts.get(rank);
        NetDevice device = devices.get(rank);
        var tally =
            new NetworkTally(POSTERS * EACH, lease -> releases.add(() -> context.release(lease)));
        tallies.add(tally);
        crew.repeat("poller " + rank, () -> rest(device.poll(tally, 16)));
      }
      crew.repeat("releaser", () -> rest(end(releases)));
      var packets = new NetworkPacketPool(contexts.get(0), 16);
      for (int poster = 0; poster < POSTERS; poster++) {
        int first = poster * EACH;
        crew.start(
            "poster " + poster,
            () -> {
              for (int id = first; id < first + EACH; id++) {
                post(crew, devices.get(0), packets, id, id % ranks);
              }
            });
      }
      crew.until(
          POSTERS * EACH + " messages",
          () -> tallies.stream().mapToInt(NetworkTally::count).sum() >= POSTERS * EACH);
      crew.until("the return of all packets", () -> packets.allBack());
      for (int id = 0; id < POSTERS * EACH; id++) {
        for (int rank = 0; rank < ranks; rank++) {
          assertThat(tallies.get(rank).times(id))
              .as("message %d at rank %d", id, rank)
              .isEqualTo(id % ranks == rank ? 1 : 0);
        }
      }
    }
  }

  private static int end(Queue<Runnable> releases) {
    Runnable release = releases.poll();
    if (release == null) {
      return 0;
    }
    release.run();
    return 1;
  }

  /**
   * Lets other threads run if there was nothing to do: there may be more threads than processors.
   */
  private static void rest(int done) {
    if (done == 0) {
      Thread.yield();
    }
  }

  private static void post(Crew crew, NetDevice device, NetworkPacketPool packets, int id, int to) {
    if (id % 3 == 0) {
      long address = packets.take(crew, NetworkTally.bytes(id));
      int length = NetworkTally.bytes(id).length;
      insist(crew, () -> device.sendPacket(to, 1, id, address, length));
    } else {
      byte[] bytes = NetworkTally.bytes(id);
      MemorySegment payload = MemorySegment.ofArray(bytes);
      insist(crew, () -> device.inject(to, 1, id, payload, 0, bytes.length));
    }
  }

  private static int insist(Crew crew, IntSupplier post) {
    int answer = post.getAsInt();
    while (NetworkRig.lacksRoom(answer) && !crew.stopped()) {
      Thread.yield();
      answer = post.getAsInt();
    }
    return answer;
  }

  /** Threads with a device each, at all ranks. */
  @ByRanks
  default void threadsWithDevicesOfTheirOwnDoNotMeet(int ranks) {
    int sets = 3;
    int each = 500;
    try (var fabric = open(ranks);
        var crew = new Crew()) {
      AtomicInteger missing = new AtomicInteger(sets * ranks * ranks * each);
      for (int set = 0; set < sets; set++) {
        List<NetDevice> devices = fabric.openDevices();
        for (int rank = 0; rank < ranks; rank++) {
          NetDevice device = devices.get(rank);
          NetContext context = fabric.contexts().get(rank);
          var tally = new NetworkTally(each * ranks, context::release);
          int first = rank * each;
          crew.start(
              "device " + set + " of rank " + rank,
              () -> {
                for (int i = 0; i < each * ranks && !crew.stopped(); i++) {
                  int id = first + i / ranks;
                  int to = i % ranks;
                  MemorySegment payload = MemorySegment.ofArray(NetworkTally.bytes(id));
                  insist(
                      crew,
                      () -> {
                        missing.addAndGet(-device.poll(tally, 16));
                        return device.inject(to, 1, id, payload, 0, (int) payload.byteSize());
                      });
                }
                while (tally.count() < each * ranks && !crew.stopped()) {
                  missing.addAndGet(-device.poll(tally, 16));
                  Thread.yield();
                }
              });
        }
      }
      crew.until("all messages", () -> missing.get() <= 0);
      assertThat(missing).hasValue(0);
    }
  }

  /** Threads register, let a peer write, and deregister. */
  @ByRanks
  default void manyThreadsRegisterAndPut(int ranks) {
    int rounds = 200;
    try (var fabric = open(ranks);
        var crew = new Crew()) {
      List<NetDevice> devices = fabric.openDevices();
      NetContext target = fabric.contexts().get(ranks - 1);
      var sinks = new ArrayList<NetworkTally>();
      for (int rank = 0; rank < ranks; rank++) {
        NetDevice device = devices.get(rank);
        var tally = new NetworkTally(POSTERS * rounds, lease -> {});
        sinks.add(tally);
        crew.repeat("poller " + rank, () -> rest(device.poll(tally, 16)));
      }
      AtomicInteger done = new AtomicInteger();
      for (int poster = 0; poster < POSTERS; poster++) {
        int number = poster;
        crew.start(
            "putter " + poster,
            () -> {
              MemorySegment remote =
                  number % 2 == 0
                      ? Arena.ofAuto().allocate(2000)
                      : MemorySegment.ofArray(new byte[2000]);
              for (int round = 0; round < rounds && !crew.stopped(); round++) {
                int id = number * rounds + round;
                MemorySegment local = MemorySegment.ofArray(NetworkData.bytes(id, 2000));
                long key = target.register(remote, 0, 2000, NetContext.WRITE);
                int answer =
                    insist(
                        crew,
                        () -> devices.get(0).put(ranks - 1, local, 0, 2000, key, 0, 0, 0, id));
                while (answer == NetDevice.PENDING
                    && sinks.get(0).times(id) == 0
                    && !crew.stopped()) {
                  Thread.yield();
                }
                assertThat(target.deregister(key)).isTrue();
                assertThat(remote.mismatch(local))
                    .as("first wrong byte of put %d", id)
                    .isEqualTo(-1);
              }
              done.incrementAndGet();
            });
      }
      crew.until("all puts", () -> done.get() == POSTERS);
    }
  }
}
