package org.lacis.net.sim;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetException;
import org.lacis.net.Network;

/**
 * The bootstrap of ranks that live in one JVM. The simulated network does not need it; what else a
 * runtime exchanges goes through it, one thread per rank.
 */
final class SimExchange {

  /** No thread waits longer than this for the others, in seconds. */
  private static final long LIMIT_SECONDS = 60;

  private final int size;
  private final String jobId = "sim" + UUID.randomUUID().toString().replace("-", "");
  private final Map<String, Round> rounds = new HashMap<>();

  SimExchange(int size) {
    this.size = size;
  }

  /** What rank {@code rank} sees of it. */
  Network.Exchange of(int rank) {
    return new Side(rank);
  }

  private Round round(String name) {
    synchronized (rounds) {
      return rounds.computeIfAbsent(name, n -> new Round(size));
    }
  }

  private final class Side implements Network.Exchange {
    private final int rank;

    Side(int rank) {
      this.rank = rank;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public String jobId() {
      return jobId;
    }

    @Override
    public String[] allGather(String name, String value) {
      Round round = round(name);
      round.give(rank, name, value);
      try {
        return round.all.get(LIMIT_SECONDS, TimeUnit.SECONDS).clone();
      } catch (TimeoutException | ExecutionException e) {
        throw new NetException(
            "exchange '"
                + name
                + "' of rank "
                + rank
                + " waited "
                + LIMIT_SECONDS
                + " s for "
                + round.missing(),
            e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NetException("exchange '" + name + "' of rank " + rank + " was interrupted", e);
      }
    }
  }

  /** One collective exchange. */
  private static final class Round {
    private final @Nullable String[] values;
    private int given;
    private final CompletableFuture<String[]> all = new CompletableFuture<>();

    Round(int size) {
      values = new @Nullable String[size];
    }

    synchronized void give(int rank, String name, String value) {
      if (values[rank] != null) {
        throw new NetException(
            "rank "
                + rank
                + " gave its value for '"
                + name
                + "' twice: every exchange needs a name of its own");
      }
      values[rank] = value;
      if (++given == values.length) {
        String[] complete = new String[values.length];
        for (int i = 0; i < complete.length; i++) {
          complete[i] = String.valueOf(values[i]);
        }
        all.complete(complete);
      }
    }

    synchronized String missing() {
      StringBuilder ranks = new StringBuilder("ranks");
      for (int i = 0; i < values.length; i++) {
        if (values[i] == null) {
          ranks.append(' ').append(i);
        }
      }
      return ranks.toString();
    }
  }
}
