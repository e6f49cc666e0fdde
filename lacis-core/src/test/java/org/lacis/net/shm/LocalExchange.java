package org.lacis.net.shm;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.lacis.net.Network.Exchange;

/** Ranks that are threads of this process. */
record LocalExchange(Job job, int rank) implements Exchange {

  /** What the ranks of a job share; they may be those of one host, of which the first is not 0. */
  record Job(String id, int size, int first, Map<String, Step> steps) {
    Job(int size) {
      this(size, 0);
    }

    Job(int size, int first) {
      this(UUID.randomUUID().toString().replace("-", ""), size, first, new ConcurrentHashMap<>());
    }
  }

  private record Step(CountDownLatch missing, AtomicReferenceArray<String> values) {
    Step(int size) {
      this(new CountDownLatch(size), new AtomicReferenceArray<>(size));
    }
  }

  @Override
  public int size() {
    return job.size;
  }

  @Override
  public int jobRank(int rank) {
    return job.first + rank;
  }

  @Override
  public String jobId() {
    return job.id;
  }

  @Override
  public String[] allGather(String name, String value) {
    Step step = job.steps.computeIfAbsent(name, key -> new Step(job.size));
    if (!step.values.compareAndSet(rank, null, value)) {
      throw new IllegalStateException("rank " + rank + " gathers " + name + " twice");
    }
    step.missing.countDown();
    try {
      if (!step.missing.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("rank " + rank + " waited 60 s for " + name);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted in " + name, e);
    }
    var values = new String[job.size];
    for (int i = 0; i < values.length; i++) {
      values[i] = step.values.get(i);
    }
    return values;
  }
}
