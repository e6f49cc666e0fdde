package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.Network;
import org.lacis.settings.Settings;

/** Peers that close, and peers that die. */
class ShmPeerGoneTest {

  private static final MemorySegment NOTHING = MemorySegment.NULL;

  @Test
  void aPeerThatClosesIsGoneAfterItsLastMessage() {
    try (var ranks = LocalRanks.open(3)) {
      for (int i = 1; i <= 10; i++) {
        ranks.devices[1].inject(0, i, 0, NOTHING, 0, 0);
      }
      ranks.contexts[1].close();
      ranks.sinks[0].refuse = true;
      for (int i = 0; i < 500; i++) {
        ranks.poll(0);
      }
      assertThat(ranks.sinks[0].gone).isEmpty();
      assertThat(ranks.devices[0].inject(1, 1, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.PEER_GONE);
      ranks.sinks[0].refuse = false;
      ranks.until(
          "rank 1 to be gone",
          () -> !ranks.sinks[0].gone.isEmpty() && !ranks.sinks[2].gone.isEmpty());
      assertThat(ranks.sinks[0].messages).hasSize(10);
      for (int i = 0; i < 500; i++) {
        ranks.poll(0);
      }
      assertThat(ranks.sinks[0].gone).containsExactly(1);
      assertThat(ranks.devices[0].sendPacket(1, 1, 0, packet(ranks.contexts[0]), 8))
          .isEqualTo(NetDevice.PEER_GONE);
      MemorySegment local = Arena.ofAuto().allocate(8);
      assertThat(ranks.devices[0].put(1, local, 0, 8, 1234, 0, 0, 0, 0))
          .isEqualTo(NetDevice.PEER_GONE);
      // The others are not concerned.
      assertThat(ranks.devices[0].inject(2, 1, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.OK);
    }
  }

  @Test
  void transfersWithAPeerThatClosesEnd() {
    try (var ranks = LocalRanks.open(3, BulkMode.PIPELINE)) {
      MemorySegment local = Arena.ofAuto().allocate(200_000);
      var keys = new long[3];
      for (int rank = 1; rank < 3; rank++) {
        keys[rank] =
            ranks.contexts[rank].register(
                Arena.ofAuto().allocate(200_000), 0, 200_000, NetContext.WRITE);
        for (int i = 0; i < 5; i++) {
          int answer = ranks.devices[0].put(rank, local, 0, 200_000, keys[rank], 0, 1, 0, rank);
          assertThat(answer).isEqualTo(NetDevice.PENDING);
        }
      }
      ranks.contexts[1].close();
      ranks.until("all transfers to end", () -> ranks.sinks[0].completions.size() == 10);
      assertThat(ranks.sinks[0].completions)
          .filteredOn(completion -> completion.cookie() == 1)
          .hasSize(5)
          .allMatch(completion -> completion.result() <= NetDevice.NO_ACCESS);
      assertThat(ranks.sinks[0].completions)
          .filteredOn(completion -> completion.cookie() == 2)
          .hasSize(5)
          .allMatch(completion -> completion.result() == NetDevice.OK);
    }
  }

  @Test
  void aDeviceThatOnlyThePeerHasClosedIsNotWaitedFor() {
    try (var ranks = LocalRanks.open(2, BulkMode.PIPELINE)) {
      MemorySegment local = Arena.ofAuto().allocate(64);
      long key = ranks.contexts[1].register(Arena.ofAuto().allocate(64), 0, 64, NetContext.WRITE);
      ranks.devices[1].close();
      int answer = ranks.devices[0].put(1, local, 0, 64, key, 0, 1, 0, 9);
      assertThat(answer).isEqualTo(NetDevice.PENDING);
      ranks.until("the put to end", () -> !ranks.sinks[0].completions.isEmpty());
      assertThat(ranks.sinks[0].completions.getFirst().result()).isEqualTo(NetDevice.PEER_GONE);
      for (int i = 0; i < 64; i++) {
        ranks.devices[0].inject(1, 1, 0, NOTHING, 0, 0);
      }
      assertThat(ranks.devices[0].inject(1, 1, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.PEER_GONE);
      assertThat(ranks.sinks[0].gone).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTO", "PIPELINE"})
  void aProcessThatIsKilledIsNoticed(BulkMode mode, @TempDir Path directory)
      throws IOException, InterruptedException {
    String job = UUID.randomUUID().toString().replace("-", "");
    Process child = start(mode, directory, job);
    System.setProperty(Settings.SHM_BULK.property(), mode.toString());
    try (NetContext context = open(new FileExchange(directory, job, 0, 2));
        NetDevice device = context.openDevice()) {
      var sink = new RecordingSink(context);
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (sink.messages.isEmpty()) {
        device.poll(sink, 64);
        assertThat(System.nanoTime()).as("waiting for the child's message").isLessThan(limit);
      }
      // What it says is true of both sides: it writes the key of its memory.
      long key = sink.messages.getFirst().h1();
      MemorySegment local = Arena.ofAuto().allocate(100_000);
      int answer = device.put(1, local, 0, 100_000, key, 0, 0, 0, 7);
      assertThat(answer).isNotNegative();
      child.destroyForcibly();
      long killed = System.nanoTime();
      while (sink.gone.isEmpty()) {
        device.poll(sink, 64);
        assertThat(System.nanoTime()).as("waiting for the end of the child").isLessThan(limit);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(20));
      assertThat(device.inject(1, 1, 0, NOTHING, 0, 0)).isEqualTo(NetDevice.PEER_GONE);
      assertThat(sink.completions).hasSize(answer == NetDevice.PENDING ? 1 : 0);
    } finally {
      System.clearProperty(Settings.SHM_BULK.property());
      child.destroyForcibly();
      child.waitFor();
    }
  }

  private static Process start(BulkMode mode, Path directory, String job) throws IOException {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.add("-D" + Settings.SHM_BULK.property() + "=" + mode);
    command.addAll(List.of("-cp", classPath(), Child.class.getName(), directory.toString(), job));
    return new ProcessBuilder(command).inheritIO().start();
  }

  /** Where the classes of main and test are, however the tests run: as modules or not. */
  private static String classPath() {
    var places = new ArrayList<String>();
    for (String property :
        List.of("java.class.path", "jdk.module.path", "surefire.test.class.path")) {
      String value = System.getProperty(property);
      if (value != null && !value.isEmpty()) {
        places.add(value);
      }
    }
    places.add(place(ShmNetwork.class));
    places.add(place(Child.class));
    return String.join(java.io.File.pathSeparator, places);
  }

  private static String place(Class<?> type) {
    return Path.of(
            java.net.URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  private static NetContext open(FileExchange exchange) {
    return new ShmNetwork().open(new Network.Setup(exchange, 4 << 20, 64, Duration.ofSeconds(60)));
  }

  private static long packet(NetContext context) {
    return context.allocate(256, 64) + NetContext.PACKET_HEADER;
  }

  /** A rank that says where its memory is and then does nothing any more. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      NetContext context = open(new FileExchange(Path.of(args[0]), args[1], 1, 2));
      NetDevice device = context.openDevice();
      MemorySegment memory = Arena.global().allocate(100_000);
      long key = context.register(memory, 0, 100_000, NetContext.WRITE);
      device.inject(0, 1, key, NOTHING, 0, 0);
      Thread.currentThread().join(60_000);
    }
  }
}
