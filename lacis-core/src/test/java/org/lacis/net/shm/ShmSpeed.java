package org.lacis.net.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.Network;
import org.lacis.net.PeerEnd;

/**
 * How fast the shared-memory network is by itself, between two processes: median and best of
 * several samples. Not a test: run its main, with the benchmarks to run as arguments, or none for
 * all.
 */
final class ShmSpeed {

  private static final int SAMPLES = 15;
  private static final int PACKET = 8192;

  /** Stores to private memory beside each message that is sent: what they cost a stream. */
  private static final int STORES = Integer.getInteger("stores", 0);

  private final NetContext context;
  private final NetDevice device;
  private final int rank;
  private final MemorySegment payload = Arena.ofAuto().allocate(64, 64);
  private final MemorySegment scratchMemory = Arena.ofAuto().allocate(32 * 64, 64);
  private final long scratch = scratchMemory.address();
  private final Sink sink = new Sink();
  private long awaited;

  private ShmSpeed(Network.Exchange exchange) {
    rank = exchange.rank();
    context =
        new ShmNetwork().open(new Network.Setup(exchange, 64L << 20, 1024, Duration.ofSeconds(60)));
    device = context.openDevice();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0 && args[0].equals("--rank")) {
      var exchange = new FileExchange(Path.of(args[2]), args[3], Integer.parseInt(args[1]), 2);
      new ShmSpeed(exchange).run(List.of(args).subList(4, args.length));
      return;
    }
    Path directory = Files.createTempDirectory("lacis-speed");
    String job = UUID.randomUUID().toString().replace("-", "");
    var processes = new ArrayList<Process>();
    for (int i = 0; i < 2; i++) {
      var command = new ArrayList<String>();
      command.add(ProcessHandle.current().info().command().orElseThrow());
      command.add("--enable-native-access=ALL-UNNAMED");
      String options = System.getProperty("jvm", "");
      if (!options.isEmpty()) {
        command.addAll(List.of(options.split(" ")));
      }
      command.addAll(
          List.of("-cp", System.getProperty("java.class.path"), ShmSpeed.class.getName()));
      command.addAll(List.of("--rank", Integer.toString(i), directory.toString(), job));
      command.addAll(List.of(args));
      processes.add(new ProcessBuilder(command).inheritIO().start());
    }
    for (Process process : processes) {
      process.waitFor();
    }
    try (var files = Files.list(directory)) {
      for (Path path : files.toList()) {
        Files.delete(path);
      }
    }
    Files.delete(directory);
  }

  private void run(List<String> which) {
    if (rank == 0) {
      System.out.println(context.description());
    }
    if (wanted(which, "latency")) {
      report("ping-pong of 8 bytes, one way", "ns", () -> pingPong(200_000), false);
    }
    if (wanted(which, "stream")) {
      report("stream of 8 bytes", "M/s", () -> stream(4_000_000), true);
    }
    if (wanted(which, "packets")) {
      report("packets of 8 KiB, copied in and out", "GB/s", () -> packets(100_000), true);
    }
    if (wanted(which, "vm")) {
      bulk("put 1 MiB by process_vm_writev", Arena.ofAuto().allocate(1 << 20, 4096), 1 << 20);
      bulk("put 64 KiB by process_vm_writev", Arena.ofAuto().allocate(1 << 20, 4096), 1 << 16);
    }
    if (wanted(which, "mapped")) {
      bulk("put 1 MiB into shared memory", shared(), 1 << 20);
      bulk("put 64 KiB into shared memory", shared(), 1 << 16);
    }
    if (wanted(which, "pipeline")) {
      bulk("put 1 MiB into a Java array", MemorySegment.ofArray(new byte[1 << 20]), 1 << 20);
      bulk("put 64 KiB into a Java array", MemorySegment.ofArray(new byte[1 << 20]), 1 << 16);
    }
    if (wanted(which, "register")) {
      report("register and deregister", "ns", () -> registrations(1_000_000), false);
    }
    barrier();
    context.close();
  }

  private MemorySegment shared() {
    return context.view(context.allocate(1 << 20, 4096), 1 << 20);
  }

  private static boolean wanted(List<String> which, String name) {
    return which.isEmpty() || which.contains(name);
  }

  private interface Sample {
    double run();
  }

  private void report(String what, String unit, Sample sample, boolean moreIsBetter) {
    var values = new double[SAMPLES];
    for (int i = -5; i < SAMPLES; i++) {
      barrier();
      double value = sample.run();
      if (i >= 0) {
        values[i] = value;
      }
    }
    Arrays.sort(values);
    if (rank == 0) {
      double best = moreIsBetter ? values[SAMPLES - 1] : values[0];
      System.out.printf(
          Locale.ROOT, "%-48s %8.1f %s (best %.1f)%n", what, values[SAMPLES / 2], unit, best);
    }
  }

  private void barrier() {
    send(1 - rank, 1);
    receive(1);
  }

  private void send(int peer, long h0) {
    for (int i = 0; i < STORES; i++) {
      Memory.putLong(scratch + i % 32 * 64, h0);
    }
    if (device.inject(peer, h0, 0, payload, 0, 8) != NetDevice.OK) {
      insist(peer, h0);
    }
  }

  private void insist(int peer, long h0) {
    for (int spins = 0; device.inject(peer, h0, 0, payload, 0, 8) != NetDevice.OK; spins++) {
      idle(spins);
    }
  }

  /** Waits for so many more messages than were waited for before. */
  private void receive(long count) {
    awaited += count;
    int spins = 0;
    while (sink.messages < awaited) {
      if (device.poll(sink, 256) == 0) {
        idle(spins++);
      } else {
        spins = 0;
      }
    }
  }

  /** Other programs may want the core. */
  private static void idle(int spins) {
    if (spins < 1000) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  private double pingPong(int rounds) {
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      if (rank == 0) {
        send(1, 2);
      }
      receive(1);
      if (rank == 1) {
        send(0, 2);
      }
    }
    return (System.nanoTime() - start) / (2.0 * rounds);
  }

  private double stream(int count) {
    long start = System.nanoTime();
    if (rank == 0) {
      for (int i = 0; i < count; i++) {
        send(1, 3);
      }
      receive(1);
    } else {
      receive(count);
      send(0, 3);
    }
    return count * 1e3 / (System.nanoTime() - start);
  }

  private long[] free = new long[0];
  private int freeCount;

  private double packets(int count) {
    if (free.length == 0) {
      free = new long[64];
      for (int i = 0; i < free.length; i++) {
        free[freeCount++] =
            context.allocate(PACKET + NetContext.PACKET_HEADER, 64) + NetContext.PACKET_HEADER;
      }
    }
    MemorySegment source = Arena.ofAuto().allocate(PACKET, 64);
    NetContext.PacketTaker taker = address -> free[freeCount++] = address;
    long start = System.nanoTime();
    if (rank == 0) {
      for (int i = 0; i < count; i++) {
        for (int spins = 0; freeCount == 0 && context.reclaim(taker) == 0; spins++) {
          idle(spins);
        }
        long packet = free[--freeCount];
        Memory.copyIn(source, 0, packet, PACKET);
        for (int spins = 0; device.sendPacket(1, 4, i, packet, PACKET) != NetDevice.OK; spins++) {
          idle(spins);
        }
      }
      receive(1);
    } else {
      receive(count);
      send(0, 4);
    }
    return (double) count * PACKET / (System.nanoTime() - start);
  }

  private void bulk(String what, MemorySegment target, int length) {
    long key = context.register(target, 0, length, NetContext.READ | NetContext.WRITE);
    Memory.putLong(payload.address(), key);
    send(1 - rank, 5);
    receive(1);
    long peerKey = sink.lastWord;
    MemorySegment local = Arena.ofAuto().allocate(length, 4096);
    report(
        what, "GB/s", () -> puts(local, length, peerKey, (int) ((64L << 20) / length * 2)), true);
    barrier();
    context.deregister(key);
  }

  private double puts(MemorySegment local, int length, long key, int count) {
    long start = System.nanoTime();
    if (rank == 0) {
      for (int i = 0; i < count; i++) {
        long completed = sink.completions;
        int answer;
        while ((answer = device.put(1, local, 0, length, key, 0, 0, 0, 1)) != NetDevice.OK
            && answer != NetDevice.PENDING) {
          Thread.onSpinWait();
        }
        while (answer == NetDevice.PENDING && sink.completions == completed) {
          device.poll(sink, 64);
        }
      }
      send(1, 6);
      receive(1);
    } else {
      receive(1);
      send(0, 6);
    }
    return (double) count * length / (System.nanoTime() - start);
  }

  private double registrations(int count) {
    MemorySegment segment = payload;
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      context.deregister(context.register(segment, 0, 64, NetContext.READ));
    }
    return (double) (System.nanoTime() - start) / count;
  }

  /** Counts, and copies packets out. */
  private final class Sink implements NetSink {
    long messages;
    long completions;
    long lastWord;
    private final MemorySegment copy = Arena.ofAuto().allocate(PACKET, 64);

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      if (lease != 0) {
        Memory.copyOut(address, copy, 0, length);
        context.release(lease);
      } else if (length == 8) {
        lastWord = Memory.getLong(address);
      }
      messages++;
      return true;
    }

    @Override
    public void completed(long cookie, int result) {
      completions++;
    }

    @Override
    public void peerGone(int peer, PeerEnd how) {
      throw new IllegalStateException("rank " + peer + " is gone");
    }
  }
}
