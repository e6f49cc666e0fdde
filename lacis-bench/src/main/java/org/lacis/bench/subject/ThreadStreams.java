package org.lacis.bench.subject;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.lacis.Completion;
import org.lacis.Device;
import org.lacis.Idle;
import org.lacis.Lacis;
import org.lacis.RemoteCompletion;

/**
 * Threads that send active messages to their partners at the other rank, on devices of their own or
 * all on one.
 */
final class ThreadStreams extends LacisWork {
  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Counts of different threads are this far apart: two cache lines. */
  private static final int APART = 16;

  private final int threads;
  private final Device[] devices;
  private final RemoteCompletion[] bells;
  private final long[] rung;
  private final long[] heard;
  private final ThreadTeam team;

  ThreadStreams(Lacis lacis, int threads, boolean dedicated) {
    super(lacis);
    this.threads = threads;
    devices = new Device[threads];
    bells = new RemoteCompletion[threads];
    rung = new long[(threads + 2) * APART];
    heard = new long[(threads + 2) * APART];
    for (int t = 0; t < threads; t++) {
      int at = (t + 1) * APART;
      devices[t] = dedicated ? lacis.newDevice() : lacis.device();
      // One thread at a time makes progress on a device, so this needs no atomic addition; but
      // on a shared one it may be another thread than the one that waits.
      bells[t] =
          lacis.register(_ -> COUNTS.setRelease(rung, at, (long) COUNTS.getOpaque(rung, at) + 1));
    }
    team = new ThreadTeam(threads, this::stream);
  }

  @Override
  Timing measure(Command command) throws Exception {
    long nanos = team.time(command.count() / threads);
    return Timing.of(first ? nanos : 0);
  }

  private void stream(int thread, long count) {
    Device device = devices[thread];
    Idle idle = lacis.newIdle();
    MemorySegment message = Arena.ofAuto().allocate(8, 8);
    if (first) {
      for (long i = 0; i < count; i++) {
        post(device, thread, message, idle);
      }
      await(device, thread, 1, idle);
    } else {
      await(device, thread, count, idle);
      post(device, thread, message, idle);
    }
  }

  private void post(Device device, int thread, MemorySegment message, Idle idle) {
    while (device.am(peer, message, 0, bells[thread], Completion.NONE).isRetry()) {
      idle.after(device.progress());
    }
    idle.reset();
  }

  private void await(Device device, int thread, long count, Idle idle) {
    int at = (thread + 1) * APART;
    heard[at] += count;
    long until = heard[at];
    while ((long) COUNTS.getAcquire(rung, at) < until) {
      idle.after(device.progress());
    }
    idle.reset();
  }
}
