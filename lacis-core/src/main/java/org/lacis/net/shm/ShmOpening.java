package org.lacis.net.shm;

import java.nio.file.Path;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Gather;
import org.lacis.net.KeySource;
import org.lacis.net.NetException;
import org.lacis.net.Network.Exchange;
import org.lacis.net.Network.Setup;
import org.lacis.net.SystemRandom;
import org.lacis.settings.Settings;

/**
 * The steps in which all ranks map each other's files: each makes its own and tells its name; each
 * maps all; when all have, each deletes the name of its own. From then on a crash leaves nothing
 * behind, and before it an exit does not.
 */
final class ShmOpening {

  private final Setup setup;
  private final Exchange exchange;
  private final int rank;
  private final int size;

  ShmOpening(Setup setup) {
    this.setup = setup;
    this.exchange = setup.exchange();
    this.rank = exchange.rank();
    this.size = exchange.size();
  }

  ShmContext open() {
    long[] random = SystemRandom.longs(3);
    Gather names = new Gather(exchange, "shm-files");
    BulkMode mode;
    ShmFile file;
    try {
      mode = BulkMode.current();
      file = create();
    } catch (RuntimeException e) {
      names.fail(e);
      throw e;
    }
    Thread hook = new Thread(file::unlink, "lacis-shm-unlink");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      ShmPeer.writeHeader(file, rank, size, random[0]);
      if (mode.vm) {
        Libc.allowPeers();
      }
      ShmPeer[] peers = map(file, names.all(file.path().toString()));
      String description = describe(file, mode, probe(mode, peers));
      Registrations registrations = new Registrations(file, new KeySource(random[1], random[2]));
      return new ShmContext(setup, peers, registrations, mode, description);
    } finally {
      file.unlink();
      removeHook(hook);
    }
  }

  private ShmFile create() {
    if (setup.sharedBytes() <= 0
        || Integer.bitCount(setup.ringCells()) != 1
        || size > PacketReturns.MAX_RANKS) {
      throw new NetException(
          "shared memory of "
              + setup.sharedBytes()
              + " bytes with rings of "
              + setup.ringCells()
              + " cells for "
              + size
              + " ranks: the cells must be a power of two, the ranks at most "
              + PacketReturns.MAX_RANKS);
    }
    long bytes =
        ShmLayout.heapOffset(size) + ShmLayout.roundUp(setup.sharedBytes(), ShmLayout.PAGE);
    if (bytes > PacketReturns.MAX_BYTES) {
      throw new NetException(
          setup.sharedBytes() + " bytes of shared memory: the limit is " + PacketReturns.MAX_BYTES);
    }
    // Not the rank within a host: hosts may be containers that share a folder.
    String name = "lacis-" + exchange.jobId() + "-" + exchange.jobRank(rank);
    return ShmFile.create(ShmFile.directories(), name, bytes, size);
  }

  /** Maps all files, and returns when all ranks have. */
  private ShmPeer[] map(ShmFile own, String[] paths) {
    ShmPeer[] peers = new ShmPeer[size];
    Gather mapped = new Gather(exchange, "shm-mapped");
    try {
      for (int peer = 0; peer < size; peer++) {
        peers[peer] =
            peer == rank
                ? ShmPeer.self(rank, exchange.jobRank(rank), own)
                : ShmPeer.open(peer, exchange.jobRank(peer), size, Path.of(paths[peer]));
      }
    } catch (RuntimeException e) {
      mapped.fail(e);
      throw e;
    }
    mapped.all("");
    return peers;
  }

  /**
   * Finds out which peers the kernel copies to and from. Answers why the others cannot be reached,
   * with their ranks.
   */
  private static TreeMap<String, String> probe(BulkMode mode, ShmPeer[] peers) {
    TreeMap<String, String> failures = new TreeMap<>();
    String missing = mode.vm ? Libc.missing() : "switched off by " + Settings.SHM_BULK.property();
    VmDesk desk = new VmDesk();
    for (ShmPeer peer : peers) {
      String why = missing != null ? missing : why(desk.probe(peer));
      peer.vm = why == null;
      if (why != null) {
        failures.merge(why, Integer.toString(peer.jobRank), (some, one) -> some + ", " + one);
      }
    }
    return failures;
  }

  private static @Nullable String why(long probed) {
    if (probed == 0) {
      return null;
    }
    if (probed == -Libc.EPERM) {
      return "the kernel forbids it (EPERM; see /proc/sys/kernel/yama/ptrace_scope, seccomp)";
    }
    return probed > 0 ? "its process number is another process here" : "errno " + -probed;
  }

  private String describe(ShmFile file, BulkMode mode, TreeMap<String, String> failures) {
    StringBuilder text = new StringBuilder();
    text.append("shared memory in ").append(file.path().getParent());
    text.append(", ").append(file.length() >> 20).append(" MiB a rank; bulk data: ").append(mode);
    if (mode.mapped) {
      text.append(", plain copies to shared memory");
    }
    if (failures.isEmpty()) {
      text.append(", process_vm_readv and process_vm_writev to other native memory");
    }
    failures.forEach(
        (why, ranks) ->
            text.append(", no process_vm_readv to ranks ").append(ranks).append(": ").append(why));
    return text.append(", the rest copied by the target").toString();
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is exiting; the hook has run, or does, and finds nothing to delete.
      assert hook != null;
    }
  }
}
