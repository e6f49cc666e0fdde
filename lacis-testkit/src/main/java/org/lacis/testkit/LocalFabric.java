package org.lacis.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.Network;

/** Ranks of one JVM. Whatever is collective is done by a thread for each rank. */
public final class LocalFabric implements NetworkFabric {

  /** The memory that is asked for, in bytes per rank. */
  public static final long SHARED_BYTES = 8L << 20;

  /** The number of messages under way that is asked for. */
  public static final int RING_CELLS = 64;

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<NetContext> contexts;

  private LocalFabric(List<NetContext> contexts) {
    this.contexts = contexts;
  }

  /**
   * Opens a network for several ranks.
   *
   * @param network what each rank opens
   */
  public static LocalFabric open(int ranks, IntFunction<Network> network) {
    List<Network.Exchange> exchanges = LocalExchange.of(ranks);
    return new LocalFabric(
        together(
            "opening " + ranks + " ranks",
            exchanges,
            exchange -> network.apply(exchange.rank()).open(setup(exchange))));
  }

  /** What a network is opened with. */
  public static Network.Setup setup(Network.Exchange exchange) {
    return new Network.Setup(exchange, SHARED_BYTES, RING_CELLS, LIMIT);
  }

  @Override
  public List<NetContext> contexts() {
    return contexts;
  }

  @Override
  public List<NetDevice> openDevices() {
    return together("opening a device at every rank", contexts, NetContext::openDevice);
  }

  @Override
  public void close() {
    together(
        "closing every rank",
        contexts,
        context -> {
          context.close();
          return context;
        });
  }

  private static <T, R> List<R> together(String what, List<T> sides, Function<T, R> action) {
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      List<CompletableFuture<R>> futures = new ArrayList<>();
      for (T side : sides) {
        futures.add(CompletableFuture.supplyAsync(() -> action.apply(side), threads));
      }
      try {
        Await.until(
            what, () -> futures.stream().allMatch(f -> f.isDone() || f.isCompletedExceptionally()));
      } catch (AssertionError e) {
        threads.shutdownNow();
        throw e;
      }
      return futures.stream().map(CompletableFuture::join).toList();
    }
  }
}
