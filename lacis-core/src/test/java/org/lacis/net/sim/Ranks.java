package org.lacis.net.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** All ranks of a fabric with a device each, driven by one thread, and a log of what came when. */
final class Ranks {

  final SimFabric fabric;
  final NetContext[] contexts;
  final NetDevice[] devices;
  final List<String> log = new ArrayList<>();
  private final Sink[] sinks;

  Ranks(SimOptions options) {
    fabric = SimFabric.create(options);
    int size = options.ranks();
    contexts = new NetContext[size];
    devices = new NetDevice[size];
    sinks = new Sink[size];
    for (int i = 0; i < size; i++) {
      contexts[i] = fabric.open(i);
      devices[i] = contexts[i].openDevice();
      sinks[i] = new Sink(i);
    }
  }

  int send(int from, int to, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return devices[from].inject(to, 1, 0, MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  /** Sends and insists, polling in between. */
  void sendSurely(int from, int to, String text) {
    int[] answer = {NetDevice.BUSY};
    until(() -> (answer[0] = send(from, to, text)) == NetDevice.OK);
  }

  int poll(int rank) {
    return devices[rank].poll(sinks[rank], 64);
  }

  void refuse(int rank, boolean refuse) {
    sinks[rank].refuse = refuse;
  }

  /** Polls all in turn until nothing comes any more and the clock stands still. */
  void drain() {
    long before = -1;
    int idle = 0;
    for (int round = 0; idle < 3; round++) {
      assertThat(round).as("rounds of polls").isLessThan(1_000_000);
      int got = 0;
      for (int i = 0; i < devices.length; i++) {
        got += poll(i);
      }
      idle = got == 0 && fabric.now() == before ? idle + 1 : 0;
      before = fabric.now();
    }
  }

  /** Polls all in turn until a condition holds. */
  void until(BooleanSupplier condition) {
    for (int round = 0; !condition.getAsBoolean(); round++) {
      assertThat(round).as("rounds of polls").isLessThan(1_000_000);
      for (int i = 0; i < devices.length; i++) {
        poll(i);
      }
    }
  }

  /** Writes down "time rank: what". */
  private final class Sink implements NetSink {
    private final int rank;
    boolean refuse;

    Sink(int rank) {
      this.rank = rank;
    }

    @Override
    public boolean message(int source, long h0, long h1, long address, int length, long lease) {
      if (refuse) {
        return false;
      }
      byte[] bytes = new byte[length];
      Memory.copyOut(address, MemorySegment.ofArray(bytes), 0, length);
      note("'" + new String(bytes, UTF_8) + "' from " + source);
      if (lease != 0) {
        contexts[rank].release(lease);
      }
      return true;
    }

    @Override
    public void completed(long cookie, int result) {
      note("completed " + cookie + " " + result);
    }

    @Override
    public void peerGone(int peer, PeerEnd how) {
      note("gone " + peer);
    }

    private void note(String what) {
      log.add(fabric.now() + " " + rank + ": " + what);
    }
  }
}
