package org.lacis.net.shm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.Network;
import org.lacis.settings.Settings;

/** Several ranks in this process, with a device and a sink each. */
final class LocalRanks implements AutoCloseable {

  final NetContext[] contexts;
  final NetDevice[] devices;
  final RecordingSink[] sinks;

  private LocalRanks(int size, long sharedBytes, int cells, IntUnaryOperator injectBytes) {
    var job = new LocalExchange.Job(size);
    contexts =
        together(
                size,
                rank -> {
                  var setup =
                      new Network.Setup(
                          new LocalExchange(job, rank),
                          sharedBytes,
                          cells,
                          injectBytes.applyAsInt(rank),
                          Duration.ofSeconds(60),
                          Duration.ofSeconds(10));
                  return new ShmNetwork().open(setup);
                })
            .toArray(NetContext[]::new);
    devices = openDevices();
    sinks = new RecordingSink[size];
    for (int rank = 0; rank < size; rank++) {
      sinks[rank] = new RecordingSink(contexts[rank]);
    }
  }

  static LocalRanks open(int size) {
    return open(size, 4L << 20, 64);
  }

  static LocalRanks open(int size, long sharedBytes, int cells) {
    return open(size, sharedBytes, cells, 0);
  }

  /** With cells for so many bytes. */
  static LocalRanks open(int size, long sharedBytes, int cells, int injectBytes) {
    return new LocalRanks(size, sharedBytes, cells, _ -> injectBytes);
  }

  /** With cells for a number of bytes that each rank has for its own. */
  static LocalRanks openUnequal(IntUnaryOperator injectBytes) {
    return new LocalRanks(2, 4L << 20, 64, injectBytes);
  }

  /** With one way of moving bulk data. */
  static LocalRanks open(int size, BulkMode mode) {
    System.setProperty(Settings.SHM_BULK.property(), mode.toString());
    try {
      return open(size);
    } finally {
      System.clearProperty(Settings.SHM_BULK.property());
    }
  }

  NetDevice[] openDevices() {
    return together(contexts.length, rank -> contexts[rank].openDevice()).toArray(NetDevice[]::new);
  }

  int poll(int rank) {
    return devices[rank].poll(sinks[rank], 64);
  }

  /** Polls all ranks in turn until a condition holds. */
  void until(String what, BooleanSupplier condition) {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      for (int rank = 0; rank < devices.length; rank++) {
        poll(rank);
      }
      if (System.nanoTime() > limit) {
        throw new AssertionError("waited 60 s for " + what);
      }
    }
  }

  @Override
  public void close() {
    for (NetContext context : contexts) {
      context.close();
    }
  }

  /** Does something collective on every rank at once. */
  static <T> List<T> together(int size, IntFunction<T> step) {
    try (ExecutorService threads = Executors.newFixedThreadPool(size)) {
      var futures = new ArrayList<Future<T>>();
      for (int rank = 0; rank < size; rank++) {
        int who = rank;
        futures.add(threads.submit(() -> step.apply(who)));
      }
      var values = new ArrayList<T>();
      for (Future<T> future : futures) {
        values.add(future.get());
      }
      return values;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
