package org.lacis.net.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.Network;
import org.lacis.net.PeerEnd;
import org.lacis.net.sim.SimFabric;
import org.lacis.net.sim.SimOptions;

/**
 * What messages over tcp cost, in processor time of one thread that is both ranks: so the machine
 * may have other things to do meanwhile. With a number, there are so many ranks, of which two talk.
 *
 * <pre>
 * mvn -q test-compile -pl lacis-core
 * java -cp lacis-core/target/classes:lacis-core/target/test-classes org.lacis.net.tcp.TcpSpeed
 * </pre>
 */
final class TcpSpeed implements NetSink {

  private static final int LARGE = 1 << 20;

  private final NetDevice[] devices;
  private final NetContext[] contexts;
  private long messages;
  private long completions;

  private TcpSpeed(int ranks) {
    SimFabric fabric = SimFabric.create(SimOptions.defaults().withRanks(ranks));
    contexts = together(ranks, rank -> open(fabric.exchange(rank))).toArray(NetContext[]::new);
    devices = together(ranks, rank -> contexts[rank].openDevice()).toArray(NetDevice[]::new);
  }

  private static NetContext open(Network.Exchange exchange) {
    return new TcpNetwork()
        .open(new Network.Setup(exchange, 64L << 20, 1024, Duration.ofSeconds(20)));
  }

  private interface Action<T> {
    T of(int rank);
  }

  private static <T> List<T> together(int ranks, Action<T> action) {
    List<CompletableFuture<T>> ends = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      int one = rank;
      ends.add(
          CompletableFuture.supplyAsync(
              () -> action.of(one), work -> Thread.ofPlatform().daemon().start(work)));
    }
    return ends.stream().map(CompletableFuture::join).toList();
  }

  @Override
  public boolean message(int source, long h0, long h1, long address, int length, long lease) {
    messages++;
    return true;
  }

  @Override
  public void completed(long cookie, int result) {
    completions++;
  }

  @Override
  public void peerGone(int peer, PeerEnd how) {}

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private void poll() {
    devices[0].poll(this, 256);
    devices[1].poll(this, 256);
  }

  private double stream(int count) {
    MemorySegment payload = Arena.ofAuto().allocate(8);
    long until = messages + count;
    long start = cpu();
    for (int i = 0; i < count; i++) {
      while (devices[0].inject(1, 1, i, payload, 0, 8) != NetDevice.OK) {
        poll();
      }
    }
    while (messages < until) {
      poll();
    }
    return (double) (cpu() - start) / count;
  }

  private double pingPong(int count) {
    MemorySegment payload = Arena.ofAuto().allocate(8);
    long start = cpu();
    for (int i = 0; i < count; i++) {
      long until = messages + 1;
      while (devices[i % 2].inject(1 - i % 2, 1, i, payload, 0, 8) != NetDevice.OK) {
        poll();
      }
      while (messages < until) {
        devices[1 - i % 2].poll(this, 256);
      }
      devices[i % 2].poll(this, 256);
    }
    return (double) (cpu() - start) / count;
  }

  private double idle(int count) {
    long start = cpu();
    for (int i = 0; i < count; i++) {
      devices[0].poll(this, 256);
    }
    return (double) (cpu() - start) / count;
  }

  private double bulk(boolean put, int count) {
    MemorySegment local = Arena.ofAuto().allocate(2L * LARGE, 64);
    MemorySegment remote = Arena.ofAuto().allocate(2L * LARGE, 64);
    long key = contexts[1].register(remote, 0, 2L * LARGE, NetContext.READ | NetContext.WRITE);
    long until = completions + count;
    long first = completions;
    long start = cpu();
    for (int i = 0; i < count; i++) {
      long at = i % 2 * (long) LARGE;
      while (completions - first < i - 1) {
        poll();
      }
      int answer =
          put
              ? devices[0].put(1, local, at, LARGE, key, at, 0, 0, i)
              : devices[0].get(1, local, at, LARGE, key, at, 0, 0, i);
      if (answer != NetDevice.PENDING) {
        throw new IllegalStateException("answer " + answer);
      }
    }
    while (completions < until) {
      poll();
    }
    contexts[1].deregister(key);
    return (double) count * LARGE / (cpu() - start);
  }

  /** Measures. */
  public static void main(String[] args) {
    TcpSpeed speed = new TcpSpeed(args.length > 0 ? Integer.parseInt(args[0]) : 2);
    for (int round = 0; round < 4; round++) {
      IO.println(
          ("8 bytes streamed %.1f ns a message, one alone %.0f ns; an idle poll %.0f ns;"
                  + " 1 MiB put %.2f, got %.2f GB/s")
              .formatted(
                  speed.stream(1_000_000),
                  speed.pingPong(20_000),
                  speed.idle(50_000),
                  speed.bulk(true, 500),
                  speed.bulk(false, 500)));
    }
    for (NetContext context : speed.contexts) {
      context.close();
    }
  }
}
